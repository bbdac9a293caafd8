import type { Policy } from '../../kit/report.ts'
import { counts, opposites } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'

/** One line a suite: how many checks of it passed, failed, warn, are contradicted, were skipped, were not judged. */
export function table(report: Report, policy: Policy, paint: Paint): string[] {
  const suites = [...new Set(report.results.map(suiteOf))]
  const instead = (r: Result) => opposites(r, report).length > 0
  const width = Math.max(5, ...suites.map(s => s.length))
  const columns: readonly (readonly [head: string, colour: (text: string) => string, of: (r: Result) => boolean])[] = [
    ['passed', paint.green, r => r.verdict === 'pass'],
    ['failed', paint.red, r => counts(r, report, policy)],
    ['warnings', paint.yellow, r => r.verdict === 'fail' && !counts(r, report, policy) && !instead(r)],
    // Most runs have none.
    ...(report.results.some(instead) ? [['contradicted', paint.dim, instead] as const] : []),
    ['skipped', paint.dim, r => r.verdict === 'skip'],
    ['not judged', paint.yellow, r => r.verdict === 'error'],
  ]
  const rows = suites.map(suite => {
    const results = report.results.filter(r => suiteOf(r) === suite)
    const painted = columns.map(([head, colour, of]) => {
      const n = results.filter(of).length
      const text = (n === 0 ? '·' : String(n)).padStart(head.length)
      return n === 0 ? paint.dim(text) : colour(text)
    })
    return `  ${suite.padEnd(width)}   ${painted.join('   ')}`
  })
  return [paint.dim(`  ${'suite'.padEnd(width)}   ${columns.map(([head]) => head).join('   ')}`), ...rows]
}

const suiteOf = ({ check }: Result) => check.id.split('/')[0]!
