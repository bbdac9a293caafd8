import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, isObject, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { sameOwner } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { COST, limited, limitTo, NEEDS, refused, roundTrip, spend } from './spending.ts'

const spec = platform('budgets')
const TOO_LITTLE = 2 * COST - 100

/** What happens at a limit. */
export const limits: readonly Check[] = [
  check({
    id: 'budget/day-limit',
    title: 'must refuse the calls of an agent that has used the tokens of its day, and ask no server',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'A loop at night costs more than the month before.',
    steps: [limitTo({ perDay: TOO_LITTLE }), spend('first'), spend('second'), spend('third'), roundTrip],
    given: [limited],
    claims: [client('first').succeeds(), refused('third'), backend('third').never()],
  }),
  check({
    id: 'budget/month-limit',
    title: 'must refuse the calls of an agent that has used the tokens of its month',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'Thirty days, each within its limit, are more than anybody wanted to pay.',
    steps: [limitTo({ perMonth: TOO_LITTLE }), spend('first'), spend('second'), spend('third'), roundTrip],
    given: [limited],
    claims: [refused('third'), backend('third').never()],
  }),
  check({
    id: 'budget/crossing-call-answered',
    title: 'should answer the call that crosses the limit',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: NEEDS,
    why: 'Its tokens are paid for, its work is done: only the agent does not hear of it, and has it done again.',
    steps: [limitTo({ perDay: COST - 100 }), spend('crossing')],
    given: [limited],
    claims: [client('crossing').succeeds()],
  }),
  check({
    id: 'budget/refusal-shape',
    title: 'must refuse with 429, the error -32002 and a problem',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'An agent that can’t tell "no tokens left" from "too fast" tries again all day.',
    steps: [limitTo({ perDay: COST - 100 }), spend('crossing'), spend('refused', { id: 'seven' })],
    given: [limited],
    claims: [
      client('refused').status(429),
      client('refused').error(-32002),
      client('refused').sameId(),
      client('refused').holds('the message says Token Budget Exceeded', e => {
        const message = at(reply(e), 'error.message')
        return typeof message === 'string' && message.startsWith('Token Budget Exceeded') ? undefined : show(message)
      }),
      client('refused').holds('data is a problem: type, title, status, detail, instance', e => {
        const data = at(reply(e), 'error.data')
        if (!isObject(data)) return `data is ${show(data)}`
        const missing = ['type', 'title', 'detail', 'instance'].filter(name => typeof data[name] !== 'string')
        if (missing.length) return `without ${missing.join(', ')}: ${show(data)}`
        return show(data['status']) === '429' ? undefined : `status is ${show(data['status'])}`
      }),
    ],
  }),
  check({
    id: 'budget/other-agent-goes-on',
    title: 'must not refuse an agent because another one has used its tokens',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: [...NEEDS, 'auth'],
    why: 'One agent in a loop takes all others along.',
    steps: [
      limitTo({ perDay: COST - 100 }),
      spend('crossing'),
      spend('refused'),
      spend('call of another agent', { who: 'b' }),
    ],
    given: [limited],
    claims: [refused('refused'), client('call of another agent').succeeds()],
  }),
  check({
    id: 'budget/new-session-no-way-out',
    title: 'must refuse an agent in a new session, too',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: [...NEEDS, 'auth', 'sessions'],
    why: 'Who is out of tokens opens a session, and has them all again.',
    steps: [
      limitTo({ perDay: COST - 100 }),
      spend('crossing'),
      sameOwner('b'),
      spend('call in a new session', { who: 'b' }),
      roundTrip,
    ],
    given: [limited],
    claims: [refused('call in a new session'), backend('call in a new session').never()],
  }),
  check({
    id: 'budget/raise-recovers',
    title: 'must answer an agent again whose limit was raised',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'The administrator gives more, and the agent stands still until midnight.',
    steps: [
      limitTo({ perDay: COST - 100 }),
      spend('crossing'),
      spend('refused'),
      limitTo({ perDay: 10 * COST }, 'raise'),
      spend('call after the raise'),
    ],
    given: [limited],
    claims: [refused('refused'), client('raise').status(200, 299), client('call after the raise').succeeds()],
  }),
]
