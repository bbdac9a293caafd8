import type { Report, Result, Verdict } from './types.ts'

/** One known failure. */
export interface BaselineEntry {
  /** The check that may fail. */
  readonly id: string
  /** Why it may: a person will read this next year. */
  readonly reason: string
  readonly issue?: string
  /** Last day (YYYY-MM-DD, UTC) on which the entry counts. */
  readonly until?: string
  /** It fails now and then: a pass does not make the entry stale. */
  readonly flaky?: boolean
}

export type Baseline = readonly BaselineEntry[]

/** What turns verdicts into an exit code. */
export interface Policy {
  /** Known failures. */
  readonly baseline?: Baseline
  /** A refuted SHOULD counts as well. */
  readonly strict?: boolean
  /** The day (YYYY-MM-DD, UTC) by which entries of the baseline expire; the day of the report where not given. */
  readonly today?: string
}

/** - 0 conforms · 1 does not, or an entry of the baseline is stale · 3 could not be judged · 130 was interrupted. */
export type Outcome = 0 | 1 | 3 | 130

export type Summary = Readonly<Record<Verdict, number>>

/** How many results there are of each verdict. */
export function summary(results: readonly Result[]): Summary {
  const counts = { pass: 0, fail: 0, skip: 0, error: 0 }
  for (const { verdict } of results) counts[verdict]++
  return counts
}

/** The exit code of a run. Pure: the same report and policy give the same code. */
export function exitCode(report: Report, policy: Policy = {}): Outcome {
  if (report.interrupted) return 130
  const { results } = report
  if (results.some(r => counts(r, report, policy)) || stale(report, policy).length > 0) return 1
  if (results.some(r => r.verdict === 'error')) return 3
  return results.some(r => r.verdict === 'pass' || r.verdict === 'fail') ? 0 : 3
}

/**
 * Whether a result makes the gateway not conform: a refuted MUST (with `strict`, a SHOULD) that neither an entry excuses
 * nor a rule of another pack that asks for the opposite.
 */
export function counts(result: Result, report: Report, policy: Policy = {}): boolean {
  if (result.verdict !== 'fail' || known(result, report, policy) || opposites(result, report).length > 0) return false
  return result.check.level === 'MUST' || (policy.strict === true && result.check.level === 'SHOULD')
}

/**
 * What passed in place of this failure: checks of another pack that ask for the opposite, judged on the same gateway in
 * the same revision. No gateway passes both, so where both packs were chosen the failure does not count.
 */
export function opposites(result: Result, { results }: Report): readonly Result[] {
  const { check, revision, verdict, on } = result
  if (verdict !== 'fail') return []
  return results.filter(
    other =>
      other.verdict === 'pass' &&
      other.revision === revision &&
      other.on === on &&
      other.check.pack !== check.pack &&
      check.contradicts?.includes(other.check.id),
  )
}

/** The entry of the baseline that excuses this failure. What could not be judged is never excused. */
export function known(result: Result, report: Report, policy: Policy = {}): BaselineEntry | undefined {
  if (result.verdict !== 'fail') return undefined
  const day = today(report, policy)
  return policy.baseline?.find(entry => entry.id === result.check.id && !isExpired(entry, day))
}

/** Entries whose check passed, on every revision on which it was judged: they must go. */
export function stale(report: Report, policy: Policy = {}): readonly BaselineEntry[] {
  if (report.interrupted) return []
  return (policy.baseline ?? []).filter(entry => {
    const verdicts = report.results.filter(r => r.check.id === entry.id).map(r => r.verdict)
    return !entry.flaky && verdicts.includes('pass') && !verdicts.includes('fail') && !verdicts.includes('error')
  })
}

/** Entries that no longer count, and whose check still fails. */
export function expired(report: Report, policy: Policy = {}): readonly BaselineEntry[] {
  const day = today(report, policy)
  return (policy.baseline ?? []).filter(
    entry => isExpired(entry, day) && report.results.some(r => r.check.id === entry.id && r.verdict === 'fail'),
  )
}

function today(report: Report, policy: Policy): string {
  return policy.today ?? report.startedAt.toISOString().slice(0, 10)
}

/** True where the entry no longer counts on this day (YYYY-MM-DD, UTC). */
const isExpired = (entry: BaselineEntry, today: string): boolean => entry.until !== undefined && entry.until < today
