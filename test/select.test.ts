import { describe, expect, test } from 'vitest'
import { CannotJudge, WrongUsage } from '../kit/errors.ts'
import { nearest } from '../kit/nearest.ts'
import { glob, select } from '../kit/select.ts'
import { sampleCheck } from './cli-samples.ts'

const checks = [
  sampleCheck('streaming/as-it-comes'),
  sampleCheck('streaming/order'),
  sampleCheck('sessions/issued'),
  sampleCheck('limits/ten-a-second', { pack: 'policy' }),
]
const ids = (choice: Parameters<typeof select>[1]) => select(checks, choice).map(c => c.id)

describe('globs', () => {
  test.each([
    ['streaming/order', 'streaming/order', true],
    ['streaming/order', 'streaming/order-2', false],
    ['streaming/*', 'streaming/order', true],
    ['str*/o*', 'streaming/order', true],
    ['streaming', 'streaming/order', true],
    ['stream', 'streaming/order', false],
    ['*', 'streaming/order', true],
    ['**', 'streaming/order', true],
    ['**/order', 'streaming/order', true],
    ['*order', 'streaming/order', false],
    ['**order', 'streaming/order', true],
    ['streaming/orde?', 'streaming/order', true],
    ['streaming/order?', 'streaming/order', false],
    ['streaming.order', 'streaming/order', false],
    ['s[t]reaming/order', 'streaming/order', false],
  ])('%s against %s: %s', (pattern, id, expected) => expect(glob(pattern)(id)).toBe(expected))
})

describe('selection', () => {
  test('is everything where nothing is said, in order', () => expect(ids({})).toEqual(checks.map(c => c.id)))
  test('takes suites, ids and globs', () =>
    expect(ids({ only: ['sessions', 'streaming/o*'] })).toEqual(['streaming/order', 'sessions/issued']))
  test('leaves out what is skipped', () =>
    expect(ids({ only: ['streaming'], skip: ['streaming/order'] })).toEqual(['streaming/as-it-comes']))
  test('keeps to the packs', () => expect(ids({ packs: ['policy'] })).toEqual(['limits/ten-a-second']))

  test('a glob that matches nothing is wrong usage, and the nearest id is named', () => {
    expect(() => ids({ only: ['streaming/ordr'] })).toThrow(WrongUsage)
    expect(() => ids({ only: ['streaming/ordr'] })).toThrow(
      '--only streaming/ordr matches no check. Did you mean streaming/order?',
    )
    expect(() => ids({ skip: ['streming'] })).toThrow('--skip streming matches no check. Did you mean streaming?')
  })

  test('nothing left over can not be judged', () => {
    expect(() => ids({ only: ['streaming'], skip: ['streaming'] })).toThrow(CannotJudge)
    expect(() => ids({ only: ['limits'], packs: ['mcp'] })).toThrow('--only limits --pack mcp')
  })
})

describe('the nearest known word', () => {
  test.each([
    ['dctor', 'doctor'],
    ['gatway', 'gateway'],
    ['lsit', 'list'],
    ['as-it-comes', undefined],
    ['zzzzzz', undefined],
  ])('%s: %s', (word, meant) => expect(nearest(word, ['doctor', 'gateway', 'list', 'run'])).toBe(meant))

  test('a piece of one id is enough', () =>
    expect(
      nearest(
        'as-it-comes',
        checks.map(c => c.id),
      ),
    ).toBe('streaming/as-it-comes'))
})
