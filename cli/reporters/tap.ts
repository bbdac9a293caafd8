import { counts, known, opposites } from '../../kit/report.ts'
import type { Report, Reporter, Result } from '../../kit/types.ts'
import { seenIn } from './notable.ts'
import type { Print, ReporterOptions } from './options.ts'

/**
 * Prints TAP version 14, at the end. What makes the gateway not conform, and what could not be judged, is `not ok`; a warning, a
 * known failure, or one that another pack contradicts is `not ok … # TODO`, which consumers do not count; a skip has its reason.
 */
export const tap = (print: Print, options: ReporterOptions): Reporter => ({
  end(report) {
    print(
      [
        'TAP version 14',
        `1..${report.results.length}`,
        ...report.results.map((r, i) => line(r, i + 1, report, options)),
      ].join('\n'),
    )
  },
})

function line(result: Result, n: number, report: Report, { policy }: ReporterOptions): string {
  const { check, revision, verdict, reason = '' } = result
  const name = `${n} - ${escaped(`${check.id} (${revision})`)}`
  if (verdict === 'pass') return `ok ${name}`
  if (verdict === 'skip') return `ok ${name} # SKIP ${escaped(reason)}`
  const isTodo = verdict === 'fail' && !counts(result, report, policy)
  return [
    `not ok ${name}${isTodo ? ` # TODO ${escaped(whyNot(result, report, policy))}` : ''}`,
    ...details(result),
  ].join('\n')
}

function whyNot(result: Result, report: Report, policy: ReporterOptions['policy']): string {
  const excuse = known(result, report, policy)
  const instead = opposites(result, report).map(r => r.check.id)
  if (excuse) return `known failure: ${excuse.reason}`
  return instead.length
    ? `the opposite is asked for, and holds: ${instead.join(', ')}`
    : `${result.check.level}, a warning`
}

/** The YAML block of a failed test. Strings are written as JSON, which is YAML, too. */
function details(result: Result): string[] {
  const { check, verdict } = result
  const entries: readonly (readonly [string, string])[] = [
    ['message', verdict === 'error' ? 'could not be judged' : `the gateway ${check.title}`],
    ['severity', verdict === 'error' ? 'unjudged' : check.level],
    ['seen', seenIn(result)],
    ['spec', check.spec],
  ]
  return ['  ---', ...entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`), '  ...']
}

/** A `#` would begin a directive, and a line break a new test. */
const escaped = (text: string): string =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replace(/\\/g, '\\\\')
    .replace(/#/g, '\\#')
