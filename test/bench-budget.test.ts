import { describe, expect, test } from 'vitest'
import { judge, readBudget, sayUs } from '../bench/budget.ts'
import { change, readThreshold } from '../bench/change.ts'
import { compare, compareAgainst } from '../bench/compare.ts'
import { growthOf } from '../bench/growth.ts'
import { benchReport, row, sure } from './bench-samples.ts'

describe('a budget', () => {
  test('is read in its units; a time alone is for p50 and p95', () => {
    expect(readBudget('p50=5ms, p99=0.5s,p90=800us')).toEqual({ p50: 5000, p99: 500_000, p90: 800 })
    expect(readBudget('2ms')).toEqual({ p50: 2000, p95: 2000 })
  })
  test.each(['', 'fast', 'p50=', 'p50=-1ms', 'p50=5m', 'p42=5ms', '0'])('%j is none', text => {
    expect(readBudget(text)).toEqual(expect.any(String))
  })

  const budget = { p50: 5000, p95: 5000 }
  test('holds where every interval ends below it', () => {
    expect(judge(row({ p50: sure(240, 10), p95: sure(4800, 150) }), budget)).toMatchObject({
      verdict: 'pass',
      says: 'it adds 240 µs at p50, 4.80 ms at p95: within the budget of 5.00 ms at p50, 5.00 ms at p95',
    })
  })
  test('fails where one interval begins above it', () => {
    expect(judge(row({ p95: sure(5500, 100) }), budget)).toMatchObject({
      verdict: 'fail',
      at: [{ verdict: 'pass' }, { verdict: 'fail' }],
    })
  })
  test('is not decided where it lies within one', () => {
    expect(judge(row({ p95: sure(5100, 300) }), budget).verdict).toBe('inconclusive')
  })
  test('blames no gateway for what other programs took, and still blames one that is slow anyway', () => {
    expect(judge(row({ p50: sure(5500, 10), p95: sure(9000, 10) }, { stolen: 0.5 }), budget)).toMatchObject({
      verdict: 'inconclusive',
      says: expect.stringContaining('other programs took 50 % of the time'),
    })
    expect(judge(row({ p50: sure(50_000, 10) }, { stolen: 0.5 }), budget).verdict).toBe('fail')
  })
  test('is not judged by the few calls that did not fail', () => {
    const faults = [{ way: 'through', fault: 'status 429', times: 300 }]
    expect(judge(row({}, { pairs: 700, failed: 300, faults }), budget)).toMatchObject({
      verdict: 'inconclusive',
      says: '30 % of the calls failed, most with status 429 (through, 300 times): what is left says too little',
    })
    expect(judge(row({}, { pairs: 0, failed: 300, faults }), budget).says).toContain('every call failed')
  })
  test('times are said as people read them', () => {
    expect([0.4, 38.2, 999.4, 999.6, 4800, 12_345].map(sayUs)).toEqual([
      '0 µs',
      '38 µs',
      '999 µs',
      '1.00 ms',
      '4.80 ms',
      '12.3 ms',
    ])
  })
})

describe('a change', () => {
  test('counts where it is sure, large, and a good share', () => {
    expect(change(sure(500, 50), 1000)).toBe('slower')
    expect(change(sure(-500, 50), 1000)).toBe('faster')
    expect(change(sure(500, 600), 1000)).toBe('same')
    expect(change(sure(90, 5), 100)).toBe('same')
    expect(change(sure(500, 50), 10_000)).toBe('same')
  })
  test('the threshold is read', () => {
    expect(readThreshold('20%,0.5ms')).toEqual({ share: 0.2, us: 500 })
    expect(readThreshold('50us')).toEqual({ share: 0, us: 50 })
    expect(readThreshold('twenty')).toEqual(expect.any(String))
  })
  const before = benchReport([row({ p50: sure(1000, 20), p95: sure(1500, 50) })])
  test('against a report of before shows where the gateway became slower', () => {
    const after = benchReport([row({ p50: sure(2000, 20), p95: sure(1500, 50) })])
    expect(compare(before, after).map(c => [c.quantile, c.verdict])).toEqual([
      ['p50', 'slower'],
      ['p95', 'same'],
    ])
    expect(compare(before, before).map(c => c.verdict)).toEqual(['same', 'same'])
  })
  test('is none where only the machine is another one', () => {
    const slower = benchReport([row({ p50: sure(2000, 20), p95: sure(3000, 50) }, { directP50: 200 })])
    expect(compare(before, slower).map(c => c.verdict)).toEqual(['same', 'same'])
    const busy = benchReport([row({ p50: sure(9000, 20) }, { stolen: 0.4 })])
    expect(compare(before, busy)).toEqual([])
  })
  test('of two gateways in one run is told from the side of the first', () => {
    const both = benchReport([row({ p50: sure(2000, 20) }, { against: sure(-1500, 30) })])
    expect(compareAgainst(both)[0]).toMatchObject({
      verdict: 'slower',
      says: expect.stringContaining('1.50 ms (95 % sure: 1.47 ms to 1.53 ms) more at p50 than the other one'),
    })
  })
})

describe('growth', () => {
  const points = (us: (n: number) => number) => [1, 10, 100, 1000].map(n => ({ n, us: us(n) }))
  test.each([
    ['nothing', () => 200, 0],
    ['noise', (n: number) => 200 + (n % 7) * 10, 0],
    ['a share of n', (n: number) => 200 + 2 * n, 1],
    ['its square', (n: number) => 200 + n * n, 2],
    ['its root', (n: number) => 200 + 40 * Math.sqrt(n), 0.5],
  ])('by %s', (_, us, order) => {
    expect(Math.abs(growthOf(points(us)).order - order)).toBeLessThan(0.1)
  })
})
