import { refusalOf } from '../../breaker/refusal.ts'
import { rules } from '../../breaker/rules.ts'
import { breakerOf } from '../../parts/breaker.ts'
import { breakerWith, cutAlike, limits } from '../breakers.ts'
import {
  edit,
  editEndpoint,
  editReply,
  type Fields,
  type Mutate,
  opens,
  replaceEndpoint,
  replacePart,
} from '../harm.ts'
import type { Mutant } from '../mutant.ts'

const platform = 'seed' as const

const openMs = (change: (ms: number) => number) =>
  limits(b => ({ ...b, rate: { ...b.rate, openMs: change(b.rate?.openMs ?? 5000) } }))

const retryAfter = (change: (seconds: string) => Fields) =>
  breakerWith({
    refusalOf: (session, now) => ({
      ...refusalOf(session, now),
      fields: (refusalOf(session, now).fields ?? []).flatMap(([, seconds]) => change(seconds)),
    }),
  })

/** The time of a session that is open begins again with each request that is refused. */
const prolongs: Mutate = replacePart('breaker', old => ({
  async receive(passage) {
    const refused = await old.receive?.(passage)
    const guard = breakerOf(passage.gateway)
    const session = refused ? guard?.sessions.find(rules.keyOf(passage)) : undefined
    if (guard?.limits.rate && session?.reason === 'rate') {
      session.closesAt = guard.now() + guard.limits.rate.openMs
    }
    return refused
  },
}))

export const opened: readonly Mutant[] = [
  {
    name: 'closes-too-early',
    harm: 'Closes an open session after half of its time.',
    caughtBy: ['breaker-rate/stays-open', 'breaker-rate/recovers-in-time'],
    platform,
    configure: openMs(ms => ms / 2),
  },
  {
    name: 'closes-too-late',
    harm: 'Keeps a session open for four times as long as it should.',
    caughtBy: ['breaker-rate/recovers-in-time', 'breaker-rate/retry-after'],
    platform,
    configure: openMs(ms => ms * 4),
  },
  {
    name: 'prolongs-by-refusals',
    harm: 'Lets the time of an open session begin again with each request that it refuses.',
    caughtBy: ['breaker-rate/recovers-in-time'],
    platform,
    mutate: prolongs,
  },
  {
    name: 'says-no-retry-after',
    harm: 'Leaves Retry-After out of its refusals.',
    caughtBy: ['breaker-rate/retry-after'],
    platform,
    mutate: retryAfter(() => []),
  },
  {
    name: 'says-retry-after-in-ms',
    harm: 'Gives Retry-After in milliseconds.',
    caughtBy: ['breaker-rate/retry-after'],
    platform,
    mutate: retryAfter(seconds => [['Retry-After', String(Number(seconds) * 1000)]]),
  },
  {
    name: 'renames-the-reason-of-rates',
    harm: 'Says why in words of its own where it refuses for the rate.',
    caughtBy: ['breaker-rate/seed-body'],
    platform,
    mutate: breakerWith({
      refusalOf(session, now) {
        const right = refusalOf(session, now)
        return session.reason === 'rate' ? { ...right, seed: { ...right.seed, reason: 'Too many requests' } } : right
      },
    }),
  },
  {
    name: 'refuses-rates-without-the-id',
    harm: 'Answers a request beyond the rate with an error whose id is null.',
    caughtBy: ['breaker-rate/rpc-error', 'refusals/rate-is-rpc-error'],
    platform: 'official',
    mutate: editReply(/"Circuit breaker tripped: Rate/, m => edit(m, 'id', () => 'null')),
  },
  {
    name: 'refuses-streams-of-open-sessions',
    harm: 'Counts and refuses GET as it does POST.',
    caughtBy: ['breaker-rate/stream-not-starved'],
    platform,
    mutate: breakerWith({ counts: passage => passage.method === 'POST' || passage.method === 'GET' }),
  },
  {
    name: 'refuses-goodbyes-of-open-sessions',
    harm: 'Counts and refuses DELETE as it does POST.',
    caughtBy: ['breaker-rate/goodbye-not-starved'],
    platform,
    mutate: breakerWith({ counts: passage => passage.method === 'POST' || passage.method === 'DELETE' }),
  },
  {
    name: 'refuses-cancellations-of-open-sessions',
    harm: 'Lets nothing of an open session pass, cancellations neither.',
    caughtBy: ['breaker-rate/cancel-not-starved'],
    platform,
    mutate: breakerWith({ spares: () => false }),
  },
  {
    name: 'says-reset-and-resets-no-rate',
    harm: 'Says that it has reset a session that sent too much, and leaves it open.',
    caughtBy: ['breaker-rate/reset-recovers', 'breaker-rate/seed-scenario'],
    platform,
    operate: replaceEndpoint('reset-session', (call, old) => {
      const session = breakerOf(call.gateway)?.current(call.params['key']!)
      return session?.reason === 'rate' ? { json: { key: session.key, state: 'CLOSED' } } : old.run(call)
    }),
  },
  {
    name: 'resets-others-too',
    harm: 'Resets with a session all those whose owners look alike.',
    caughtBy: ['breaker-rate/reset-of-one-session'],
    platform,
    operate: replaceEndpoint('reset-session', (call, old) => {
      const guard = breakerOf(call.gateway)
      const subject = guard?.current(call.params['key']!)?.subject
      for (const other of guard?.list('OPEN') ?? []) {
        if (cutAlike(subject ?? '', other.subject ?? '')) guard?.reset(other.key)
      }
      return old.run(call)
    }),
  },
  {
    name: 'lets-anyone-reset',
    harm: 'Resets sessions for whoever asks.',
    caughtBy: ['breaker-rate/reset-needs-credentials', 'control-plane/token-demanded'],
    platform,
    operate: opens('reset-session'),
  },
  {
    name: 'shows-open-rates-as-closed',
    harm: 'Shows operators a session that sent too much as if it were closed.',
    caughtBy: ['breaker-rate/state-visible', 'breaker-rate/seed-scenario'],
    platform,
    operate: editEndpoint('session', reply => {
      const session = reply.json as { readonly reason: string | null }
      return session.reason === 'rate' ? { json: { ...session, state: 'CLOSED' } } : reply
    }),
  },
]
