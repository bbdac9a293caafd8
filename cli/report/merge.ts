import { WrongUsage } from '../../kit/errors.ts'
import type { Result } from '../../kit/types.ts'
import type { ReadReport } from '../document/read.ts'

/** What makes two results the same check of the same gateway. */
const keyOf = ({ check, revision, on }: Result): string => `${check.id} ${revision} ${on ?? ''}`

/**
 * Several reports of one gateway as one: its shards, or a run and the repetition of what failed in it. Where a check is in several,
 * the later file counts. Throws WrongUsage for reports of different gateways.
 */
export function merge(
  reports: readonly (ReadReport & { readonly path: string })[],
): ReadReport & { readonly twice: number } {
  const [first] = reports
  if (!first) throw new WrongUsage('There is no report to read: mcp-conformance report FILE…')
  const other = reports.find(({ report }) => report.target.url !== first.report.target.url)
  if (other)
    throw new WrongUsage(
      `${first.path} is about ${first.report.target.url}, and ${other.path} about ${other.report.target.url}: only reports of one gateway can be put together. mcp-conformance report compare sets them side by side.`,
    )
  const all = new Map<string, Result>()
  let twice = 0
  for (const { report } of reports) {
    for (const result of report.results) {
      if (all.has(keyOf(result))) twice++
      all.set(keyOf(result), result)
    }
  }
  const times = reports.map(({ report }) => report.startedAt.getTime())
  return {
    ...first,
    strict: reports.some(r => r.strict),
    // Shards are parts each; only who asked for a part of the whole by hand has one in the end, and that can't be seen here.
    partial: reports.length === 1 && first.partial,
    baseline: [...new Map(reports.flatMap(r => r.baseline).map(entry => [entry.id, entry])).values()],
    report: {
      target: first.report.target,
      startedAt: new Date(Math.min(...times)),
      results: [...all.values()],
      ...(reports.some(({ report }) => report.interrupted) && { interrupted: true }),
    },
    twice,
  }
}
