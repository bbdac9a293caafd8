import { randomUUID } from 'node:crypto'
import type { SagasConfig } from '../guards.ts'
import type { Gateway } from '../types.ts'
import { Caller } from './caller.ts'
import { type Journal, noJournal, openJournal } from './journal.ts'
import { readPlan } from './plan.ts'
import type { Rules } from './rules.ts'
import { Runner } from './runner.ts'
import { apply, type Event, newSaga, type Saga } from './saga.ts'

/** Workflows that are over are forgotten, the oldest first, where there are more than so many. */
const MOST_KEPT = 1000
/** So many may be under way. */
const MOST_RUNNING = 100

/** There are too many workflows under way. */
export class TooMany extends Error {}

/** The workflows of one gateway. */
export class Sagas {
  private readonly gateway: Gateway
  private readonly rules: Rules
  private readonly limits: Required<Omit<SagasConfig, 'file'>>
  private readonly known = new Map<string, Saga>()
  private readonly authorizations = new Map<string, string>()
  private readonly refusing = new Map<string, Saga>()
  private readonly over = new AbortController()
  private readonly underway = new Set<Promise<void>>()
  private readonly journal: Journal

  /** Takes up what the journal says is unfinished. Throws one sentence where the journal can't be used. */
  constructor(gateway: Gateway, config: SagasConfig, rules: Rules) {
    this.gateway = gateway
    this.rules = rules
    const { file, callMs = 30_000, attempts = 3, retryMs = 100 } = config
    this.limits = { callMs, attempts, retryMs }
    const { journal, sagas } = file === undefined ? { journal: noJournal, sagas: [] } : openJournal(file)
    this.journal = journal
    for (const saga of sagas) {
      this.known.set(saga.id, saga)
      this.look(saga)
      if (!isOver(saga)) this.run(saga)
    }
    this.forget()
  }

  /** All that are known, the newest first. */
  get all(): readonly Saga[] {
    return [...this.known.values()].reverse()
  }

  find(id: string): Saga | undefined {
    return this.known.get(id)
  }

  /**
   * Begins the workflow of this JSON. `authorization` is shown to servers in this process only, and written nowhere. Throws
   * BadPlan, TooMany, or what keeps the journal from being written.
   */
  start(json: string, authorization: string | undefined): Saga {
    const plan = readPlan(json)
    if (this.all.filter(saga => !isOver(saga)).length >= MOST_RUNNING) {
      throw new TooMany(`${MOST_RUNNING} workflows are under way already.`)
    }
    const id = randomUUID()
    const saga = newSaga(id, plan, plan.traceId ?? `trace-${id}`, new Date().toISOString())
    this.journal.begin(saga, json)
    this.known.set(id, saga)
    if (authorization !== undefined) this.authorizations.set(id, authorization)
    this.forget()
    this.run(saga)
    return saga
  }

  /** Goes on with a compensation that has failed. */
  retry(saga: Saga): void {
    this.note(saga, { did: 'state', state: 'COMPENSATING', at: new Date().toISOString() })
    this.run(saga)
  }

  /** True where there may be calls to refuse. */
  get refuses(): boolean {
    return this.refusing.size > 0
  }

  /** The workflow because of which calls of this trace are refused. */
  refusedBy(traceId: string): Saga | undefined {
    return this.refusing.get(this.rules.trace(traceId))
  }

  /** Begins nothing more, and waits for what is being written. Unfinished workflows go on at the next start. */
  async stop(): Promise<void> {
    this.over.abort()
    await Promise.all(this.underway)
    this.journal.close()
  }

  private run(saga: Saga): void {
    const { gateway, rules, limits } = this
    const over = this.over.signal
    const caller = new Caller(gateway, saga.id, this.authorizations.get(saga.id), over)
    const run = new Runner(saga, { rules, caller, limits, over, note: event => this.note(saga, event) })
      .go()
      .catch(cause => {
        if (!over.aborted) gateway.settings.warn(`The workflow ${saga.id} stands still: ${(cause as Error).message}`)
      })
      .finally(() => {
        if (!over.aborted) caller.bye()
        if (saga.state === 'COMPLETED' || saga.state === 'COMPENSATED') this.authorizations.delete(saga.id)
        this.underway.delete(run)
      })
    this.underway.add(run)
  }

  private note(saga: Saga, event: Event): void {
    this.journal.add(saga, event)
    apply(saga, event)
    this.look(saga)
  }

  /** Sees whether calls of its trace are refused now. */
  private look(saga: Saga): void {
    const trace = this.rules.trace(saga.traceId)
    if (this.rules.refuses(saga.state)) this.refusing.set(trace, saga)
    else if (this.refusing.get(trace) === saga) this.refusing.delete(trace)
  }

  private forget(): void {
    for (const saga of this.known.values()) {
      if (this.known.size <= MOST_KEPT) return
      if (saga.state === 'COMPLETED' || saga.state === 'COMPENSATED') this.known.delete(saga.id)
    }
  }
}

const isOver = ({ state }: Saga): boolean => state !== 'RUNNING' && state !== 'COMPENSATING'
