import { describe, expect, test } from 'vitest'
import { counts, exitCode, expired, known, opposites, type Policy, stale, summary } from '../kit/report.ts'
import type { Result, Verdict } from '../kit/types.ts'
import { sampleCheck, sampleReport, sampleResult } from './cli-samples.ts'

const must = sampleCheck('streaming/as-it-comes')
const should = sampleCheck('streaming/order', { level: 'SHOULD' })
const may = sampleCheck('streaming/comments', { level: 'MAY' })
const entry = { id: must.id, reason: 'known' }
const report = (...verdicts: Verdict[]) => sampleReport(verdicts.map(v => sampleResult(v)))

describe('the exit code', () => {
  const soft = sampleReport([sampleResult('fail', should), sampleResult('pass')])
  const table: readonly (readonly [string, ReturnType<typeof sampleReport>, Policy, number])[] = [
    ['all pass', report('pass', 'pass'), {}, 0],
    ['some are skipped', report('pass', 'skip'), {}, 0],
    ['a MUST fails', report('pass', 'fail'), {}, 1],
    ['a MUST fails and one could not be judged', report('fail', 'error'), {}, 1],
    ['one could not be judged', report('pass', 'error'), {}, 3],
    ['nothing ran', report(), {}, 3],
    ['all are skipped', report('skip', 'skip'), {}, 3],
    ['a SHOULD fails', soft, {}, 0],
    ['a SHOULD fails, strictly', soft, { strict: true }, 1],
    ['a MAY fails, strictly', sampleReport([sampleResult('fail', may), sampleResult('pass')]), { strict: true }, 0],
    ['a known MUST fails', report('fail'), { baseline: [entry] }, 0],
    ['a known SHOULD fails, strictly', soft, { strict: true, baseline: [{ ...entry, id: should.id }] }, 0],
    ['a known one passes', report('pass'), { baseline: [entry] }, 1],
    ['a known flaky one passes', report('pass'), { baseline: [{ ...entry, flaky: true }] }, 0],
    ['a known one was not chosen', sampleReport([sampleResult('pass', should)]), { baseline: [entry] }, 0],
    [
      'a known one is skipped',
      sampleReport([sampleResult('pass', should), sampleResult('skip')]),
      { baseline: [entry] },
      0,
    ],
    ['a known one could not be judged', report('error'), { baseline: [entry] }, 3],
    ['an entry counts on its last day', report('fail'), { baseline: [{ ...entry, until: '2026-12-01' }] }, 0],
    ['an entry has expired', report('fail'), { baseline: [{ ...entry, until: '2026-11-30' }] }, 1],
    [
      'an entry expires on the day given',
      report('fail'),
      { baseline: [{ ...entry, until: '2026-12-01' }], today: '2026-12-02' },
      1,
    ],
    ['it was interrupted', sampleReport([sampleResult('fail')], { interrupted: true }), {}, 130],
  ]
  test.each(table)('%s', (_, of, policy, code) => expect(exitCode(of, policy)).toBe(code))
})

test('an entry is not stale while its check fails on another revision', () => {
  const mixed = sampleReport([sampleResult('pass'), sampleResult('fail', must, { revision: '2025-06-18' })])
  expect(stale(mixed, { baseline: [entry] })).toEqual([])
  expect(exitCode(mixed, { baseline: [entry] })).toBe(0)
})

test('what is known, stale and expired can be asked for', () => {
  const failing = sampleResult('fail')
  const old = { ...entry, until: '2020-01-01' }
  expect(known(failing, sampleReport([failing]), { baseline: [entry] })).toBe(entry)
  expect(known(failing, sampleReport([failing]), { baseline: [old] })).toBeUndefined()
  expect(expired(sampleReport([failing]), { baseline: [old] })).toEqual([old])
  expect(stale(report('pass'), { baseline: [entry] })).toEqual([entry])
})

test('the summary counts verdicts', () =>
  expect(summary(report('pass', 'pass', 'fail', 'error').results)).toEqual({ pass: 2, fail: 1, skip: 0, error: 1 }))

describe('a check whose opposite is asked for by another pack', () => {
  const official = sampleCheck('authorization/no-token', { contradicts: ['dialect/token'] })
  const dialect = sampleCheck('dialect/token', { pack: 'syncseries', contradicts: ['authorization/no-token'] })
  const failing = (more: Partial<Result> = {}) => sampleResult('fail', official, more)
  const other = (verdict: Verdict, more: Partial<Result> = {}) => sampleResult(verdict, dialect, more)
  const code = (...results: Result[]) => exitCode(sampleReport(results))

  test('does not count where that one passes', () => {
    const both = sampleReport([failing(), other('pass')])
    expect(opposites(both.results[0]!, both)).toEqual([both.results[1]])
    expect(opposites(both.results[1]!, both)).toEqual([])
    expect(counts(both.results[0]!, both)).toBe(false)
    expect(exitCode(both)).toBe(0)
    expect(exitCode(both, { strict: true })).toBe(0)
  })

  test('counts where only its own pack was chosen', () => expect(code(failing())).toBe(1))

  test.each(['fail', 'skip', 'error'] as const)('counts where that one does not pass: %s', verdict =>
    expect(code(failing(), other(verdict))).toBe(1),
  )

  test('counts where that one passed on another gateway', () => {
    expect(code(failing(), other('pass', { on: 'platform' }))).toBe(1)
    expect(code(failing({ on: 'platform' }), other('pass'))).toBe(1)
    expect(code(failing({ on: 'platform' }), other('pass', { on: 'platform' }))).toBe(0)
  })

  test('counts where that one passed in another revision', () =>
    expect(code(failing(), other('pass', { revision: '2025-06-18' }))).toBe(1))

  test('counts where that one is of the same pack', () => {
    const alike = { ...other('pass'), check: { ...dialect, pack: 'mcp' as const } }
    expect(code(failing(), alike)).toBe(1)
  })
})
