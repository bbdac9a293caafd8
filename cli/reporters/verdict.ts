import { counts, exitCode, expired, known, opposites, type Policy, stale, summary } from '../../kit/report.ts'
import type { Report } from '../../kit/types.ts'
import { several } from '../words.ts'

/** What comes of a run, in sentences: why it conforms, does not, or can't be told. */
export function verdict(report: Report, policy: Policy, partial: boolean): string[] {
  const failed = report.results.filter(r => r.verdict === 'fail')
  const hard = failed.filter(r => counts(r, report, policy))
  const excused = failed.filter(r => known(r, report, policy))
  const contradicted = failed.filter(r => !excused.includes(r) && opposites(r, report).length > 0)
  const soft = failed.length - hard.length - excused.length - contradicted.length
  const { error } = summary(report.results)
  return [
    ...stale(report, policy).map(e => `Stale: ${e.id} is in the baseline, but passes. Take the entry out.`),
    ...expired(report, policy).map(e => `Expired: the baseline excused ${e.id} until ${e.until}.`),
    ...(excused.length
      ? [`${several(excused.length, 'failure')} known from the baseline ${is(excused.length)} not counted.`]
      : []),
    ...(contradicted.length
      ? [`${several(contradicted.length, 'check')} not counted: the opposite is asked for by another pack, and holds.`]
      : []),
    ...(soft
      ? [
          `${several(soft, 'failure')} ${is(soft)} no MUST: a warning${policy.strict ? '' : '; --strict counts each SHOULD'}.`,
        ]
      : []),
    ...(report.stopped ? ['Stopped at the first failure: the rest was not judged.'] : []),
    ...(partial ? ['Only a part of the checks was chosen, so this says nothing of the rest.'] : []),
    sentence(exitCode(report, policy), hard.length, error, partial),
  ]
}

const is = (n: number) => (n === 1 ? 'is' : 'are')

function sentence(code: number, hard: number, error: number, partial: boolean): string {
  if (code === 130) return 'Interrupted: this is what was judged until then.'
  if (code === 0) return `The gateway conforms${partial ? ' in what was chosen' : ''}.`
  if (code === 3)
    return error
      ? `It can't be told whether the gateway conforms: ${several(error, 'check')} could not be judged.`
      : "It can't be told whether the gateway conforms: no check applied to it."
  return hard ? `The gateway does not conform: ${several(hard, 'check')} failed.` : 'The baseline is not up to date.'
}

/** The last line: `N passed, N failed, [N contradicted, ]N skipped[, N could not be judged]`. */
export function totals(report: Report): string {
  const { pass, fail, skip, error } = summary(report.results)
  const contradicted = report.results.filter(r => opposites(r, report).length > 0).length
  return [
    `${pass} passed`,
    `${fail - contradicted} failed`,
    ...(contradicted ? [`${contradicted} contradicted`] : []),
    `${skip} skipped`,
    ...(error ? [`${error} could not be judged`] : []),
  ].join(', ')
}
