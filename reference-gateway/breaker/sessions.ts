/** Why a session is open. */
export type Reason = 'rate' | 'payload'

/** What is remembered of one session: as little as can be, for there may be a hundred thousand. */
export interface Tracked {
  readonly key: string
  readonly sessionId: string | undefined
  subject: string | undefined
  /** When its last requests came, oldest first: as many as the window may hold. */
  times: number[]
  /** Times of cancellations while it was open. */
  spared: number[] | undefined
  requests: number
  lastSeenAt: number
  reason: Reason | undefined
  openedAt: number
  /** Infinity where only a reset closes it. */
  closesAt: number
}

/** Takes in whom the table has no place for. */
export const OVERFLOW = 'overflow:'

/**
 * All sessions that are remembered, bounded: the one that has been closed and idle for longest goes first. Open ones
 * never go, whatever comes in. Where all places are taken by open ones, newcomers share one entry, and so one window.
 */
export class Sessions {
  /** In the order of their last request. */
  private readonly closed = new Map<string, Tracked>()
  /** In the order of their opening, so that within each the first one closes first. */
  private readonly open: Readonly<Record<Reason, Map<string, Tracked>>> = { rate: new Map(), payload: new Map() }
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get size(): number {
    return this.closed.size + this.open.rate.size + this.open.payload.size
  }

  find(key: string): Tracked | undefined {
    return this.closed.get(key) ?? this.open.rate.get(key) ?? this.open.payload.get(key)
  }

  /** The session of this key, as the one that was seen last; made where there is none. */
  touch(key: string, sessionId: string | undefined, now: number): Tracked {
    const known = this.find(key)
    if (!known && key !== OVERFLOW && this.isFull()) return this.touch(OVERFLOW, undefined, now)
    const session = known ?? fresh(key, sessionId)
    session.lastSeenAt = now
    if (session.reason === undefined) {
      this.closed.delete(key)
      this.closed.set(key, session)
    }
    return session
  }

  /** Opens it; one that is open already is open from now on, for this reason. */
  trip(session: Tracked, reason: Reason, now: number, closesAt: number): void {
    this.closed.delete(session.key)
    this.open.rate.delete(session.key)
    this.open.payload.delete(session.key)
    Object.assign(session, { reason, openedAt: now, closesAt, times: [], spared: undefined })
    this.open[reason].set(session.key, session)
  }

  /** Closes it, with nothing held against it. */
  restore(session: Tracked): void {
    this.open.rate.delete(session.key)
    this.open.payload.delete(session.key)
    Object.assign(session, { reason: undefined, times: [], spared: undefined })
    this.closed.set(session.key, session)
  }

  /** When the next open one closes by itself; Infinity where none does. */
  nextClosing(): number {
    const first = (map: Map<string, Tracked>) => map.values().next().value?.closesAt ?? Number.POSITIVE_INFINITY
    return Math.min(first(this.open.rate), first(this.open.payload))
  }

  /** Those that should be closed by now. */
  *due(now: number): Generator<Tracked> {
    for (const map of Object.values(this.open)) {
      for (const session of map.values()) {
        if (session.closesAt > now) break
        yield session
      }
    }
  }

  /** All of a state. */
  all(state?: 'OPEN' | 'CLOSED'): Tracked[] {
    const open = [...this.open.rate.values(), ...this.open.payload.values()]
    return state === 'OPEN' ? open : state === 'CLOSED' ? [...this.closed.values()] : [...open, ...this.closed.values()]
  }

  /** Makes room for one more; false where there is none to be made. */
  private isFull(): boolean {
    if (this.size < this.most) return false
    for (const key of this.closed.keys()) {
      if (key === OVERFLOW) continue
      this.closed.delete(key)
      return false
    }
    return true
  }
}

const fresh = (key: string, sessionId: string | undefined): Tracked => ({
  key,
  sessionId,
  subject: undefined,
  times: [],
  spared: undefined,
  requests: 0,
  lastSeenAt: 0,
  reason: undefined,
  openedAt: 0,
  closesAt: 0,
})
