import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, finish, hangUp, open, start, startServer, step, stopServer, untilBackend } from '../../kit/steps.ts'
import type { Check, Exchange } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const ANSWERS = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')
const TIMEOUTS = spec('2025-11-25', 'basic/lifecycle', 'timeouts')

/** How much longer than its limit a gateway may take to give up, in ms. */
const GRACE_MS = 2000

/** When an exchange was over, one way or another; undefined where it is not. */
const over = (e: Exchange): number | undefined => e.endedAt ?? (e.failure === undefined ? undefined : Number.MAX_VALUE)

const TRIES = 8
const PAUSE_MS = 250

/** New clients, one after the other: a gateway may need a moment to find out that the server is back. */
const triesAgain = step(`opens sessions and calls the tool burst_target until it is answered, for 2 s`, async rig => {
  for (let i = 1; i <= TRIES; i++) {
    await open({ who: `b${i}`, as: 'new session' }).run(rig)
    await call('burst_target', {}, { who: `b${i}`, as: 'afterwards' }).run(rig)
    const last = rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === 'afterwards')
    if (last && at(reply(last), 'result') !== undefined) return
    await rig.recorder.when(() => false, PAUSE_MS, rig.signal)
  }
})

/** Servers that are down, cut off, or silent. */
export const outages: readonly Check[] = [
  check({
    id: 'errors/refused-is-error',
    title: 'answers with a JSON-RPC error where a server is down',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ANSWERS,
    catalogue: ['errors.backend-unreachable'],
    needs: ['http-backend', 'own-errors'],
    alone: true,
    why: 'The client hangs until its own patience ends, and cannot say what is wrong.',
    steps: [
      call('burst_target', {}, { as: 'before' }),
      stopServer(),
      call('burst_target', {}, { as: 'while it is down' }),
      startServer(),
    ],
    given: [client('before').succeeds()],
    claims: [client('while it is down').error(), client('while it is down').sameId()],
  }),
  check({
    id: 'errors/back-again',
    title: 'serves a server again within 2 s after it is back',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ANSWERS,
    catalogue: ['errors.backend-unreachable'],
    needs: ['http-backend'],
    alone: true,
    why: 'After a restart of a server its tools are gone until someone restarts the gateway too.',
    steps: [
      call('burst_target', {}, { as: 'before' }),
      stopServer(),
      call('burst_target', {}, { as: 'down 1' }),
      call('burst_target', {}, { as: 'down 2' }),
      call('burst_target', {}, { as: 'down 3' }),
      startServer(),
      triesAgain,
    ],
    given: [client('before').succeeds()],
    claims: [client('afterwards').succeeds(), backend('afterwards').once()],
  }),
  check({
    id: 'errors/reset-is-error',
    title: 'answers with a JSON-RPC error where a server cuts the connection before its answer',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ANSWERS,
    catalogue: ['errors.gateway-origin-is-jsonrpc', 'errors.backend-unreachable'],
    needs: ['http-backend', 'own-errors'],
    why: 'A server that crashes over a call looks like a broken network, or like nothing at all.',
    steps: [call('burst_target', {}, { acts: [{ do: 'reset' }] })],
    given: [backend().all('the request reaches the server', seen => (seen.length ? undefined : 'nothing of it came'))],
    claims: [client().error(), client().sameId()],
  }),
  check({
    id: 'errors/silence-is-error',
    title: 'gives up on a server that says nothing, and answers with a JSON-RPC error',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TIMEOUTS,
    catalogue: ['lifecycle.request-timeouts', 'errors.backend-unreachable'],
    needs: ['http-backend', 'backend-timeout', 'own-errors'],
    waits: 1200,
    why: 'One hung server holds connections and clients for ever.',
    steps: [call('slow', {}, { acts: [{ do: 'silence' }] })],
    given: [
      client().holds('there was time enough for the gateway to give up', ({ failure = '' }, { target }) => {
        const had = Number(/no whole answer within (\d+) ms/.exec(failure)?.[1] ?? Number.MAX_VALUE)
        const limit = (target.limits.backendTimeoutMs ?? 0) + GRACE_MS
        return had < limit ? `the check had ${had} ms and needs ${limit}: give it more with --timeout` : undefined
      }),
      backend().all('the request reaches the server', seen => (seen.length ? undefined : 'nothing of it came')),
    ],
    claims: [
      client().error(),
      client().sameId(),
      client().holds('it comes within 2 s of the limit of the gateway', (e, { target }) => {
        const took = Math.round((e.endedAt ?? Number.MAX_VALUE) - e.at)
        const limit = (target.limits.backendTimeoutMs ?? 0) + GRACE_MS
        return took <= limit ? undefined : e.endedAt === undefined ? describe(e) : `it took ${took} ms`
      }),
    ],
  }),
  check({
    id: 'errors/silence-holds-up-no-one',
    title: 'lets no session wait for a call of another session that gets no answer',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TIMEOUTS,
    catalogue: ['errors.backend-unreachable'],
    why: 'One slow call stops the work of everyone.',
    steps: [
      open({ who: 'b', as: 'other session' }),
      start(call('hints_absent', {}, { as: 'silent', acts: [{ do: 'silence' }] })),
      untilBackend('silent'),
      call('hints_empty', {}, { who: 'b', as: 'other' }),
      hangUp('silent'),
      finish(),
    ],
    given: [backend('silent').once()],
    claims: [
      client('other').succeeds(),
      claim('client', '"other" is answered while "silent" still waits', ({ client: seen }) => {
        const [silent, other] = ['silent', 'other'].map(label => seen.find(e => e.label === label))
        if (!silent || other?.endedAt === undefined) return '"other" has no answer'
        return other.endedAt < (over(silent) ?? Number.MAX_VALUE) ? undefined : '"other" came after "silent"'
      }),
    ],
  }),
  check({
    id: 'errors/others-still-answer',
    title: 'serves the other servers while one is down',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ANSWERS,
    catalogue: ['errors.backend-unreachable', 'aggregation.partial-failure'],
    needs: ['http-backend', 'many-backends'],
    alone: true,
    why: 'The weakest server decides whether any tool can be used at all.',
    steps: [
      stopServer('syncboot'),
      open({ who: 'b', on: 'crm', as: 'new session' }),
      call('burst_target', {}, { who: 'b', on: 'crm', as: 'other' }),
      startServer('syncboot'),
    ],
    claims: [client('new session').succeeds(), client('other').succeeds()],
  }),
]
