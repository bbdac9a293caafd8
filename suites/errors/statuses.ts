import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call } from '../../kit/steps.ts'
import type { Act, Check, Claim, Pairs, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { failing, json, whole } from '../answers.ts'
import { rfc9110, spec } from '../spec.ts'

const ANSWERS = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')

const PAGE = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>\n'

/** One call for each of these answers of the server. */
const calls = (answers: Readonly<Record<string, readonly Act[]>>): [Step, ...Step[]] =>
  Object.entries(answers).map(([as, acts]) => call('burst_target', {}, { as, acts })) as [Step, ...Step[]]

/** The client gets a JSON-RPC error of its own request, as JSON or in a stream, in each of these exchanges. */
const ownErrors = (answers: Readonly<Record<string, readonly Act[]>>): [Claim, ...Claim[]] =>
  Object.keys(answers).flatMap(as => [
    client(as).error(),
    client(as).sameId(),
    client(as).holds('it comes as JSON or as an event stream', e => {
      const type = field(e.response?.headers ?? [], 'content-type') ?? 'none'
      return /^\s*(application\/json|text\/event-stream)\s*(;|$)/i.test(type) ? undefined : `Content-Type: ${type}`
    }),
  ]) as [Claim, ...Claim[]]

const reached = (answers: Readonly<Record<string, readonly Act[]>>): Claim[] =>
  Object.keys(answers).map(as =>
    backend(as).all('the request reaches the server', seen => (seen.length ? undefined : 'nothing of it came')),
  )

const PAGES = {
  '502 with a web page': whole(502, 'text/html', PAGE),
  '503 with text': whole(503, 'text/plain', 'upstream connect error\n'),
  '500 with nothing': whole(500, undefined, ''),
}
const NO_JSON = {
  'a web page with 200': whole(200, 'text/html; charset=utf-8', '<html><body>Please log in</body></html>'),
  'JSON that is none': json('Internal error, sorry'),
}
const NOTHING = {
  '200 with nothing': json(''),
  '202': whole(202, undefined, ''),
  '204': whole(204, undefined, ''),
}
const WITH_BODY = {
  '400': json(failing(-32600, '잘못된 요청', '"data":{"n":9007199254740993}'), 400),
  '422': json(failing(-32602, '필드가 잘못되었습니다', '"data":[]'), 422),
  '500': json(failing(-32603, '서버 오류', '"data":null'), 500),
  '503': json(failing(-32050, '점검 중', '"data":"10분"'), 503),
}
const CHALLENGE =
  'Bearer realm="crm", error="invalid_token", error_description="The token, it expired", ' +
  'resource_metadata="https://crm.example/.well-known/oauth-protected-resource/mcp", scope="refund:write a"'
const REFUSALS: Readonly<Record<string, readonly [number, Pairs]>> = {
  '401': [401, [['WWW-Authenticate', CHALLENGE]]],
  '403': [403, [['WWW-Authenticate', 'Bearer error="insufficient_scope", scope="refund:write"']]],
}

/** HTTP statuses of servers that fail. */
export const statuses: readonly Check[] = [
  check({
    id: 'errors/http-status-kept',
    title: 'gives on an error with the HTTP status that the server gave it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('15'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Load balancers, retries and alarms go by the status: a failing server looks healthy.',
    steps: calls(WITH_BODY),
    claims: Object.keys(WITH_BODY).flatMap(as => [unchanged(as).status(), unchanged(as).error()]) as [
      Claim,
      ...Claim[],
    ],
  }),
  check({
    id: 'errors/challenge-kept',
    title: 'gives on 401 and 403 with the whole challenge of the server',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('11.6.1'),
    catalogue: ['auth.backend-challenge-not-misrelayed'],
    needs: ['http-backend', 'http-proxy'],
    why: 'The client does not find out where to sign in, or which scope to ask for.',
    steps: Object.entries(REFUSALS).map(([as, [status, headers]]) =>
      call('burst_target', {}, { as, acts: whole(status, 'application/json', '{"error":"refused"}', headers) }),
    ) as [Step, ...Step[]],
    claims: Object.keys(REFUSALS).flatMap(as => [
      unchanged(as).status(),
      unchanged(as).responseHeader('WWW-Authenticate'),
    ]) as [Claim, ...Claim[]],
  }),
  check({
    id: 'errors/retry-after-kept',
    title: 'gives on 429 with the time after which to try again',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('10.2.3'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Clients try again at once, all of them, and the server never recovers.',
    steps: [
      call(
        'burst_target',
        {},
        {
          acts: json(failing(-32002, '예산을 초과했습니다', '"data":{"retryAfter":37}'), 429, [['Retry-After', '37']]),
        },
      ),
    ],
    claims: [unchanged().status(), unchanged().responseHeader('Retry-After'), unchanged().error()],
  }),
  check({
    id: 'errors/failed-status-is-error',
    title: 'MUST answer with a JSON-RPC error where a server fails with status 500 and one',
    pack: 'mcp',
    level: 'MUST',
    spec: ANSWERS,
    catalogue: ['errors.gateway-origin-is-jsonrpc', 'errors.no-swallowing'],
    needs: ['http-backend', 'own-errors'],
    why: 'The client waits for the answer to its request, or takes an empty one for a success.',
    steps: calls({ '500 with an error': WITH_BODY['500'] }),
    given: reached({ '500 with an error': WITH_BODY['500'] }),
    claims: ownErrors({ '500 with an error': WITH_BODY['500'] }),
  }),
  check({
    id: 'errors/error-page-is-error',
    title: 'MUST answer with a JSON-RPC error where a server fails with a status and no JSON',
    pack: 'mcp',
    level: 'MUST',
    spec: ANSWERS,
    catalogue: ['errors.backend-garbage', 'errors.gateway-origin-is-jsonrpc', 'envelope.error-shape'],
    needs: ['http-backend', 'own-errors'],
    why: 'A load balancer before a server that restarts sends such pages; the client cannot tell whose they are.',
    steps: calls(PAGES),
    given: reached(PAGES),
    claims: ownErrors(PAGES),
  }),
  check({
    id: 'errors/garbage-is-error',
    title: 'MUST answer with a JSON-RPC error where a server succeeds with what is no JSON-RPC',
    pack: 'mcp',
    level: 'MUST',
    spec: ANSWERS,
    catalogue: ['errors.backend-garbage', 'envelope.id-echo'],
    needs: ['http-backend', 'own-errors'],
    why: 'A login page, sent with 200, is given on as the answer of a tool.',
    steps: calls(NO_JSON),
    given: reached(NO_JSON),
    claims: ownErrors(NO_JSON),
  }),
  check({
    id: 'errors/nothing-is-no-success',
    title: 'MUST answer with a JSON-RPC error where a server succeeds with nothing',
    pack: 'mcp',
    level: 'MUST',
    spec: ANSWERS,
    catalogue: ['errors.no-swallowing', 'errors.gateway-origin-is-jsonrpc'],
    needs: ['http-backend', 'own-errors'],
    why: 'The call was lost, and the client is told that all went well.',
    steps: calls(NOTHING),
    given: reached(NOTHING),
    claims: ownErrors(NOTHING),
  }),
]
