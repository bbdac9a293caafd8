import type { Policy } from '../../kit/report.ts'
import { counts } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'

/** One line a suite: how many checks of it passed, failed, warn, were skipped, were not judged. */
export function table(report: Report, policy: Policy, paint: Paint): string[] {
  const suites = [...new Set(report.results.map(suiteOf))]
  const width = Math.max(5, ...suites.map(s => s.length))
  const heads = ['passed', 'failed', 'warnings', 'skipped', 'not judged']
  const rows = suites.map(suite => {
    const cells = count(
      report.results.filter(r => suiteOf(r) === suite),
      report,
      policy,
    )
    const colours = [paint.green, paint.red, paint.yellow, paint.dim, paint.yellow]
    const painted = cells.map((n, i) => {
      const text = (n === 0 ? '·' : String(n)).padStart(heads[i]!.length)
      return n === 0 ? paint.dim(text) : colours[i]!(text)
    })
    return `  ${suite.padEnd(width)}   ${painted.join('   ')}`
  })
  return [paint.dim(`  ${'suite'.padEnd(width)}   ${heads.join('   ')}`), ...rows]
}

function count(results: readonly Result[], report: Report, policy: Policy): number[] {
  const failed = results.filter(r => r.verdict === 'fail')
  const hard = failed.filter(r => counts(r, report, policy))
  const of = (verdict: string) => results.filter(r => r.verdict === verdict).length
  return [of('pass'), hard.length, failed.length - hard.length, of('skip'), of('error')]
}

const suiteOf = ({ check }: Result) => check.id.split('/')[0]!
