import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { admin, call, read } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { bodyIs, isRefused, refused, rpcErrorWithId, small, state } from '../breakers.ts'
import { platform } from '../spec.ts'
import { readSized, sentAtLeast } from './sized.ts'

const next = small('next call')
const large = readSized({ share: 1.5, of: 'text' })
const base = { pack: 'policy', level: 'MUST', spec: platform('payload-guard') } as const

/** How it is refused, and the way back. */
export const reset: readonly Check[] = [
  check({
    ...base,
    id: 'breaker-payload/seed-body',
    title: 'refuses after a large read with exactly the body that the platform has for it',
    pack: 'syncseries',
    needs: ['payload-guard', 'http-backend', 'seed-errors'],
    contradicts: ['refusals/payload-is-rpc-error'],
    why: 'Agents of the platform look at `error` and `reason` to know that waiting does not help.',
    steps: [large, next],
    given: [sentAtLeast(1)],
    claims: [
      client('next call').holds('the refusal has the body of the platform', e =>
        isRefused(e)
          ? bodyIs(e, { error: 'CircuitBreakerTripped', reason: 'Payload threshold exceeded' })
          : 'it is not refused',
      ),
    ],
  }),
  check({
    ...base,
    id: 'breaker-payload/rpc-error',
    title: 'refuses after a large read with a JSON-RPC error that has the id of the request',
    level: 'SHOULD',
    needs: ['payload-guard', 'http-backend', 'rpc-errors'],
    why: 'A client that matches answers by id drops one without, and its caller waits for ever.',
    steps: [large, next],
    given: [sentAtLeast(1)],
    claims: [client('next call').holds('the refusal is a JSON-RPC error with the id', rpcErrorWithId)],
  }),
  check({
    ...base,
    id: 'breaker-payload/reset-recovers',
    title: 'answers the next request of a session that read too much and was reset',
    spec: platform('reset'),
    needs: ['payload-guard', 'http-backend', 'session-reset'],
    why: 'An operator has looked at what was read and lets the agent go on, and it cannot.',
    steps: [large, next, admin('resetSession', { as: 'reset' }), small('call after the reset')],
    given: [sentAtLeast(1), refused('next call', 413)],
    claims: [client('reset').status(200, 299), client('call after the reset').succeeds()],
  }),
  check({
    ...base,
    id: 'breaker-payload/state-visible',
    title: 'shows operators that a session which read too much is open',
    pack: 'syncseries',
    spec: platform('control-plane'),
    needs: ['payload-guard', 'http-backend', 'session-state', 'control-api'],
    why: 'The agent says only that it is refused: who cannot see why resets no one.',
    steps: [large, admin('sessionState', { as: 'state behind' })],
    given: [sentAtLeast(1)],
    claims: [state('state behind', 'OPEN')],
  }),
  check({
    ...base,
    id: 'breaker-payload/seed-scenario',
    title: 'delivers the 60 KB of the large customer list, keeps the session open, and goes on after a reset',
    pack: 'syncseries',
    needs: ['payload-guard', 'session-reset', 'session-state', 'resources'],
    why: 'This is what the platform shows to those who ask whether its guards work.',
    steps: [
      call('burst_target', {}, { as: 'normal call' }),
      read('crm://customers/large', { as: 'large read' }),
      admin('sessionState', { as: 'state after the read' }),
      small('call while open'),
      admin('resetSession', { as: 'reset by an operator' }),
      admin('sessionState', { as: 'state after the reset' }),
      small('call after the reset'),
    ],
    given: [sentAtLeast(1, 'large read')],
    claims: [
      client('normal call').succeeds(),
      client('large read').whole(),
      unchanged('large read').result(),
      state('state after the read', 'OPEN'),
      refused('call while open', 413),
      client('reset by an operator').status(200, 299),
      state('state after the reset', 'CLOSED'),
      client('call after the reset').succeeds(),
    ],
  }),
]
