import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, show, stringify } from '../../kit/json.ts'
import { reply, sent } from '../../kit/messages.ts'
import { cancel, finish, notify, untilSeen } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { cancellations, endOf, idAtServer, startLongTask, untilDone, untilWorking } from './cancelled.ts'

const BEHAVIOUR = spec('2025-11-25', 'basic/utilities/cancellation', 'behavior-requirements')
const FLOW = spec('2025-11-25', 'basic/utilities/cancellation', 'cancellation-flow')
const REASON = '사용자가 취소했습니다: "환불" 😀'

const stopped = (label: string): Claim =>
  claim('backend', `the server stops working on "${label}" without an answer`, e => {
    const end = endOf(e, label)
    return end === 'stopped' ? undefined : end
  })

/** A cancellation on its way: to the right server, about the right call, and what comes of it. */
export const notices: readonly Check[] = [
  check({
    id: 'cancellation/forwarded',
    title: 'tells the server when a client cancels its call',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.forwarded'],
    why: 'The user stops what was a mistake, and sees that it has stopped; the server goes on and does it.',
    steps: [startLongTask(3000, { as: 'call' }), untilWorking('call'), cancel('call'), untilDone('call')],
    claims: [stopped('call')],
  }),
  check({
    id: 'cancellation/names-the-right-call',
    title: 'MUST cancel by the id that the server knows the call by',
    pack: 'mcp',
    level: 'MUST',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.id-mapped'],
    why: 'With the client’s id in place of its own, a gateway cancels nothing, or what someone else has running.',
    steps: [
      startLongTask(3000, { as: 'call', id: '7' }),
      untilWorking('call'),
      cancel('call'),
      untilSeen('a cancellation reaches the server', ({ backend }) =>
        backend.some(e => at(sent(e), 'method') === 'notifications/cancelled'),
      ),
    ],
    given: [
      claim('backend', 'a cancellation reaches the server', e =>
        cancellations(e).length > 0 || endOf(e, 'call') === 'stopped' ? undefined : 'none',
      ),
    ],
    claims: [
      claim('backend', 'it names the id that the call has at the server', e => {
        const id = idAtServer(e, 'call')
        const other = cancellations(e).find(x => stringify(at(sent(x), 'params.requestId') ?? null) !== id)
        return other && `the call has the id ${id}, the cancellation names ${show(at(sent(other), 'params.requestId'))}`
      }),
    ],
  }),
  check({
    id: 'cancellation/of-one-client-alone',
    title: 'cancels the call of the client that asks for it, not one of another client with the same id',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.forwarded', 'cancellation.id-mapped'],
    waits: 1000,
    why: 'All SDKs count ids from 0 or 1, so equal ones are the rule: one user stops the work of another.',
    steps: [
      startLongTask(1500, { as: 'of a', who: 'a', id: 7 }),
      startLongTask(1000, { as: 'of b', who: 'b', id: 7 }),
      untilWorking('of a'),
      untilWorking('of b'),
      cancel('of a', { who: 'a' }),
      finish(),
    ],
    claims: [client('of b').result('structuredContent.finished', true)],
  }),
  check({
    id: 'cancellation/to-one-server-alone',
    title: 'tells no server but the one that works on the call',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.forwarded'],
    needs: ['aggregation'],
    why: 'Another server may have a call of its own under that id, and stops it.',
    steps: [
      startLongTask(3000, { as: 'call', on: 'crm' }),
      untilWorking('call'),
      cancel('call', { on: 'crm' }),
      untilDone('call'),
    ],
    claims: [
      claim('backend', 'no other server gets the cancellation', e => {
        const other = cancellations(e).find(x => x.server !== 'crm')
        return other && `${other.server} got it, too`
      }),
    ],
  }),
  check({
    id: 'cancellation/reason-kept',
    title: 'passes the reason of a cancellation on',
    pack: 'mcp',
    level: 'MAY',
    spec: FLOW,
    catalogue: ['cancellation.reason-preserved'],
    why: 'Whoever reads the server’s log cannot tell a user who gave up from a timeout.',
    steps: [
      startLongTask(3000, { as: 'call', id: 'with-reason' }),
      untilWorking('call'),
      notify('notifications/cancelled', { requestId: 'with-reason', reason: REASON }, { as: 'cancel' }),
      untilDone('call'),
    ],
    claims: [
      claim('backend', 'a cancellation that reaches the server has the reason that the client gave', e => {
        const other = cancellations(e).find(x => at(sent(x), 'params.reason') !== REASON)
        return other && `the reason is ${show(at(sent(other), 'params.reason'))}`
      }),
    ],
  }),
  check({
    id: 'cancellation/call-is-released',
    title: 'ends the answer to a cancelled call, when the server has',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.race-tolerated'],
    why: 'What waits for an answer that will never come keeps a connection, and its memory, for ever.',
    steps: [
      startLongTask(3000, { as: 'call' }),
      untilWorking('call'),
      cancel('call'),
      untilDone('call'),
      untilSeen('the answer to "call" has ended', seen => {
        const e = seen.client.findLast(x => x.label === 'call')
        return e?.endedAt !== undefined || e?.failure !== undefined
      }),
    ],
    claims: [
      client('call').holds('the answer has ended', e =>
        e.endedAt !== undefined || e.failure !== undefined ? undefined : 'the client still waits',
      ),
    ],
  }),
  check({
    id: 'cancellation/no-answer-afterwards',
    title: 'does not answer a cancelled call that the server did not answer',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['cancellation.no-response-after'],
    why: 'The client has forgotten the call, and reports an answer to a question that it never asked.',
    steps: [
      startLongTask(3000, { as: 'call' }),
      untilWorking('call'),
      cancel('call'),
      untilDone('call'),
      untilSeen('the answer to "call" has ended', seen => {
        const e = seen.client.findLast(x => x.label === 'call')
        return e?.endedAt !== undefined || e?.failure !== undefined
      }),
    ],
    claims: [
      client('call').holds('there is no response', (e, evidence) => {
        const got = reply(e)
        return got === undefined || endOf(evidence, 'call') !== 'stopped' ? undefined : show(got)
      }),
    ],
  }),
]
