import { hasBody } from '../fields.ts'
import type { BreakerConfig } from '../guards.ts'
import type { Passage } from '../passage.ts'
import type { Head, Refusal } from '../types.ts'
import { isCancellation } from './cancellation.ts'
import { keyOf } from './key.ts'
import { type Meter, meterOf } from './meter.ts'
import { asksForResource } from './reads.ts'
import { refusalOf } from './refusal.ts'
import type { Tracked } from './sessions.ts'

/** The configuration with all defaults filled in. */
export interface Limits {
  /** Absent where nothing is limited. */
  readonly rate?: { readonly requests: number; readonly windowMs: number; readonly openMs: number }
  /** `openMs` is absent where only a reset closes the session. */
  readonly payload?: { readonly bytes: number; readonly openMs?: number }
  readonly sessions: number
}

/** Fills the defaults in. */
export function limitsOf({ rate, payload, sessions = 100_000 }: BreakerConfig): Limits {
  return {
    ...(rate && { rate: { requests: 10, windowMs: 1000, openMs: 5000, ...rate } }),
    ...(payload && { payload: { bytes: 51_200, ...payload } }),
    sessions,
  }
}

/** What passes the breaker by: time, and how to wake up in so many ms. */
export interface Clock {
  /** Ms since the epoch with fractions; it never goes back. */
  now(): number
  /** Calls back once; gives what takes it back. Holds no process up. */
  after(ms: number, then: () => void): () => void
}

/** The single decisions of the breaker, each by itself. */
export interface Rules {
  readonly clock: Clock
  /** By what requests belong together. */
  keyOf(passage: Passage): string
  /** Whether a request counts, and can be refused. */
  counts(passage: Passage): boolean
  /** Whether an open session may send this all the same. */
  spares(passage: Passage): boolean | Promise<boolean>
  /** Whether one more request at `now` is too many; `times` are those of the last ones, oldest first. May forget old ones. */
  tooMany(times: number[], now: number, requests: number, windowMs: number): boolean
  /** How a request of an open session is refused. */
  refusalOf(session: Tracked, now: number): Refusal
  /** Whether this request's answer is measured, by its body. */
  isRead(request: string): boolean
  /** Measures an answer; undefined where it is not to be measured. `crossed` is called once, beyond `bytes`. */
  meterOf(head: Head, bytes: number, crossed: () => void): Meter | undefined
}

/** A window that slides: the times of the last requests, no more than may be sent. */
export function slides(times: number[], now: number, requests: number, windowMs: number): boolean {
  while (times.length > 0 && times[0]! <= now - windowMs) times.shift()
  return times.length >= requests
}

/** The clock of this machine. */
export const machineClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}

/** What is right. */
export const rules: Rules = {
  clock: machineClock,
  keyOf,
  // GET waits for what servers say by themselves, and DELETE is a goodbye: neither works a server, and a client that is
  // refused still has to hear and to leave. With a body they are something else.
  counts: passage => !/^(?:GET|DELETE)$/.test(passage.method) || hasBody(passage.fields),
  spares: isCancellation,
  tooMany: slides,
  refusalOf,
  isRead: asksForResource,
  meterOf,
}
