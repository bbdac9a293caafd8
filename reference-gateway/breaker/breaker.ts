import type { Passage } from '../passage.ts'
import { keyOfId, ownerOf } from './key.ts'
import { Newcomers } from './newcomers.ts'
import type { Limits, Rules } from './rules.ts'
import { type Reason, Sessions, type Tracked } from './sessions.ts'

/** Told of each session that has opened or closed. */
export type Watcher = (session: Tracked) => void

/** So many new ids within a window are nobody's attack, however low the limit is. */
const FEWEST_NEW = 10

/** The sessions of one gateway, and who of them may pass. */
export class Breaker {
  readonly limits: Limits
  readonly sessions: Sessions
  private readonly rules: Rules
  private readonly newcomers = new Newcomers()
  private readonly watchers = new Set<Watcher>()
  /** One timer for all: watchers must hear when a session closes by itself. */
  private stopTimer: (() => void) | undefined
  private wakesAt = Number.POSITIVE_INFINITY

  constructor(limits: Limits, rules: Rules) {
    this.limits = limits
    this.rules = rules
    this.sessions = new Sessions(limits.sessions)
  }

  now(): number {
    return this.rules.clock.now()
  }

  /** Counts a request. Gives the session where it is open and the request must not pass; at once where all is well. */
  stopped(passage: Passage): Tracked | undefined | Promise<Tracked | undefined> {
    if (!this.rules.counts(passage)) return undefined
    const now = this.now()
    const id = passage.header('mcp-session-id')
    const key = this.rules.keyOf(passage)
    const isNew = id !== undefined && this.sessions.find(key) === undefined
    const session = (isNew && this.refusedAsNew(passage, now)) || this.counted(key, id?.slice(0, 128), passage, now)
    return session && this.isSpared(session, passage, now).then(spared => (spared ? undefined : session))
  }

  /** A server has opened a session: what is sent in it counts for it alone. */
  issued(id: string): void {
    this.sessions.touch(keyOfId(id), id.slice(0, 128), this.now())
  }

  /** An answer to a read has grown too large: opens the session that asked. */
  async tooLarge(passage: Passage): Promise<void> {
    const { payload } = this.limits
    if (!payload) return
    const whole = passage.body.now()
    const request = whole ? whole.toString('utf8') : await passage.body.text().catch(() => '')
    if (!this.rules.isRead(request)) return
    const session = this.sessions.touch(this.rules.keyOf(passage), passage.header('mcp-session-id'), this.now())
    this.open(session, 'payload', payload.openMs)
  }

  /** Closes a session by hand. Undefined where there is none of this key. */
  reset(key: string): Tracked | undefined {
    const session = this.current(key)
    if (session?.reason !== undefined) this.close(session)
    else if (session) session.times = []
    return session
  }

  /** The session as it is now. */
  current(key: string): Tracked | undefined {
    this.closeDue()
    return this.sessions.find(key)
  }

  /** All sessions as they are now, those seen last first. */
  list(state?: 'OPEN' | 'CLOSED'): Tracked[] {
    this.closeDue()
    return this.sessions.all(state).sort((a, b) => b.lastSeenAt - a.lastSeenAt)
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

  /** Counts an id that nobody has seen before for the one who sends it. Gives the owner's session where those were too many. */
  private refusedAsNew(passage: Passage, now: number): Tracked | undefined {
    const { rate } = this.limits
    if (!rate) return undefined
    const owner = ownerOf(passage)
    const known = this.current(owner)
    if (known?.reason === 'rate') return known
    const times = this.newcomers.of(owner)
    const most = Math.max(rate.requests, FEWEST_NEW)
    if (!this.rules.tooMany(times, now, most, rate.windowMs)) {
      times.push(now)
      return undefined
    }
    const session = this.sessions.touch(owner, undefined, now)
    session.subject = passage.identity?.subject
    this.open(session, 'rate', rate.openMs)
    return session
  }

  /** Counts a request for this key. Gives its session where that is open. */
  private counted(key: string, id: string | undefined, passage: Passage, now: number): Tracked | undefined {
    const session = this.sessions.touch(key, id, now)
    session.requests++
    session.subject = passage.identity?.subject
    if (session.reason !== undefined && session.closesAt <= now) this.close(session)
    if (session.reason !== undefined) return session
    const { rate } = this.limits
    if (!rate) return undefined
    if (!this.rules.tooMany(session.times, now, rate.requests, rate.windowMs)) {
      session.times.push(now)
      return undefined
    }
    this.open(session, 'rate', rate.openMs)
    return session
  }

  private open(session: Tracked, reason: Reason, openMs = Number.POSITIVE_INFINITY): void {
    const now = this.now()
    this.sessions.trip(session, reason, now, now + openMs)
    this.tell(session)
    this.wake()
  }

  private close(session: Tracked): void {
    this.sessions.restore(session)
    this.tell(session)
  }

  /** An open session may still cancel what it began, but no more often than it may send anything else. */
  private async isSpared(session: Tracked, passage: Passage, now: number): Promise<boolean> {
    if (!(await this.rules.spares(passage))) return false
    const { requests, windowMs } = this.limits.rate ?? { requests: 10, windowMs: 1000 }
    session.spared ??= []
    if (this.rules.tooMany(session.spared, now, requests, windowMs)) return false
    session.spared.push(now)
    return true
  }

  private tell(session: Tracked): void {
    for (const watcher of this.watchers) watcher(session)
  }

  private wake(): void {
    const at = this.sessions.nextClosing()
    if (at >= this.wakesAt || at === Number.POSITIVE_INFINITY) return
    this.stopTimer?.()
    this.wakesAt = at
    this.stopTimer = this.rules.clock.after(Math.max(1, at - this.now()), () => {
      this.wakesAt = Number.POSITIVE_INFINITY
      this.closeDue()
      this.wake()
    })
  }

  private closeDue(): void {
    for (const session of [...this.sessions.due(this.now())]) this.close(session)
  }
}
