import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { limitsOf } from '../reference-gateway/breaker/rules.ts'
import { Sessions } from '../reference-gateway/breaker/sessions.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('the table is bounded: the one idle for longest goes first, an open one never; newcomers then share one entry', () => {
  const table = new Sessions(3)
  for (const key of ['a', 'b', 'c']) table.touch(key, key, 1)
  table.trip(table.find('b')!, 'rate', 1, 9)
  table.touch('a', 'a', 2)
  for (let i = 0; i < 1000; i++) table.touch(`invented-${i}`, undefined, 3)
  expect([table.size, table.find('b')?.reason, table.find('a'), table.find('c')]).toEqual([
    3,
    'rate',
    undefined,
    undefined,
  ])
  for (const one of table.all('CLOSED')) table.trip(one, 'payload', 4, Number.POSITIVE_INFINITY)
  const [one, other] = [table.touch('one', 'one', 5), table.touch('other', 'other', 5)]
  expect(one).toBe(other)
  expect(table.find('b')?.reason).toBe('rate')
  expect([...table.due(9)].map(s => s.key)).toEqual(['b'])
})

test('a hundred thousand sessions take less than 100 MB', () => {
  const { requests } = limitsOf({ rate: {} }).rate!
  collect()
  const before = process.memoryUsage().heapUsed
  const table = new Sessions(100_000)
  for (let i = 0; i < 110_000; i++) {
    const key = `0f8fad5b-d9cb-469f-a165-${String(i).padStart(12, '0')}`
    const session = table.touch(key, key, i + 0.5)
    for (let n = 0; n < requests; n++) session.times.push(i + n / 10)
  }
  collect()
  expect(table.size).toBe(100_000)
  expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(100)
})
