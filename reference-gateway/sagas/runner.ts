import { setTimeout as after } from 'node:timers/promises'
import type { SagasConfig } from '../guards.ts'
import type { Caller } from './caller.ts'
import type { Rules } from './rules.ts'
import { type Event, keyOf, type Saga, type State, type Way } from './saga.ts'

/** What a workflow is run with. */
export interface RunnerOptions {
  readonly rules: Rules
  readonly caller: Caller
  /** Writes down what has happened, and lets it have happened. */
  note(event: Event): void
  readonly limits: Required<Omit<SagasConfig, 'file'>>
  /** Fires when the gateway closes: nothing more is begun or written. */
  readonly over: AbortSignal
}

/** Takes one workflow on from where it is, until it is at an end. Rejects where the journal can't be written or the gateway closes. */
export class Runner {
  private readonly saga: Saga
  private readonly options: RunnerOptions

  constructor(saga: Saga, options: RunnerOptions) {
    this.saga = saga
    this.options = options
  }

  async go(): Promise<void> {
    const { saga } = this
    if (saga.state === 'RUNNING') await this.run()
    if (saga.state === 'COMPENSATING') await this.compensate()
  }

  private async run(): Promise<void> {
    const { rules } = this.options
    let failed = false
    for (const step of rules.order(this.saga)) {
      const { run } = this.saga.progress[step]!
      if (run.state === 'pending' || run.state === 'begun') await this.attempt(step, 'run')
      failed ||= run.state === 'failed'
      if (failed && !rules.goesOn) break
    }
    this.move(rules.ends(failed))
  }

  private async compensate(): Promise<void> {
    const { rules, over, limits } = this.options
    const { plan, progress } = this.saga
    const attempts = rules.attempts(limits.attempts)
    const failed = progress.findIndex(({ run }) => run.state === 'failed')
    for (const step of rules.undone(this.saga, failed)) {
      const { undo } = progress[step]!
      if (!plan.steps[step]?.undo || !rules.stands(undo)) continue
      for (let tried = 0; tried < attempts; tried++) {
        if (tried > 0) await after(limits.retryMs * 2 ** (tried - 1), undefined, { signal: over })
        await this.attempt(step, 'undo')
        if (undo.state !== 'failed') break
      }
      // What is undone in reverse order can't go on past a step that still stands.
      if (undo.state === 'failed') return this.move('COMPENSATION_FAILED')
    }
    this.move('COMPENSATED')
  }

  /** One call: written down before it is made, and again when its answer is known. */
  private async attempt(step: number, way: Way): Promise<void> {
    const { caller, rules, limits, over } = this.options
    const { plan, traceId } = this.saga
    const action = plan.steps[step]![way]!
    this.note({ did: 'begin', step, way })
    let failed: string | undefined
    let lost = false
    try {
      const answer = await caller.call(rules.sent(action), traceId, keyOf(this.saga, step, way), limits.callMs)
      failed = rules.failure(answer)
    } catch (cause) {
      failed = (cause as Error).message
      lost = true
    }
    over.throwIfAborted()
    this.note({ did: 'answer', step, way, ...(failed !== undefined && { failed }), ...(lost && { lost }) })
  }

  private move(state: State): void {
    this.note({ did: 'state', state, at: new Date().toISOString() })
  }

  private note(event: Event): void {
    this.options.over.throwIfAborted()
    this.options.note(event)
  }
}
