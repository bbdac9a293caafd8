import { rules } from '../../breaker/rules.ts'
import { breakerOf } from '../../parts/breaker.ts'
import { alsoStops, breakerWith, cutAlike, limits } from '../breakers.ts'
import { Hop, type Mutate, nowhere, replacePart } from '../harm.ts'
import type { Mutant } from '../mutant.ts'

const platform = 'seed' as const

/** Asks the server all the same, and throws its answer away. */
const asksAllTheSame: Mutate = replacePart('breaker', old => ({
  async receive(passage) {
    const refused = await old.receive?.(passage)
    const backend = passage.gateway.routes.service(passage.header('mcp-name') ?? '')
    if (refused && backend) {
      await passage.body.bytes()
      const { method, fields, body } = passage
      await passage.gateway.send(new Hop(passage, backend, method, backend.path, [...fields], body), nowhere)
    }
    return refused
  },
}))

/** The call of a tool that reaches the limit counts twice. */
const countsOneTooMany: Mutate = replacePart('breaker', old => ({
  async receive(passage) {
    const guard = breakerOf(passage.gateway)
    const isCall = (await passage.body.text()).includes('"tools/call"')
    const session = guard?.sessions.find(rules.keyOf(passage))
    if (guard?.limits.rate && session?.reason === undefined && isCall && session) {
      const { requests, windowMs } = guard.limits.rate
      const within = session.times.filter(time => time > guard.now() - windowMs)
      if (within.length === requests - 1) session.times.push(guard.now())
    }
    return old.receive?.(passage)
  },
}))

/** Everything that a guard has to do when too much is sent. */
const ALL = [
  'surplus-refused',
  'burst-exact',
  'window-slides',
  'methods-count-together',
  'handshakes-limited',
  'retry-after',
  'seed-body',
  'invented-session-guarded',
  'seed-scenario',
].map(name => `breaker-rate/${name}`)

export const limit: readonly Mutant[] = [
  {
    name: 'counts-one-too-many',
    harm: 'Opens a session at the call of a tool that reaches the limit, and not at the one beyond it.',
    caughtBy: [
      'breaker-rate/limit-evenly-passes',
      'breaker-rate/limit-at-once-passes',
      'breaker-rate/burst-exact',
      'breaker-rate/invented-session-guarded',
      'breaker-rate/seed-scenario',
    ],
    platform,
    mutate: countsOneTooMany,
  },
  {
    name: 'lets-one-more-pass',
    harm: 'Opens a session one request too late.',
    caughtBy: ['breaker-rate/burst-exact', 'breaker-rate/invented-session-guarded', 'breaker-rate/seed-scenario'],
    platform,
    configure: limits(b => ({ ...b, rate: { ...b.rate, requests: 11 } })),
  },
  {
    name: 'limits-no-rate',
    harm: 'Has no rate guard at all.',
    caughtBy: ALL,
    platform,
    configure: limits(({ rate: _, ...b }) => b),
  },
  {
    name: 'asks-and-then-refuses',
    harm: 'Sends what it refuses to the server all the same.',
    caughtBy: ['breaker-rate/refused-never-reach', 'breaker-payload/refused-never-reach'],
    platform,
    mutate: asksAllTheSame,
  },
  {
    name: 'forgets-all-at-the-edge-of-its-window',
    harm: 'Counts anew whenever a second has passed since the first request that it counted.',
    caughtBy: ['breaker-rate/window-slides'],
    platform,
    mutate: breakerWith({
      tooMany(times, now, requests, windowMs) {
        if (times[0] !== undefined && times[0] <= now - windowMs) times.length = 0
        return times.length >= requests
      },
    }),
  },
  {
    name: 'forgets-all-at-each-full-second',
    harm: 'Counts anew whenever the clock begins a new second.',
    caughtBy: ['breaker-rate/window-slides'],
    platform,
    mutate: breakerWith({
      tooMany(times, now, requests, windowMs) {
        if (times[0] !== undefined && Math.floor(times[0] / windowMs) < Math.floor(now / windowMs)) times.length = 0
        return times.length >= requests
      },
    }),
  },
  {
    name: 'counts-tool-calls-only',
    harm: 'Counts calls of tools, and nothing else that a session sends.',
    caughtBy: ['breaker-rate/methods-count-together', 'breaker-rate/handshakes-limited'],
    platform,
    mutate: replacePart('breaker', old => ({
      async receive(passage) {
        const isCall = (await passage.body.text()).includes('"tools/call"')
        return isCall ? old.receive?.(passage) : undefined
      },
    })),
  },
  {
    name: 'counts-no-handshakes',
    harm: 'Counts nothing that has no session id.',
    caughtBy: ['breaker-rate/handshakes-limited'],
    platform,
    mutate: breakerWith({ counts: p => p.method === 'POST' && p.header('mcp-session-id') !== undefined }),
  },
  {
    name: 'keeps-owners-of-rates-in-a-short-column',
    harm: 'Takes clients for the same whose names begin with the same 21 letters.',
    caughtBy: ['breaker-rate/other-client-untouched'],
    platform,
    mutate: alsoStops('rate', cutAlike),
  },
  {
    name: 'opens-all-sessions-of-an-owner',
    harm: 'Refuses all sessions of an owner when one of them has sent too much.',
    caughtBy: ['breaker-rate/other-session-untouched'],
    platform,
    mutate: alsoStops('rate', (mine, other) => mine === other),
  },
  {
    name: 'guards-issued-sessions-only',
    harm: 'Counts nothing in sessions whose ids no server of the house would issue.',
    caughtBy: ['breaker-rate/invented-session-guarded'],
    platform,
    mutate: breakerWith({
      counts: p => p.method === 'POST' && /^$|^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(p.header('mcp-session-id') ?? ''),
    }),
  },
]
