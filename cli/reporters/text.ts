import { counts, exitCode, known, opposites } from '../../kit/report.ts'
import type { Report, Reporter, Result } from '../../kit/types.ts'
import { visible, wrap } from '../words.ts'
import { contradictions } from './contradictions.ts'
import { diagnosis } from './diagnosis.ts'
import { failure } from './failure.ts'
import { withoutFlood } from './flood.ts'
import type { Print, TextOptions } from './options.ts'
import { table } from './table.ts'
import { isGrouped, unjudged } from './unjudged.ts'
import { totals, verdict } from './verdict.ts'

/** How many failures are shown with what both sides saw; the others only with what was expected and seen. */
const DETAILED = 12

/** Prints for people: what is judged, the suites at a glance, the failures last and nearest to the prompt. */
export function text(print: Print, options: TextOptions): Reporter {
  const { paint, policy } = options
  return {
    start: () => print(`${options.head.flatMap(line => wrap(line, options.columns)).join('\n')}\n`),
    result(result) {
      if (options.lines) print(oneLine(result, options))
    },
    end(report) {
      if (options.lines) print('')
      const all = [
        ...(report.results.length ? [...table(report, policy, paint), ''] : []),
        ...skipped(report, options),
        ...knownFailures(report, options),
        ...unjudged(report, options),
        ...contradictions(report, policy, paint, options.columns),
        ...failures(report, options),
        ...closing(report, options),
      ]
      print(all.join('\n'))
    },
  }
}

function oneLine({ check, verdict, revision, reason }: Result, { paint }: TextOptions): string {
  const marks = {
    pass: paint.green('pass '),
    fail: paint.red('FAIL '),
    skip: paint.dim('skip '),
    error: paint.yellow('ERROR'),
  }
  const otherwise = check.contradicts ? `, contradicts ${check.contradicts.join(', ')}` : ''
  const level = verdict === 'fail' ? ` ${check.level}${otherwise}` : ''
  return `${marks[verdict]} ${check.id} (${revision})${level}${reason ? paint.dim(` ${visible(firstLine(reason))}`) : ''}`
}

const firstLine = (text: string) => text.split('\n')[0]!

/** Why checks were skipped, one line a reason. */
function skipped(report: Report, { paint, columns }: TextOptions): string[] {
  const reasons = new Map<string, number>()
  for (const { verdict, reason = '' } of report.results)
    if (verdict === 'skip') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (reasons.size === 0) return []
  const lines = [...reasons].flatMap(([reason, n]) => wrap(`${n} skipped: ${visible(reason)}`, columns, '  '))
  return [...lines.map(paint.dim), '']
}

function knownFailures(report: Report, { policy, paint, columns }: TextOptions): string[] {
  const lines = report.results.flatMap(r => {
    const entry = known(r, report, policy)
    return entry
      ? wrap(
          `known: ${r.check.id} (${r.revision}): ${visible(entry.reason)}${entry.issue ? ` ${entry.issue}` : ''}`,
          columns,
          '  ',
        )
      : []
  })
  return lines.length ? [...lines.map(paint.dim), ''] : []
}

/** What could not be judged, then warnings, then what counts. */
function failures(report: Report, options: TextOptions): string[] {
  const { policy, evidence } = options
  const weight = (r: Result) => (counts(r, report, policy) ? 2 : r.verdict === 'fail' ? 1 : 0)
  const all = report.results
    .filter(
      r =>
        (r.verdict === 'fail' && !known(r, report, policy) && opposites(r, report).length === 0) ||
        (r.verdict === 'error' && !isGrouped(r, report)) ||
        (evidence === 'all' && r.verdict === 'pass' && r.evidence),
    )
    .sort((a, b) => weight(a) - weight(b))
  const { shown, more } = evidence === 'all' ? { shown: all, more: new Map<Result, number>() } : withoutFlood(all)
  const first = evidence === 'all' ? 0 : shown.length - DETAILED
  const left =
    first > 0 && evidence === 'failures'
      ? wrap(
          `What both sides saw is shown for the last ${DETAILED} of these ${shown.length}; --only shows it for others.`,
          options.columns,
          '  ',
        )
      : []
  return [
    ...left,
    ...[...more].flatMap(([like, n]) =>
      wrap(
        `… and ${n} more that failed like ${like.check.id}; --only ID or --reporter json shows them.`,
        options.columns,
        '  ',
      ),
    ),
    ...(more.size ? [''] : []),
    ...shown.flatMap((r, i) => failure(r, report, options, evidence !== 'none' && i >= first)),
  ]
}

/** What comes of the run, and the totals: the last lines. */
export function closing(report: Report, { policy, paint, columns, partial }: TextOptions): string[] {
  const code = exitCode(report, policy)
  const sentences = verdict(report, policy, partial)
  const colour = code === 0 ? paint.green : code === 1 ? paint.red : paint.yellow
  const cause = diagnosis(report)
  return [
    ...(cause ? [...wrap(cause, columns).map(paint.bold), ''] : []),
    ...sentences.slice(0, -1).flatMap(s => wrap(s, columns)),
    colour(paint.bold(sentences.at(-1)!)),
    totals(report),
  ]
}
