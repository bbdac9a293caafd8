import { group } from '../../kit/claims/group.ts'
import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { burst, call, evenly, open, request, sameOwner } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import {
  allowed,
  asManyAsAllowed,
  fiveTooMany,
  isRefused,
  rested,
  restMs,
  roundTrip,
  small,
  theWindow,
  tooMany,
  windowMs,
} from '../breakers.ts'
import { platform } from '../spec.ts'
import { sliding } from './sliding.ts'

const spec = platform('rate-guard')
const CALL = 'calls the tool burst_target'

/** What passes, what does not, and of whom. */
export const limit: readonly Check[] = [
  check({
    id: 'breaker-rate/limit-evenly-passes',
    title: 'answers as many requests as the limit, spread evenly over one window',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard'],
    waits: limits => restMs(limits) + windowMs(limits),
    why: 'An agent that keeps to the limit it was told is refused, and its work stops.',
    steps: [...rested(), evenly(asManyAsAllowed, theWindow, CALL, () => small('spread'))],
    claims: [group('spread').succeeds()],
  }),
  check({
    id: 'breaker-rate/limit-at-once-passes',
    title: 'answers as many requests as the limit, all at once',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard'],
    waits: restMs,
    why: 'An agent fetches ten records in parallel: that is within the limit, and still some are refused.',
    steps: [...rested(), burst(asManyAsAllowed, CALL, () => small('burst'))],
    claims: [group('burst').succeeds()],
  }),
  check({
    id: 'breaker-rate/surplus-refused',
    title: 'refuses with 429 what a session sends at once beyond the limit',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard'],
    waits: restMs,
    why: 'An agent in a loop floods the servers, and the bill, while the guard looks on.',
    steps: [...rested(), tooMany('burst')],
    claims: [
      group('burst').results('as many as the limit are answered, one more or less', e => [
        allowed(e) - 1,
        allowed(e) + 1,
      ]),
      group('burst').status('five are refused with 429, one more or less', 429, [4, 6]),
    ],
  }),
  check({
    id: 'breaker-rate/burst-exact',
    title: 'answers of a burst exactly as many as the limit, and refuses the rest with 429',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'open-state'],
    waits: restMs,
    why: 'The platform promises ten of fifteen: a guard that counts past its limit is racy, and lets more through the busier it is.',
    steps: [...rested(), tooMany('burst')],
    claims: [
      group('burst').results('exactly as many as the limit are answered', allowed),
      group('burst').status('exactly five are refused with 429', 429, 5),
    ],
  }),
  check({
    id: 'breaker-rate/refused-never-reach',
    title: 'sends nothing of a refused request to a server',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard'],
    waits: restMs,
    why: 'The server does the work all the same, and the client, told of a refusal, does it once more: two refunds.',
    steps: [...rested(), tooMany('burst'), small('burst'), roundTrip],
    given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
    claims: [group('burst').neverReach('none of the refused ones reaches a server', isRefused)],
  }),
  sliding,
  check({
    id: 'breaker-rate/methods-count-together',
    title: 'counts the requests of a session together, whatever they ask for',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard'],
    waits: restMs,
    why: 'An agent that lists, pings and calls in turn sends several times the limit, and no counter of its own sees it.',
    steps: [
      ...rested(),
      burst(
        fiveTooMany,
        'calls the tool burst_target, lists tools and pings in turn',
        i => [small('mixed'), request('tools/list', {}, { as: 'mixed' }), request('ping', {}, { as: 'mixed' })][i % 3]!,
      ),
    ],
    claims: [group('mixed').status('five are refused with 429, one more or less', 429, [4, 6])],
  }),
  check({
    id: 'breaker-rate/other-client-untouched',
    title: 'leaves other clients alone while a session is open',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'auth'],
    waits: restMs,
    why: 'One agent runs wild, and every agent of the house stands still.',
    steps: [...rested('a', 'b'), tooMany('burst'), small('call of another client', 'b')],
    given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
    claims: [client('call of another client').succeeds()],
  }),
  check({
    id: 'breaker-rate/other-session-untouched',
    title: 'leaves other sessions of the same owner alone while one is open',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['rate-guard', 'sessions'],
    waits: restMs,
    why: 'An agent has one session for each task: a task that runs wild takes all the others with it.',
    steps: [sameOwner('b'), ...rested('a', 'b'), tooMany('burst'), small('call in another session', 'b')],
    given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
    claims: [client('call in another session').succeeds()],
  }),
  check({
    id: 'breaker-rate/handshakes-limited',
    title: 'limits how many sessions one client can ask for at once',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['rate-guard', 'auth', 'sessions'],
    why: 'Requests without a session id that nobody counts are a way around the guard: a new session for each call.',
    steps: [
      call('burst_target', {}, { as: 'first' }),
      burst(fiveTooMany, 'opens a session', () => open({ as: 'handshake', uninitialized: true })),
    ],
    claims: [group('handshake').status('some of them are refused with 429', 429, [1, Number.POSITIVE_INFINITY])],
  }),
]
