import type { Clock } from '../breaker/rules.ts'

/** Where a ticket stands. The last three are for good. */
export type State = 'WAITING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'EXPIRED' | 'USED'

/** What a ticket is for. */
export interface Asked {
  /** One text for calls that are the same: tool, arguments, session, subject. */
  readonly binding: string
  /** Whose tickets are counted together. */
  readonly owner: string
  readonly tool: string
  readonly backend: string | undefined
  /** Raw JSON; undefined where there are none, or too many to be kept. */
  readonly arguments: string | undefined
  readonly sessionId: string | undefined
  readonly subject: string | undefined
}

/** A call that waits, or waited, for an administrator. */
export interface Ticket extends Asked {
  readonly id: string
  readonly createdAt: number
  readonly expiresAt: number
  state: State
}

/** How much there can be. */
export interface TicketLimits {
  readonly expiresMs: number
  /** All tickets that are remembered. */
  readonly most: number
  /** Those of one owner that are not over. */
  readonly mostOfOne: number
}

/** Told of each ticket that is new or has changed. */
export type Watcher = (ticket: Ticket) => void

/** The tickets of one gateway. Bounded: those that are over make room; where none is, nothing new is taken in. */
export class Tickets {
  private readonly limits: TicketLimits
  private readonly clock: Clock
  private readonly newId: () => string
  /** In the order in which they were made, and so in that in which they expire. */
  private readonly all = new Map<string, Ticket>()
  /** Those that are not over, by what they are for, in the same order. */
  private readonly live = new Map<string, Ticket>()
  private readonly watchers = new Set<Watcher>()
  private stopTimer: (() => void) | undefined

  constructor(limits: TicketLimits, clock: Clock, newId: () => string) {
    this.limits = limits
    this.clock = clock
    this.newId = newId
  }

  /** The ticket for this; made where there is none. Undefined where there is no room for one more. */
  for(asked: Asked): Ticket | undefined {
    this.expire()
    const known = this.live.get(asked.binding)
    if (known || !this.hasRoom(asked.owner)) return known
    const createdAt = this.clock.now()
    const made: Ticket = {
      ...asked,
      id: this.newId(),
      createdAt,
      expiresAt: createdAt + this.limits.expiresMs,
      state: 'WAITING_APPROVAL',
    }
    this.all.set(made.id, made)
    this.live.set(made.binding, made)
    this.tell(made)
    this.wake()
    return made
  }

  /** The ticket as it is now. */
  find(id: string): Ticket | undefined {
    this.expire()
    return this.all.get(id)
  }

  /** All of a state, the newest first. */
  list(state?: State): Ticket[] {
    this.expire()
    return [...this.all.values()].filter(one => state === undefined || one.state === state).reverse()
  }

  /** Changes where it stands. */
  move(ticket: Ticket, state: State): void {
    ticket.state = state
    if (state === 'USED' || state === 'EXPIRED') this.live.delete(ticket.binding)
    this.tell(ticket)
  }

  /** Calls back at each change; gives what ends that. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher)
    return () => void this.watchers.delete(watcher)
  }

  stop(): void {
    this.stopTimer?.()
    this.watchers.clear()
  }

  private hasRoom(owner: string): boolean {
    let ofOwner = 0
    for (const one of this.live.values()) if (one.owner === owner) ofOwner++
    if (ofOwner >= this.limits.mostOfOne) return false
    if (this.all.size < this.limits.most) return true
    for (const one of this.all.values()) {
      if (one.state !== 'USED' && one.state !== 'EXPIRED') continue
      this.all.delete(one.id)
      return true
    }
    return false
  }

  private tell(ticket: Ticket): void {
    for (const watcher of this.watchers) watcher(ticket)
  }

  private expire(): void {
    const now = this.clock.now()
    for (const one of this.live.values()) {
      if (one.expiresAt > now) break
      this.move(one, 'EXPIRED')
    }
  }

  /** One timer for all: watchers must hear when a ticket expires. */
  private wake(): void {
    if (this.stopTimer) return
    const [first] = this.live.values()
    if (!first) return
    this.stopTimer = this.clock.after(Math.max(1, first.expiresAt - this.clock.now()), () => {
      this.stopTimer = undefined
      this.expire()
      this.wake()
    })
  }
}
