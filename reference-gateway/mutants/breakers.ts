import type { Rules } from '../breaker/rules.ts'
import type { BreakerConfig } from '../guards.ts'
import { breakerOf, makeBreaker } from '../parts/breaker.ts'
import { addBefore, type Mutate, type Passage, replacePart } from './harm.ts'
import type { Mutant } from './mutant.ts'

/** The breaker with single decisions replaced. */
export const breakerWith = (changes: Partial<Rules>): Mutate => replacePart('breaker', () => makeBreaker(changes))

/** Other limits than those that were agreed on. */
export const limits =
  (change: (breaker: BreakerConfig) => BreakerConfig): NonNullable<Mutant['configure']> =>
  config => ({ ...config, breaker: change(config.breaker ?? {}) })

/** Refuses whoever is like one of the open sessions, but is none of them. */
export const alsoStops = (reason: 'rate' | 'payload', like: (mine: string, other: string) => boolean): Mutate =>
  addBefore('breaker', {
    name: 'harm',
    async receive(passage: Passage) {
      const subject = passage.identity?.subject ?? ''
      const key = passage.header('mcp-session-id')
      const guard = breakerOf(passage.gateway)
      const hit = guard?.list('OPEN').find(s => s.reason === reason && s.key !== key && like(subject, s.subject ?? ''))
      if (passage.method !== 'POST' || !guard || !hit) return
      passage.answer(reason === 'rate' ? 429 : 413, '{"error":"CircuitBreakerTripped"}')
      return true
    },
  })

/** Names that are kept in a column of 21 letters: those that differ only behind it are one. */
export const cutAlike = (mine: string, other: string): boolean =>
  mine !== other && mine.slice(0, 21) === other.slice(0, 21)
