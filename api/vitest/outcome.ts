import type { TestContext } from 'vitest'
import { failure } from '../../cli/reporters/failure.ts'
import { counts, known, type Policy, stale } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'
import { textOptions } from '../inner/text.ts'
import type { ConformanceOptions } from '../vitest.ts'
import type { Job, Running } from './running.ts'

/** Makes of a result what becomes of its test: skipped, failed, or passed, with a warning where something is to be said. */
export async function tell(
  job: Job,
  result: Result,
  running: Running,
  { strict = false, baseline = [] }: ConformanceOptions,
  context: TestContext,
): Promise<void> {
  const { check, verdict, reason } = result
  if (verdict === 'skip') context.skip(reason)
  const policy: Policy = { strict, baseline: baseline.filter(entry => entry.id === check.id) }
  // Those that can excuse it: the same check in other revisions, and checks that ask for the opposite.
  const results = await running.resultsOf([check.id, ...(check.contradicts ?? [])])
  const others = results.filter(r => r.check !== check || r.revision !== result.revision)
  const report: Report = { target: running.target, startedAt: new Date(), results: [result, ...others] }
  if (verdict === 'pass') {
    const [entry] = stale(report, policy)
    if (entry) throw new NonConformance(`${check.id} passes by now: take it out of the baseline (${entry.reason}).`)
    return
  }
  const text = (detailed: boolean) => inWords(job, result, report, policy, detailed)
  if (verdict === 'error' || counts(result, report, policy)) throw new NonConformance(text(true))
  const entry = known(result, report, policy)
  await context.annotate(entry ? `known: ${entry.reason}\n${text(false)}` : text(false), 'warning')
}

/** What did not hold. Its text says all; where in the kit it was thrown is of no use to anyone. */
class NonConformance extends Error {
  override name = 'NonConformance'
  constructor(text: string) {
    super(text)
    this.stack = `${this.name}: ${text}`
  }
}

function inWords(job: Job, result: Result, report: Report, policy: Policy, detailed: boolean): string {
  const options = textOptions(report.target, policy)
  const line = () => `npx vitest run -t '${job.name.replace(/[()]/g, '\\$&')}$'`
  return failure(result, report, { ...options, again: { ...options.again, line } }, detailed)
    .join('\n')
    .trim()
}
