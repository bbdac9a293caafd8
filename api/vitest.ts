/** A gateway's conformance as tests of vitest: one for each check. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Baseline } from '../kit/report.ts'
import { inForce } from '../kit/run.ts'
import type { MocksOptions } from './mocks.ts'
import { type Chosen, choose, type OpenOptions, withOwn } from './open.ts'
import { tell } from './vitest/outcome.ts'
import { begin, type Job, type Running, type TargetOrStart } from './vitest/running.ts'

export type { TargetOrStart } from './vitest/running.ts'

/** Which checks become tests, and when one of them fails. */
export interface ConformanceOptions
  extends Omit<OpenOptions, 'mocks' | 'signal'>,
    Pick<Chosen, 'only' | 'skip' | 'packs' | 'revisions'> {
  /** What the group of tests is called; `conformance` where not given. */
  readonly name?: string
  /** A SHOULD that does not hold fails its test; else it is an annotation of it. */
  readonly strict?: boolean
  /** Known failures: annotations of their tests, which fail once the check passes. */
  readonly baseline?: Baseline
  /** Where the mock servers wait, for a target that is a function; any free ports where not given. */
  readonly mocks?: MocksOptions
  /** How long all checks together may take, in ms; ten minutes where not given. */
  readonly wholeTimeout?: number
}

/**
 * Declares a test for each check, named by its id, and its revision where revisions are named. The mock servers are started
 * before the first test and stopped after the last; the checks run side by side, as in a run of the command line.
 * Throws WrongUsage for options that match no check.
 */
export function conformance(target: TargetOrStart | undefined, options: ConformanceOptions = {}): void {
  const { name = 'conformance', wholeTimeout = 600_000 } = options
  const jobs = jobsOf(options, target === undefined)
  describe(name, () => {
    let running: Running | undefined
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern, to know which fixtures are meant.
    beforeAll(async ({}: object, { tasks }) => {
      // Those that a filter left over (`-t`, `test.only`): the others need not be judged.
      const wanted = new Set(tasks.filter(t => t.mode === 'run' || t.mode === 'queued').map(t => t.name))
      const chosen = jobs.filter(job => wanted.has(job.name))
      running = await begin(target, options, chosen)
    }, wholeTimeout)
    afterAll(() => running?.close(), wholeTimeout)
    for (const job of jobs)
      test(job.name, { timeout: wholeTimeout }, async context => {
        const retried = (context.task.result?.retryCount ?? 0) > 0
        await tell(job, await running!.resultOf(job, retried), running!, options, context)
      })
  })
}

/** The tests to declare. They are known before anything is started, so that a filter can leave some out. */
function jobsOf(options: ConformanceOptions, embedded: boolean): Job[] {
  const { revisions, suites } = options
  const { all, own } = withOwn(suites)
  return choose(all, own, options, embedded).flatMap((check): Job[] => {
    if (!revisions?.length) return [{ name: check.id, check }]
    const holds = revisions.filter(r => inForce(check, r))
    // In none of them it is skipped, with the reason.
    return (holds.length ? holds : revisions.slice(-1)).map(revision => ({
      name: `${check.id} (${revision})`,
      check,
      revision,
    }))
  })
}
