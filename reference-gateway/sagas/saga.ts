import type { Plan, Step } from './plan.ts'

/** What a workflow is at. `COMPENSATION_FAILED` waits for an administrator. */
export type State = 'RUNNING' | 'COMPENSATING' | 'COMPLETED' | 'COMPENSATED' | 'COMPENSATION_FAILED'

/** Which call of a step: the one that does it, or the one that undoes it. */
export type Way = 'run' | 'undo'

/** How far one call of a step has come. */
export interface Progress {
  /** Attempts that were begun. One whose answer is not known is made again, and counts once. */
  attempts: number
  state: 'pending' | 'begun' | 'done' | 'failed'
  /** Why it failed, as a sentence. */
  reason?: string
  /** True where no answer came: it may have run. */
  lost?: boolean
}

/** One workflow under way, or done. */
export interface Saga {
  readonly id: string
  readonly traceId: string
  readonly plan: Plan
  readonly startedAt: string
  readonly progress: readonly Readonly<Record<Way, Progress>>[]
  state: State
  /** When it came to its state. */
  changedAt: string
}

/** A workflow of which nothing is done yet. */
export function newSaga(id: string, plan: Plan, traceId: string, startedAt: string): Saga {
  const fresh = (): Progress => ({ attempts: 0, state: 'pending' })
  const progress = plan.steps.map(() => ({ run: fresh(), undo: fresh() }))
  return { id, traceId, plan, startedAt, progress, state: 'RUNNING', changedAt: startedAt }
}

/** One thing that happened to a workflow. The journal is a list of these; applied in order, they make it again. */
export type Event =
  | { readonly did: 'begin'; readonly step: number; readonly way: Way }
  | {
      readonly did: 'answer'
      readonly step: number
      readonly way: Way
      readonly failed?: string
      readonly lost?: boolean
    }
  | { readonly did: 'state'; readonly state: State; readonly at: string }

/** Lets an event have happened. */
export function apply(saga: Saga, event: Event): void {
  if (event.did === 'state') {
    saga.state = event.state
    saga.changedAt = event.at
    return
  }
  const progress = saga.progress[event.step]?.[event.way]
  if (!progress) return
  if (event.did === 'begin') {
    if (progress.state !== 'begun' && !progress.lost) progress.attempts++
    progress.state = 'begun'
    return
  }
  progress.state = event.failed === undefined ? 'done' : 'failed'
  progress.lost = event.lost ?? false
  if (event.failed !== undefined) progress.reason = event.failed
}

/** The key by which a server knows an attempt again that it has run already. */
export const keyOf = ({ id, progress }: Saga, step: number, way: Way): string =>
  `${id}/${step}/${way}/${progress[step]?.[way].attempts ?? 0}`

/** How the control plane shows a workflow. */
export function view({ id, traceId, plan, startedAt, changedAt, state, progress }: Saga) {
  return {
    id,
    name: plan.name ?? null,
    traceId,
    state,
    startedAt,
    changedAt,
    steps: plan.steps.map((step, index) => viewStep(step, progress[index]!)),
  }
}

const SAID = { pending: 'PENDING', begun: 'RUNNING', done: 'COMPLETED', failed: 'FAILED' } as const
const UNDONE = { pending: null, begun: 'COMPENSATING', done: 'COMPENSATED', failed: 'COMPENSATION_FAILED' } as const

function viewStep({ name, run: action, undo: back }: Step, { run, undo }: Readonly<Record<Way, Progress>>) {
  return {
    name,
    backend: action.backend,
    tool: action.tool,
    state: UNDONE[undo.state] ?? SAID[run.state],
    attempts: run.attempts,
    ...(back && { compensation: { backend: back.backend, tool: back.tool, attempts: undo.attempts } }),
    reason: (undo.state === 'failed' ? undo.reason : run.reason) ?? null,
  }
}
