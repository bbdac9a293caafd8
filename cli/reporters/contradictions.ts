import { known, opposites, type Policy } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'
import { visible, wrap } from '../words.ts'

/** Failures that do not count, since a rule of another pack asks for the opposite and that holds: both verdicts side by side. */
export function contradictions(report: Report, policy: Policy, paint: Paint, columns: number): string[] {
  const pairs = report.results.flatMap(r => {
    const others = known(r, report, policy) ? [] : opposites(r, report)
    return others.length ? [{ failed: r, others }] : []
  })
  if (pairs.length === 0) return []
  const width = Math.max(...pairs.flatMap(({ failed, others }) => [failed, ...others]).map(r => r.check.id.length))
  const line = ({ check, verdict }: Result, mark: string) =>
    `  ${mark} ${verdict}  ${check.id.padEnd(width)}  ${check.pack}, ${check.level}`
  return [
    `  ${paint.bold('Where the two books contradict each other')}`,
    ...wrap(
      'No gateway can pass both; which one counts is for --pack to say. Chosen together, neither fails the run.',
      columns,
      '  ',
    ),
    '',
    ...pairs.flatMap(({ failed, others }) => [
      line(failed, paint.yellow('✗')),
      ...others.map(r => line(r, paint.green('✓'))),
      ...failed.findings
        .slice(0, 1)
        .flatMap(f => wrap(`seen: ${visible(f.seen)}`, columns, '    '))
        .map(paint.dim),
      '',
    ]),
  ]
}
