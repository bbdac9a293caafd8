import { group } from '../../kit/claims/group.ts'
import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { describe } from '../../kit/session.ts'
import {
  call,
  cancel,
  endSession,
  finish,
  hangUp,
  listen,
  open,
  pause,
  start,
  untilBackend,
  untilHead,
} from '../../kit/steps.ts'
import type { Check, Evidence, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import {
  bodyIs,
  isRefused,
  openMs,
  refused,
  rested,
  restMs,
  rpcErrorWithId,
  sinceSent,
  small,
  tooMany,
} from '../breakers.ts'
import { platform } from '../spec.ts'
import { recovers } from './recovers.ts'

const spec = platform('rate-guard')
const someRefused = group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])

/** The machine was not so slow that the time was over before the last call was answered. */
const answeredInTime = claim('client', 'all is answered while the session should be open', ({ client, target }) => {
  const burst = client.filter(e => e.label === 'burst')
  const last = client.findLast(e => e.label === 'call later')
  const after = (last?.response?.at ?? 0) - Math.min(...burst.map(e => e.at))
  return after < openMs(target.limits) ? undefined : `the last answer came after ${Math.round(after)} ms`
})

/** A client that wants to leave, or to listen, is not held. */
const notHeld = (label: string, says: string) =>
  client(label).holds(says, e => (e.response && !isRefused(e) && e.response.status !== 503 ? undefined : describe(e)))

/** What Retry-After says, in seconds; a date counts from when the answer came. */
const retryAfter = (e: Exchange): number | undefined => {
  const text = field(e.response?.headers ?? [], 'retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : (date - (e.response?.at ?? 0)) / 1000
}

const sensible = (e: Exchange, { target }: Evidence): string | undefined => {
  const seconds = retryAfter(e)
  const text = field(e.response?.headers ?? [], 'retry-after')
  if (seconds === undefined) return text === undefined ? 'no Retry-After' : `Retry-After: ${text}`
  const most = Math.ceil(openMs(target.limits) / 1000) + 1
  return seconds >= 0 && seconds <= most ? undefined : `Retry-After: ${text}, which is not 0 to ${most} seconds`
}

/** What an open session is. */
export const opened: readonly Check[] = [
  check({
    id: 'breaker-rate/stays-open',
    title: 'refuses every request of an open session until its time is over',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state'],
    waits: limits => 0.6 * openMs(limits),
    why: 'A guard that closes at once is no breaker: the agent in its loop comes through as often as the window turns.',
    steps: [
      open(),
      tooMany('burst'),
      small('call at once'),
      pause(sinceSent('until three fifths of the time are over', 0.6), 'while the session is open'),
      small('call later'),
    ],
    given: [someRefused, answeredInTime],
    claims: [refused('call at once', 429), refused('call later', 429)],
  }),
  recovers,
  check({
    id: 'breaker-rate/retry-after',
    title: 'says in Retry-After when a refused client may come again',
    pack: 'policy',
    level: 'SHOULD',
    spec: 'https://www.rfc-editor.org/rfc/rfc6585.html#section-4',
    needs: ['rate-guard', 'open-state'],
    waits: restMs,
    why: 'Without it clients guess: some hammer on, some wait for minutes.',
    steps: [...rested(), tooMany('burst')],
    claims: [group('burst').each('each refusal has a sensible Retry-After', isRefused, sensible)],
  }),
  check({
    id: 'breaker-rate/seed-body',
    title: 'refuses with exactly the body that the platform has for it',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state', 'seed-errors'],
    contradicts: ['refusals/rate-is-rpc-error'],
    waits: restMs,
    why: 'Agents of the platform look at `error` and `reason` to know why they wait.',
    steps: [...rested(), tooMany('burst'), small('burst')],
    claims: [
      group('burst').each('each refusal has the body of the platform', isRefused, e =>
        bodyIs(e, { error: 'CircuitBreakerTripped', reason: 'Rate limit exceeded' }),
      ),
    ],
  }),
  check({
    id: 'breaker-rate/rpc-error',
    title: 'refuses with a JSON-RPC error that has the id of the request',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['rate-guard', 'rpc-errors'],
    waits: restMs,
    why: 'A client that matches answers by id drops one without, and its caller waits for ever.',
    steps: [...rested(), tooMany('burst')],
    claims: [group('burst').each('each refusal is a JSON-RPC error with the id', isRefused, rpcErrorWithId)],
  }),
  check({
    id: 'breaker-rate/stream-not-starved',
    title: 'lets a client of an open session listen to its servers',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['rate-guard', 'open-state', 'sessions'],
    waits: restMs,
    why: 'The stream is one request for hours: cut off from it, the client misses what its servers announce, and comes again and again.',
    steps: [
      ...rested(),
      tooMany('burst'),
      start(listen({ as: 'stream' })),
      untilHead('stream'),
      hangUp('stream'),
      finish(),
    ],
    given: [someRefused],
    claims: [notHeld('stream', 'the GET is not refused by the guard')],
  }),
  check({
    id: 'breaker-rate/goodbye-not-starved',
    title: 'lets a client end an open session',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['rate-guard', 'open-state', 'sessions'],
    waits: restMs,
    why: 'A client that gives up cannot clean up, and its session stays with the servers.',
    steps: [...rested(), tooMany('burst'), endSession({ as: 'goodbye' })],
    given: [someRefused],
    claims: [notHeld('goodbye', 'the DELETE is not refused by the guard')],
  }),
  check({
    id: 'breaker-rate/cancel-not-starved',
    title: 'lets a client of an open session cancel what it began',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['rate-guard', 'open-state'],
    waits: restMs,
    why: 'The agent that went wild is stopped, and what it began runs on: the guard protects the load from its end.',
    steps: [
      ...rested(),
      start(call('long_task', { wait_ms: 3000 }, { as: 'long call' })),
      untilBackend('long call'),
      tooMany('burst'),
      cancel('long call', { as: 'cancellation' }),
      hangUp('long call'),
      finish(),
    ],
    given: [someRefused],
    claims: [backend('cancellation').once()],
  }),
]
