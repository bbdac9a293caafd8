import { group, hasResult } from '../../kit/claims/group.ts'
import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { raw } from '../../kit/session.ts'
import { burst, sameOwner, times } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { decide, NEEDS, ran, resultOf, risky, roundTrip, ticketIn } from './risky.ts'
import { alikeness } from './unguessable.ts'

const spec = platform('approvals')
const TICKETS = [...NEEDS, 'approval-tickets'] as const

/** The same arguments as those of the usual call with `rows`, in another order. */
const BACKWARDS = { rows: 100, index: 'ix_orders_customer', table: 'tb_orders' }

const approved = client('approve').status(200, 299)
const asksAnew = (label: string): Claim => client(label).error(-32001)

/** A ticket of its own for each call: what holds of gates that refuse. */
export const tickets: readonly Check[] = [
  check({
    id: 'hitl/refusal-shape',
    title: 'must answer a risky call 403 with the error -32001, a problem and a ticket',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: TICKETS,
    why: 'An agent that can’t tell "ask somebody" from "failed" tries again and again, or gives up.',
    steps: [risky('risky', { id: 'seven' })],
    claims: [
      client('risky').status(403),
      client('risky').error(-32001),
      client('risky').sameId(),
      client('risky').holds('the message says HITL Approval Required', e => {
        const message = at(reply(e), 'error.message')
        return typeof message === 'string' && message.startsWith('HITL Approval Required') ? undefined : show(message)
      }),
      client('risky').holds('data is a problem: type, title, status, detail, instance', e => {
        const data = at(reply(e), 'error.data')
        if (!isObject(data)) return `data is ${show(data)}`
        const missing = ['type', 'title', 'detail', 'instance'].filter(name => typeof data[name] !== 'string')
        if (missing.length) return `without ${missing.join(', ')}: ${show(data)}`
        if (data['title'] !== 'HITL_APPROVAL_REQUIRED') return `title is ${show(data['title'])}`
        return show(data['status']) === '403' ? undefined : `status is ${show(data['status'])}`
      }),
      client('risky').holds('data.instance names the tool', e => {
        const instance = at(reply(e), 'error.data.instance')
        const named = typeof instance === 'string' && /^\/tools\/call\/.*drop_index$/.test(instance)
        return named ? undefined : show(instance)
      }),
      client('risky').holds('data.approvalTicketId is there', e => (ticketIn(e) ? undefined : 'there is none')),
    ],
  }),
  check({
    id: 'hitl/same-ticket',
    title: 'should answer repeats of a call that waits with the same ticket',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: TICKETS,
    why: 'An agent that tries every second fills the list, and nobody sees what is really asked for.',
    steps: [times(3, 'the same risky call', () => risky('risky'))],
    claims: [
      claim('client', 'each answer has the same ticket', evidence => {
        const all = evidence.client.filter(e => e.label === 'risky').map(e => ticketIn(e) ?? 'none')
        return new Set(all).size === 1 && all[0] !== 'none' ? undefined : all.join(', ')
      }),
    ],
  }),
  check({
    id: 'hitl/ticket-unguessable',
    title: 'should give tickets that nobody can guess',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: TICKETS,
    why: 'Whoever knows one ticket knows the next one, and links that approve can be made up.',
    steps: [times(4, 'risky calls, each another one', i => risky('risky', { args: { index: `ix_${i}` } }))],
    claims: [
      claim('client', 'what differs between tickets is long, and differs nearly everywhere', evidence =>
        alikeness(evidence.client.filter(e => e.label === 'risky').map(e => ticketIn(e) ?? '')),
      ),
    ],
  }),
  check({
    id: 'hitl/approved-runs-once',
    title: 'should take an approval for one call, and ask again for the next',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: TICKETS,
    why: 'One yes becomes a yes for ever.',
    steps: [risky('risky'), decide('approve'), risky('repeat'), risky('second repeat'), roundTrip],
    given: [approved],
    claims: [resultOf('repeat'), asksAnew('second repeat'), ran(1)],
  }),
  check({
    id: 'hitl/repeats-at-once',
    title: 'should run an approved call once, however many repeats of it come at once',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: TICKETS,
    why: 'Two threads of an agent, one approval, two refunds.',
    steps: [risky('risky'), decide('approve'), burst(5, 'the same risky call', () => risky('repeat')), roundTrip],
    given: [approved],
    claims: [group('repeat').results('exactly one is answered by a result', 1), ran(1)],
  }),
  check({
    id: 'hitl/other-arguments-ask-anew',
    title: 'must not run a call with other arguments than the approved ones',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: TICKETS,
    why: 'An agent has the removal of a test index approved, and removes the one of production.',
    steps: [
      risky('risky'),
      decide('approve'),
      risky('other index', { args: { index: 'ix_orders_primary' } }),
      risky('one more argument', { args: { rows: 1 } }),
      roundTrip,
    ],
    given: [approved],
    claims: [asksAnew('other index'), asksAnew('one more argument'), ran(0)],
  }),
  check({
    id: 'hitl/exact-numbers',
    title: 'must not take one large number for another when it looks for the approval',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: TICKETS,
    why: 'Beyond 2^53 two numbers are one for a gateway that reads them as doubles: ids of rows, amounts, accounts.',
    steps: [
      risky('risky', { args: { rows: raw('9007199254740993') } }),
      decide('approve'),
      risky('its neighbour', { args: { rows: raw('9007199254740992') } }),
      roundTrip,
    ],
    given: [approved],
    claims: [asksAnew('its neighbour'), ran(0)],
  }),
  check({
    id: 'hitl/other-agent-asks-anew',
    title: 'must not run the call of another agent by this approval',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: [...TICKETS, 'auth'],
    why: 'What one agent was allowed, another one does.',
    steps: [risky('risky'), decide('approve'), risky('call of another agent', { who: 'b' }), roundTrip],
    given: [approved],
    claims: [asksAnew('call of another agent'), ran(0)],
  }),
  check({
    id: 'hitl/other-session-asks-anew',
    title: 'should not run the call of another session of the same agent by this approval',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: [...TICKETS, 'auth', 'sessions'],
    why: 'An approval that nobody waits for any more is used by the next task of that agent.',
    steps: [
      risky('risky'),
      sameOwner('b'),
      decide('approve'),
      risky('call of another session', { who: 'b' }),
      roundTrip,
    ],
    given: [approved],
    claims: [asksAnew('call of another session'), ran(0)],
  }),
  check({
    id: 'hitl/same-in-meaning',
    title: 'should know the approved call again when it is written in another way',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: TICKETS,
    why: 'Agents build their calls anew, with members in another order: the approval is never found.',
    steps: [
      risky('risky', { args: { rows: 100 } }),
      decide('approve'),
      risky('written in another way', { args: BACKWARDS, meta: { progressToken: 'p' } }),
    ],
    given: [approved],
    claims: [
      client('written in another way').holds('a result answers it', e => (hasResult(e) ? undefined : 'it is refused')),
      ran(1),
    ],
  }),
]
