import { document, error } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'

interface Row {
  readonly id: string
  readonly code: number
  readonly status: number
  readonly name: string
  readonly message: string
  readonly why: string
}

const TABLE: readonly Row[] = [
  {
    id: 'parse-error',
    code: -32700,
    status: 400,
    name: 'Parse Error',
    message: 'Parse Error: 요청 본문이 올바른 JSON이 아닙니다.',
    why: 'The client has to mend what it writes; told anything else it sends the same again.',
  },
  {
    id: 'invalid-request',
    code: -32600,
    status: 400,
    name: 'Invalid Request',
    message: 'Invalid Request: jsonrpc 필드가 없습니다.',
    why: 'The client has to mend how it asks; told anything else it sends the same again.',
  },
  {
    id: 'method-not-found',
    code: -32601,
    status: 404,
    name: 'Method Not Found',
    message: 'Method Not Found: 등록되지 않은 도구입니다.',
    why: 'An orchestrator looks for another agent that has the tool, where it is told that this one has none.',
  },
  {
    id: 'invalid-params',
    code: -32602,
    status: 422,
    name: 'Invalid Params',
    message: 'Invalid Params: domainName은 필수 항목입니다.',
    why: 'A model puts its arguments right where it is told that they are wrong, and gives up where the agent seems broken.',
  },
  {
    id: 'internal-error',
    code: -32603,
    status: 500,
    name: 'Internal Error',
    message: 'Internal Error: 에이전트 내부에서 예외가 발생했습니다.',
    why: 'Those who run the agent hear of its failures by this status.',
  },
  {
    id: 'approval-required',
    code: -32001,
    status: 403,
    name: 'HITL Approval Required',
    message: 'HITL Approval Required: 관리자 승인이 필요합니다.',
    why: 'Nobody is asked to approve what looks like any other failure, and the call waits for ever.',
  },
  {
    id: 'budget-exceeded',
    code: -32002,
    status: 429,
    name: 'Token Budget Exceeded',
    message: 'Token Budget Exceeded: 이번 달 토큰 한도를 모두 사용했습니다.',
    why: 'An agent that does not hear that its tokens are used up goes on, and costs money with each try.',
  },
  {
    id: 'compensating',
    code: -32003,
    status: 500,
    name: 'Compensating Tx Triggered',
    message: 'Compensating Tx Triggered: 보상 트랜잭션이 진행 중입니다.',
    why: 'Who takes it for a common failure tries the step again, while the steps before it are being undone.',
  },
]

/** One check for each row of the table: the gateway passes on what the server said, whole. */
export const codes: readonly Check[] = TABLE.map(({ id, code, status, name, message, why }) =>
  check({
    id: `error-table/${id}`,
    title: `passes ${name} on with its code ${code}, message, data and HTTP status ${status}`,
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('errors'),
    needs: ['http-backend'],
    why,
    steps: [
      call('burst_target', {}, { acts: document(error(code, message, { type: 'about:blank', title: name }), status) }),
    ],
    claims: [client().status(status), client().error(code), client().sameId(), unchanged().error()],
  }),
)
