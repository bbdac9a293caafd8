import { expect, test } from 'vitest'
import { added, quantile, seeded, within } from '../kit/statistics.ts'

const skewed = (random: () => number, n: number, base = 80) =>
  Float64Array.from({ length: n }, () => base - 30 * Math.log(1 - random()))

test('quantiles lie between their neighbours', () => {
  expect([0, 0.5, 0.75, 1].map(q => quantile([1, 2, 3, 5], q))).toEqual([1, 2.5, 3.5, 5])
  expect(quantile([], 0.5)).toBeNaN()
})

test('of two ways that are alike, about one interval in twenty leaves zero out', () => {
  const random = seeded(7)
  let out = 0
  for (let i = 0; i < 100; i++) {
    for (const { low, high } of added(skewed(random, 1000), skewed(random, 1000), [0.5, 0.95], { draws: 300, random }))
      if (low > 0 || high < 0) out++
  }
  expect(out).toBeGreaterThan(0)
  expect(out).toBeLessThan(25)
})

test('what is added to every call is found at every quantile; what is added to one in ten only above', () => {
  const random = seeded(3)
  const direct = skewed(random, 2000)
  const all = added(direct, skewed(random, 2000, 90), [0.5, 0.95], { random })
  for (const { value, low, high } of all) {
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThanOrEqual(10)
    expect(high).toBeGreaterThanOrEqual(10)
    expect(value).toBeLessThanOrEqual(high)
  }
  const tenth = skewed(random, 2000).map((us, i) => us + (i % 10 === 0 ? 1000 : 0))
  const [p50, p95] = added(direct, tenth, [0.5, 0.95], { random })
  expect(p50!.high).toBeLessThan(50)
  expect(p95!.low).toBeGreaterThan(500)
})

test('slow phases that last make an interval wider', () => {
  const random = seeded(5)
  const direct = skewed(random, 2000)
  const phases = direct.map((us, i) => us + (Math.floor(i / 200) % 2 === 0 ? 20 : 0))
  const width = (block: number) => {
    const [p50] = added(direct, phases, [0.5], { block, random: seeded(1) })
    return p50!.high - p50!.low
  }
  expect(width(100)).toBeGreaterThan(1.5 * width(1))
})

test('a budget within the interval is not decided', () => {
  expect(within({ value: 4, low: 3, high: 4.9 }, 5)).toBe('pass')
  expect(within({ value: 5, low: 4.9, high: 5.1 }, 5)).toBe('inconclusive')
  expect(within({ value: 6, low: 5.1, high: 7 }, 5)).toBe('fail')
})
