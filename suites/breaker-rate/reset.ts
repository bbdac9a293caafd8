import { group } from '../../kit/claims/group.ts'
import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { admin, adopt, call, endSession } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { allowed, atOnce, pass, refused, rested, restMs, small, state, tooMany } from '../breakers.ts'
import { platform } from '../spec.ts'

const spec = platform('reset')
const someRefused = group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])

/** What those who run the gateway see and do, and the whole story. */
export const reset: readonly Check[] = [
  check({
    id: 'breaker-rate/reset-recovers',
    title: 'answers the next request of a session that was reset',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state', 'session-reset'],
    waits: restMs,
    why: 'The operator has found and mended the cause, and the agent still stands still.',
    steps: [...rested(), tooMany('burst'), admin('resetSession', { as: 'reset' }), small('call after the reset')],
    given: [someRefused],
    claims: [client('reset').status(200, 299), client('call after the reset').succeeds()],
  }),
  check({
    id: 'breaker-rate/reset-of-one-session',
    title: 'keeps a session open when another one is reset',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state', 'session-reset', 'sessions'],
    waits: restMs,
    why: 'Whoever is reset takes along all that are rightly open, the one in its loop too.',
    steps: [
      ...rested('a', 'b'),
      small('call of another client', 'b'),
      tooMany('burst'),
      admin('resetSession', { as: 'reset', who: 'b' }),
      small('call after the reset'),
    ],
    given: [someRefused],
    claims: [refused('call after the reset', 429)],
  }),
  check({
    id: 'breaker-rate/reset-needs-credentials',
    title: 'lets no one reset a session who shows no credentials of an operator',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state', 'session-reset', 'control-api'],
    waits: restMs,
    why: 'The agent in its loop resets itself.',
    steps: [
      ...rested(),
      tooMany('burst'),
      admin('resetSession', { as: 'reset', anonymous: true }),
      small('call after the reset'),
    ],
    given: [someRefused],
    claims: [client('reset').status(401, 403), refused('call after the reset', 429)],
  }),
  check({
    id: 'breaker-rate/state-visible',
    title: 'shows operators which session is open and which is not',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('control-plane'),
    needs: ['rate-guard', 'open-state', 'session-state', 'control-api'],
    waits: restMs,
    why: 'An operator who cannot see who is open resets no one, or everyone.',
    steps: [
      ...rested(),
      small('normal call'),
      admin('sessionState', { as: 'state before' }),
      tooMany('burst'),
      admin('sessionState', { as: 'state behind' }),
    ],
    given: [someRefused],
    claims: [state('state before', 'CLOSED'), state('state behind', 'OPEN')],
  }),
  check({
    id: 'breaker-rate/invented-session-guarded',
    title: 'guards a session whose id the client made up',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('rate-guard'),
    needs: ['rate-guard', 'header-routing', 'http-proxy'],
    contradicts: ['sessions/id-unknown-404'],
    why: 'Agents of the platform name their sessions themselves: a guard that looks only at ids it has seen issued guards none of them.',
    steps: [
      adopt(rig => `rate-session-${rig.nonce.slice(-10)}`, 'a session whose id it makes up, rate-session-…'),
      tooMany('burst'),
      endSession(),
    ],
    claims: [
      group('burst').results('as many as the limit are answered', allowed),
      group('burst').status('five are refused with 429', 429, 5),
    ],
  }),
  check({
    id: 'breaker-rate/seed-scenario',
    title: 'stops a burst, keeps the session open, and goes on after a reset',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('rate-guard'),
    needs: ['rate-guard', 'open-state', 'session-reset', 'session-state'],
    waits: restMs,
    why: 'This is what the platform shows to those who ask whether its guards work.',
    steps: [
      call('burst_target', {}, { as: 'normal call' }),
      pass,
      tooMany('burst'),
      admin('sessionState', { as: 'state after the burst' }),
      small('call while open'),
      admin('resetSession', { as: 'reset by an operator' }),
      admin('sessionState', { as: 'state after the reset' }),
      small('call after the reset'),
    ],
    given: [atOnce('burst')],
    claims: [
      client('normal call').succeeds(),
      group('burst').results('exactly as many as the limit are answered', allowed),
      group('burst').status('exactly five are refused with 429', 429, 5),
      state('state after the burst', 'OPEN'),
      refused('call while open', 429),
      client('reset by an operator').status(200, 299),
      state('state after the reset', 'CLOSED'),
      client('call after the reset').succeeds(),
    ],
  }),
]
