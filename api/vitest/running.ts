import { CannotJudge } from '../../kit/errors.ts'
import { PACKS } from '../../kit/select.ts'
import type { Check, Result, Revision, Target } from '../../kit/types.ts'
import { type Mocks, startMocks } from '../mocks.ts'
import { open } from '../open.ts'
import type { TargetGiven } from '../target.ts'
import type { ConformanceOptions } from '../vitest.ts'

/** The gateway, or a function that starts it in front of the mock servers and says where it is. */
export type TargetOrStart = TargetGiven | ((mocks: Mocks) => TargetGiven | Promise<TargetGiven>)

/** One test: a check, in one revision, or in the newest that it holds for. */
export interface Job {
  readonly name: string
  readonly check: Check
  readonly revision?: Revision
}

/** A run that goes on while the tests wait for their results. */
export interface Running {
  readonly target: Target
  /** The result of a job; where it was judged already and is to be retried, of another turn. */
  resultOf(job: Job, again: boolean): Promise<Result>
  /** All results, of those checks that are judged in this run. */
  resultsOf(ids: readonly string[]): Promise<readonly Result[]>
  close(): Promise<void>
}

/** Starts the mock servers, looks at the gateway, and begins to judge. Throws CannotJudge where there is nothing to judge. */
export async function begin(
  target: TargetOrStart | undefined,
  options: ConformanceOptions,
  jobs: readonly Job[],
): Promise<Running> {
  const { timeout, suites, mutant, revisions } = options
  const over = new AbortController()
  const mocks = typeof target === 'function' ? await startMocks(options.mocks) : undefined
  const common = { ...(timeout && { timeout }), ...(suites && { suites }), ...(mutant && { mutant }) }
  try {
    const given = typeof target === 'function' ? await target(mocks!) : target
    const gateway = await open(given, { ...common, ...(mocks && { mocks }), signal: over.signal })
    const waiting = new Map(jobs.map(job => [job, promised()]))
    const result = (r: Result) =>
      [...waiting]
        .filter(([{ check, revision = r.revision }]) => check.id === r.check.id && revision === r.revision)
        .forEach(([, { resolve }]) => {
          resolve(r)
        })
    const whole = gateway
      .run({
        only: jobs.map(job => job.check.id),
        packs: PACKS,
        reporters: [{ result }],
        ...(revisions?.length && { revisions }),
      })
      .catch((cause: unknown) => cause)
      .then(outcome => {
        const reason = outcome instanceof Error ? outcome : new CannotJudge('The run ended before it was judged.')
        for (const { reject } of waiting.values()) reject(reason)
      })
    // A job that no test waits for any more must not end the process.
    for (const { promise } of waiting.values()) promise.catch(() => {})
    return {
      target: gateway.target,
      resultOf: (job, again) =>
        again ? gateway.judge(job.check.id, job.revision) : (waiting.get(job)?.promise ?? notChosen(job)),
      resultsOf: ids =>
        Promise.all([...waiting].flatMap(([job, { promise }]) => (ids.includes(job.check.id) ? [promise] : []))),
      async close() {
        over.abort()
        await whole
        await gateway.close()
        await mocks?.close()
      },
    }
  } catch (cause) {
    await mocks?.close()
    throw cause
  }
}

/** A result to come. */
function promised() {
  let resolve!: (result: Result) => void
  let reject!: (cause: Error) => void
  const promise = new Promise<Result>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

function notChosen({ name }: Job): never {
  throw new CannotJudge(`${name} was left out when the run began.`)
}
