import { get, getString } from '../json.ts'
import type { Answered } from './caller.ts'
import type { Action } from './plan.ts'
import type { Progress, Saga, State } from './saga.ts'

/** Every decision about workflows. A harm replaces single ones. */
export interface Rules {
  /** Why a step counts as failed; undefined where it was done. */
  failure(answer: Answered): string | undefined
  /** The steps that run, in order. */
  order(saga: Saga): readonly number[]
  /** True where the steps behind a failed one run all the same. */
  readonly goesOn: boolean
  /** What comes behind the steps. */
  ends(failed: boolean): State
  /** The steps to compensate, in order. `failed` is the one that failed. */
  undone(saga: Saga, failed: number): readonly number[]
  /** False where it is undone already. */
  stands(undo: Progress): boolean
  /** What is sent to the server. */
  sent(action: Action): Action
  /** How often a compensation is tried; `configured` where that is said. */
  attempts(configured: number): number
  /** True where calls of the trace are refused while the workflow is in this state. */
  refuses(state: State): boolean
  /** By what a trace is known. */
  trace(traceId: string): string
}

/** The right decisions. */
export const rules: Rules = {
  failure({ result, error }) {
    if (error !== undefined) return `The server refused: ${getString(error, 'message') ?? 'it gave no reason.'}`
    if (get(result!, 'isError') !== 'true') return undefined
    return `The tool failed: ${getString(result!, 'content.0.text') ?? 'it gave no reason.'}`
  },
  order: saga => saga.plan.steps.map((_, index) => index),
  goesOn: false,
  ends: failed => (failed ? 'COMPENSATING' : 'COMPLETED'),
  undone: ({ progress, plan }, failed) =>
    plan.steps
      .map((_, index) => index)
      .filter(index => index !== failed && progress[index]!.run.state === 'done')
      .reverse(),
  stands: ({ state }) => state !== 'done',
  sent: action => action,
  attempts: configured => configured,
  // What is half undone is as bad to work with as what is being undone.
  refuses: state => state === 'COMPENSATING' || state === 'COMPENSATION_FAILED',
  trace: traceId => traceId,
}
