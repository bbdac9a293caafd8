import { createHash, randomBytes } from 'node:crypto'
import { keyOf } from '../breaker/key.ts'
import { type Clock, machineClock } from '../breaker/rules.ts'
import type { ApprovalsConfig } from '../guards.ts'
import type { Passage } from '../passage.ts'
import { canonical } from './canonical.ts'
import { isRisky } from './patterns.ts'
import type { State, TicketLimits } from './tickets.ts'

/** The single decisions about approvals, each by itself. */
export interface Rules {
  readonly clock: Clock
  readonly isRisky: typeof isRisky
  /** The id of a ticket: nobody can guess it. */
  newId(): string
  /** What of a call's params, raw, must be the same for a call to be the same. Throws TooDeep. */
  sameness(params: string): string
  /** Whose call it is, for it to be the same. */
  whose(passage: Passage): readonly string[]
  /** Where a ticket stands once its call has been let through. */
  readonly spent: State
  /** The state in which a ticket lets its call through. */
  opens(state: State): boolean
}

/** What is right. */
export const rules: Rules = {
  clock: machineClock,
  isRisky,
  newId: () => `ticket-hitl-${randomBytes(16).toString('hex')}`,
  sameness: params => canonical(params, '_meta'),
  whose: passage => [keyOf(passage), passage.identity?.subject ?? ''],
  spent: 'USED',
  opens: state => state === 'APPROVED',
}

/** Fills the defaults in. */
export const limitsOf = ({ expiresMs = 600_000 }: ApprovalsConfig): TicketLimits => ({
  expiresMs,
  most: 1000,
  mostOfOne: 20,
})

/** A short text for parts that hold no secret together: equal where all are equal. */
export const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
