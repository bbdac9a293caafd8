import { document, error, event, head, progress, stream, write } from '../../kit/acts.ts'
import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, show, stringify } from '../../kit/json.ts'
import { messages, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { body, call, callWithProgress, request } from '../../kit/steps.ts'
import type { Act, Check, Claim } from '../../kit/types.ts'
import { platform } from '../spec.ts'

const ERRORS = platform('errors')
const PROBLEM = { type: 'about:blank', title: 'Internal Error', status: 500 }

/** The answer is an error, and there is no result beside it. */
const noResult = (label?: string): Claim =>
  client(label).holds('there is no result in the answer', e =>
    messages(e).some(m => Object.hasOwn(m, 'result')) ? describe(e) : undefined,
  )

const META = '{"mcp-conformance/nonce":"{{nonce}}"}'
const one = (id: string) =>
  `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"{{tool:burst_target}}","arguments":{},"_meta":${META}}}`
const failed = (id: string, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: `the error of ${id}` } })

const BATCH: readonly Act[] = [
  head([['Content-Type', 'application/json']]),
  write(stringify([failed('b-2', -32602), failed('b-1', -32603)] as never)),
  { do: 'end' },
]

/** What is wrong with the codes of the errors by id. */
const codesAre = (expected: Readonly<Record<string, number>>): Claim =>
  client().holds(`the errors by id are ${stringify(expected as never)}`, e => {
    const got = Object.fromEntries(messages(e).map(m => [String(m['id']), show(at(m, 'error.code') ?? null)]))
    const same = Object.entries(expected).every(([id, code]) => got[id] === String(code))
    return same && Object.keys(got).length === Object.keys(expected).length ? undefined : describe(e)
  })

/** What must not become of errors. */
export const kept: readonly Check[] = [
  check({
    id: 'error-table/forbidden',
    title: 'passes Forbidden on, which is -32003, too, with the HTTP status that the server gave it',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('tier-2-the-server'),
    needs: ['http-backend'],
    why: 'The one who may approve refunds is asked for, where the caller reads that a role is missing.',
    steps: [
      call(
        'approve_refund',
        { order_id: 'ORD-99', amount: 120_000 },
        { acts: document(error(-32003, 'Forbidden: Requires crm_admin role for refund approval')) },
      ),
    ],
    claims: [client().status(200), client().error(-32003), unchanged().error()],
  }),
  check({
    id: 'error-table/unknown-tool',
    title: 'passes on that there is no such tool, with -32601 and 404, where the server says so',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend', 'http-proxy'],
    why: 'The server alone knows its tools: what the gateway says in its place is wrong on the day when they change.',
    steps: [
      request(
        'tools/call',
        { name: 'not_registered', arguments: {} },
        { acts: document(error(-32601, 'Method Not Found: not_registered'), 404) },
      ),
    ],
    claims: [backend().once(), client().status(404), client().error(-32601), unchanged().error()],
  }),
  check({
    id: 'error-table/no-fake-success',
    title: 'passes an error on as an error, also where the HTTP status is 200',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'What failed and looks like a success is not repaired: the workflow goes on with nothing in its hands.',
    steps: [call('burst_target', {}, { acts: document(error(-32603, 'the agent failed', PROBLEM)) })],
    claims: [client().error(-32603), noResult()],
  }),
  check({
    id: 'error-table/failed-tool-stays-failed',
    title: 'passes on the result of a tool that failed with isError and all that it says',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    why: 'A failure of a tool without its mark is an empty success.',
    steps: [call('fails_as_result')],
    given: [
      backend().holds('the server marks the result as failed', e =>
        at(reply(e), 'result.isError') === true ? undefined : describe(e),
      ),
    ],
    claims: [client().result('isError', true), unchanged().result('content')],
  }),
  check({
    id: 'error-table/never-empty',
    title: 'gives the whole error on, never an empty answer with its HTTP status',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'A status alone says that something is wrong, and not what: nobody can help the caller.',
    steps: [call('burst_target', {}, { acts: document(error(-32603, '점검 중입니다', PROBLEM), 503) })],
    claims: [
      client().holds('the answer has a body', e => ((e.response?.size ?? 0) > 0 ? undefined : describe(e))),
      client().error(-32603),
      unchanged().error(),
    ],
  }),
  check({
    id: 'error-table/batch-ids-kept',
    title: 'keeps for each error of a batch the id of its request',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    since: '2025-03-26',
    until: '2025-06-18',
    needs: ['http-backend', 'http-proxy'],
    why: 'With the ids mixed up, the caller of the one call repairs what was wrong with the other.',
    steps: [body(`[${one('b-1')},${one('b-2')}]`, 'calls the tool burst_target twice in a batch', { acts: BATCH })],
    claims: [codesAre({ 'b-1': -32603, 'b-2': -32602 })],
  }),
  check({
    id: 'error-table/on-stream',
    title: 'keeps code, message and data of an error that comes in an event stream',
    pack: 'syncseries',
    level: 'MUST',
    spec: ERRORS,
    needs: ['http-backend'],
    why: 'The status of a stream is 200 from the start: the error in it is all that tells of the failure.',
    steps: [call('burst_target', {}, { acts: stream(event(error(-32002, '토큰 한도를 모두 사용했습니다', PROBLEM))) })],
    claims: [client().status(200), client().error(-32002), noResult(), unchanged().error()],
  }),
  check({
    id: 'error-table/after-progress',
    title: 'passes on the error that ends a long task which has told of its progress',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('streams'),
    needs: ['http-backend'],
    why: 'A task that stands still at 60 of 100 and never fails is waited for without end.',
    steps: [
      callWithProgress('burst_target', {}, 'p-1', {
        acts: stream(
          event(progress(25, { total: 100 })),
          event(progress(60, { total: 100 })),
          event(error(-32003, '보상 트랜잭션이 진행 중입니다', PROBLEM)),
        ),
      }),
    ],
    claims: [client().whole(), client().error(-32003), noResult(), unchanged().error()],
  }),
]
