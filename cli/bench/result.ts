import type { Change } from '../../bench/compare.ts'
import type { BenchReport } from '../../bench/types.ts'

/** - 0 within the budget, and not slower · 1 over it, or slower than what it was compared with · 3 could not be told. */
export function benchExitCode({ verdict }: BenchReport, changes: readonly Change[]): 0 | 1 | 3 {
  if (verdict.verdict === 'fail' || changes.some(c => c.verdict === 'slower')) return 1
  return verdict.verdict === 'inconclusive' ? 3 : 0
}
