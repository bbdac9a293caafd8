import { document, error, event, stream } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, json, parse } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { platform } from '../spec.ts'

const ERRORS = platform('errors')

const PROBLEM = {
  type: 'https://problems.example/invalid-params',
  title: 'INVALID_PARAMS',
  status: 422,
  detail: 'fields[2].type is none that the database knows',
  instance: '/tools/call/burst_target',
}
const EXTENSIONS = {
  approvalTicketId: 'ticket-hitl-88219',
  balance: null,
  accounts: [],
  retryable: false,
  'x-unknown': { rules: [{ name: 'a', limits: { day: {}, month: [[1, 2], []] } }] },
}
const KOREAN = {
  detail: '스키마 생성에 기존 인덱스 변경이 수반되어 관리자 승인이 필요합니다. 🙏',
  담당자: { 이름: '김서연', 부서: '데이터 플랫폼팀' },
}
const NUMBERS = parse(
  '{"orderId":9007199254740993,"limits":{"int64":9223372036854775807,"rate":0.1000000000000000055}}',
)

/** The member of the problem is this one, number for number. */
const has = (path: string, expected: unknown): Claim =>
  client().holds(`error.data.${path} is what the server had in it`, e => {
    const got = at(reply(e), `error.data.${path}`)
    if (got === undefined) return `it is not there: ${describe(e)}`
    return sayChanges(differences(json(expected), got), 'the server sent', 'the client got')
  })

const all = (members: object) => Object.entries(members).map(([name, value]) => has(name, value)) as [Claim, ...Claim[]]

/** Problems of a server, on their way to the client. */
export const kept: readonly Check[] = [
  check({
    id: 'problem-details/members-kept',
    title: 'keeps type, title, status, detail and instance of a problem',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'By the type programs know what has happened, by the detail people do, by the instance both find where.',
    steps: [call('burst_target', {}, { acts: document(error(-32602, 'Invalid Params', PROBLEM), 422) })],
    claims: all(PROBLEM),
  }),
  check({
    id: 'problem-details/extensions-kept',
    title: 'keeps members of a problem that no standard names, whatever is in them',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'Without its ticket, nobody can approve the call.',
    steps: [
      call(
        'burst_target',
        {},
        { acts: document(error(-32001, 'HITL Approval Required', { ...PROBLEM, ...EXTENSIONS }), 403) },
      ),
    ],
    claims: all(EXTENSIONS),
  }),
  check({
    id: 'problem-details/numbers-kept',
    title: 'keeps numbers in a problem to the last digit',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend', 'http-proxy'],
    why: 'Ids of orders and tickets are such numbers; a rounded one is that of another order.',
    steps: [
      call(
        'burst_target',
        {},
        { acts: document(error(-32603, 'Internal Error', { ...PROBLEM, order: NUMBERS }), 500) },
      ),
    ],
    claims: [has('order', NUMBERS)],
  }),
  check({
    id: 'problem-details/korean-kept',
    title: 'keeps Korean texts and names in a problem',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'The administrator who is to decide reads the detail, and can not read question marks.',
    steps: [
      call(
        'burst_target',
        {},
        { acts: document(error(-32001, 'HITL Approval Required', { ...PROBLEM, ...KOREAN }), 403) },
      ),
    ],
    claims: all(KOREAN),
  }),
  check({
    id: 'problem-details/on-stream',
    title: 'keeps a problem that comes in an event stream',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'Long tasks fail in a stream: there the problem is all that tells why.',
    steps: [
      call('burst_target', {}, { acts: stream(event(error(-32603, 'Internal Error', { ...PROBLEM, status: 500 }))) }),
    ],
    claims: [client().status(200), has('status', 500), unchanged().error('data')],
  }),
  check({
    id: 'problem-details/approval-of-a-schema',
    title: 'passes the problem of a schema that must be approved on as SyncBoot made it',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('approvals'),
    needs: ['many-backends'],
    why: 'The administrator sees which index is changed, and the ticket by which to allow it.',
    steps: [
      call(
        'syncboot_generate_schema',
        { domainName: 'MembershipGrade', fields: [], alterIndexes: true },
        { on: 'syncboot' },
      ),
    ],
    claims: [
      client().error(-32001),
      ...all({
        type: 'https://empasy.io/errors/hitl-approval-required',
        title: 'HITL_APPROVAL_REQUIRED',
        status: 403,
        detail: 'Index modification detected on table tb_membership_grade',
        instance: '/tools/call/syncboot_generate_schema',
        approvalTicketId: 'ticket-hitl-88219',
      }),
      unchanged().error(),
    ],
  }),
]
