import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { show } from '../../kit/json.ts'
import { call, finish, hangUp, open, start, untilAdmin, untilEvents, withToken } from '../../kit/steps.ts'
import type { Check, Evidence } from '../../kit/types.ts'
import { failing, json } from '../answers.ts'
import { tooMany } from '../breakers.ts'
import {
  common,
  isNone,
  member,
  OWN_API,
  opening,
  record,
  recordsBeside,
  seenBy,
  statusOf,
  untilRecorded,
} from './records.ts'

const clientSaw = ({ client }: Pick<Evidence, 'client'>, status: number): number =>
  client.filter(e => e.response?.status === status).length
const recorded = (evidence: Pick<Evidence, 'client' | 'target'>, status: number): number => {
  const burst = evidence.client.find(e => e.label === 'burst')
  return recordsBeside(evidence, burst).filter(one => statusOf(evidence, one) === String(status)).length
}

/** What is recorded of calls that came to nothing. */
export const refused: readonly Check[] = [
  check({
    ...common,
    id: 'audit/unauthorized-recorded',
    title: 'records calls whose token is not valid, as those of nobody',
    needs: ['audit-log', 'auth', 'sessions'],
    why: 'Whoever tries stolen or forged tokens leaves no trace, or leaves that of the one he says he is.',
    steps: [
      open({ as: 'hello' }),
      withToken(
        { kind: 'wrong-key', claims: { sub: 'the-ceo' } },
        'a token that says it is of the-ceo, signed by another key',
      ),
      call('approve_refund', { order_id: 'A-1', reason: 'none' }, { as: 'forged' }),
      untilRecorded('forged'),
    ],
    given: [client('hello').succeeds(), client('forged').status(401)],
    claims: [
      record('forged').status(),
      record('forged').holds('has no user', (found, _, evidence) => {
        const user = member(evidence, found, 'userId')
        return isNone(user) ? undefined : `userId: ${show(user)}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/surplus-recorded',
    title: 'records every call that the rate guard refuses',
    needs: ['audit-log', 'rate-guard'],
    why: 'An agent in a loop is stopped, and the record does not show that there was one.',
    steps: [
      tooMany('burst'),
      untilAdmin(
        'audit',
        'all that was refused is in it',
        (_, rig) => recorded(seenBy(rig), 429) >= clientSaw(seenBy(rig), 429),
        { as: 'audit' },
      ),
    ],
    given: [claim('client', 'some calls are refused', e => (clientSaw(e, 429) > 0 ? undefined : 'none was'))],
    claims: [
      claim('client', 'there are as many records with 429 as answers', evidence => {
        const [got, wanted] = [recorded(evidence, 429), clientSaw(evidence, 429)]
        return got === wanted ? undefined : `${got} records for ${wanted} answers`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/nameless-recorded',
    title: 'records calls that name no service',
    needs: ['audit-log', 'header-routing', 'sessions'],
    why: 'A client that is set up wrongly is invisible to those who could tell its owner.',
    steps: [
      open(),
      call('send_email', { to: 'b@example.com', subject: 's' }, { as: 'nameless', headers: { 'Mcp-Name': undefined } }),
      untilRecorded('nameless'),
    ],
    given: [client('nameless').status(400, 499)],
    claims: [record('nameless').status()],
  }),
  check({
    ...common,
    id: 'audit/unknown-service-recorded',
    title: 'records calls for a service that there is not, with its name',
    needs: ['audit-log', 'header-routing', 'sessions'],
    why: 'Someone tries one name after the other, and nothing shows it.',
    steps: [
      open(),
      call('echo', {}, { as: 'lost', headers: { 'Mcp-Name': 'payroll-service' } }),
      untilRecorded('lost'),
    ],
    given: [client('lost').status(400, 599)],
    claims: [record('lost').status(), record('lost').has('mcpName', 'payroll-service')],
  }),
  check({
    ...common,
    id: 'audit/error-visible',
    title: 'shows the JSON-RPC error of a call whose status is 200',
    level: 'SHOULD',
    needs: [...OWN_API],
    why: 'In MCP most errors have the status 200: a record of statuses alone says that all is well.',
    steps: [
      call('fails_as_error', { code: -32001 }, { as: 'failed', acts: json(failing(-32001, 'not now')) }),
      untilRecorded('failed'),
    ],
    given: [client('failed').error(-32001)],
    claims: [
      record('failed').has('outcome', 'error'),
      record('failed').holds('has the code of the error', (found, _, evidence) => {
        const code = show(member(evidence, found, 'errorCode'))
        return code === '-32001' ? undefined : `errorCode: ${code}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/tool-error-visible',
    title: 'shows that a tool has failed, where its result says so',
    level: 'SHOULD',
    needs: [...OWN_API],
    why: 'The refund was not made, isError says so, and the record counts it as done.',
    steps: [call('fails_as_result', {}, { as: 'failed' }), untilRecorded('failed')],
    given: [client('failed').result('isError', true)],
    claims: [record('failed').has('outcome', 'tool-error')],
  }),
  check({
    ...common,
    id: 'audit/hang-up-recorded',
    title: 'records calls whose client hangs up before the answer has ended',
    needs: ['audit-log', 'http-backend'],
    why: 'Whoever hangs up in time calls any tool without a trace.',
    steps: [
      start(call('count', { to: 3 }, { as: 'left', acts: [...opening, { do: 'until-gone' }] })),
      untilEvents('left', 1),
      hangUp('left'),
      finish(),
      untilRecorded('left'),
    ],
    claims: [record('left').once()],
  }),
]
