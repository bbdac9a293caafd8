import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, type JsonObject, show } from '../../kit/json.ts'
import { isReply, messages, sent } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { body, call, callWithProgress, notify, request } from '../../kit/steps.ts'
import type { Check, Claim, Evidence, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'

/** The messages that the servers were sent. */
const received = (evidence: Evidence): JsonObject[] =>
  evidence.backend.flatMap(e => [sent(e) ?? null].flat()).filter(isObject)

const got = (evidence: Evidence): JsonObject[] => evidence.client.flatMap(messages)

const isNotice = (message: JsonObject): boolean => String(message['method'] ?? '').startsWith('notifications/')

const every = (side: 'client' | 'backend', says: string, wrong: (message: JsonObject) => boolean): Claim =>
  claim(side, says, evidence => {
    const seen = (side === 'client' ? got : received)(evidence)
    const bad = seen.filter(wrong)
    if (!seen.length) return 'no message was seen'
    return bad.length ? `${bad.length} of ${seen.length} messages are otherwise, as ${show(bad[0], 100)}` : undefined
  })

const unknownMethod = (as: string) => request('x-mock/no-such-method', {}, { as })
const unknownTool = (as: string) => request('tools/call', { name: 'no_such_tool', arguments: {} }, { as })

/** JSON-RPC of every message, and the messages that ask for nothing. */
export const plain: readonly Check[] = [
  check({
    id: 'envelope/jsonrpc-version',
    title: 'says "jsonrpc": "2.0" in every message, to both sides',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic', 'messages'),
    catalogue: ['envelope.jsonrpc-2.0'],
    why: 'Peers that hold messages against the schema throw away what does not say so.',
    steps: [
      call('echo'),
      callWithProgress('count', { to: 3 }, 'steps'),
      call('fails_as_error'),
      request('tools/list'),
      request('ping'),
      unknownMethod('unknown'),
    ],
    claims: [
      every('client', 'every message says "2.0"', m => m['jsonrpc'] !== '2.0'),
      every('backend', 'every message says "2.0"', m => m['jsonrpc'] !== '2.0'),
    ],
  }),
  check({
    id: 'envelope/result-xor-error',
    title: 'answers with a result or with an error, never with both and never with neither',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic', 'responses'),
    catalogue: ['envelope.result-xor-error'],
    why: 'With both, one client sees success and the next one failure.',
    steps: [call('echo'), call('fails_as_result'), call('fails_as_error'), unknownMethod('unknown')],
    claims: [
      every(
        'client',
        'every answer has a result or an error, and not both',
        m => m['method'] === undefined && Object.hasOwn(m, 'result') === Object.hasOwn(m, 'error'),
      ),
    ],
  }),
  check({
    id: 'envelope/answer-content-type',
    title: 'answers requests as application/json or as text/event-stream',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.response-content-type'],
    why: 'Clients choose by the content type how to read the answer; anything else they do not read at all.',
    steps: [call('echo'), call('fails_as_error'), unknownTool('unknown tool'), unknownMethod('unknown method')],
    claims: [
      claim('client', 'every answer of status 2xx to a request has one of the two types', evidence => {
        const answered = evidence.client.filter(e => at(sent(e), 'id') !== undefined && isSuccess(e))
        const odd = answered.find(e => !/^(application\/json|text\/event-stream)\s*(;|$)/i.test(typeOf(e)))
        if (!answered.length) return 'no request was answered with 2xx'
        return odd && `${show(at(sent(odd), 'method'))} was answered as ${typeOf(odd) || 'nothing in particular'}`
      }),
    ],
  }),
  check({
    id: 'envelope/notification-202',
    title: 'accepts a notification with 202 and no body',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.notification-202'],
    why: 'Clients wait for a message where the answer to a notification has a body or says 200, and some give up the session.',
    steps: [call('burst_target')],
    claims: [client('initialized of a').status(202), emptyBody('initialized of a')],
  }),
  check({
    id: 'envelope/notification-no-answer',
    title: 'never answers a notification with a message, not even one that it does not know',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic', 'notifications'),
    catalogue: ['envelope.notification-no-response', 'http.notification-rejected-status'],
    why: 'The client has no request that the answer could belong to.',
    steps: [
      notify('notifications/cancelled', { requestId: 'not-under-way' }, { as: 'for a request that is not under way' }),
      notify('notifications/x-mock/unknown', { 'x-mock': true }, { as: 'unknown' }),
    ],
    claims: [unanswered('for a request that is not under way'), unanswered('unknown')],
  }),
  check({
    id: 'envelope/notification-no-id',
    title: 'never gives a notification an id, on its way to either side',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic', 'notifications'),
    catalogue: ['envelope.notification-no-id'],
    why: 'With an id it is a request, and the peer answers it or waits for an answer.',
    steps: [
      callWithProgress('count', { to: 3 }, 'steps'),
      notify('notifications/roots/list_changed'),
      call('burst_target'),
    ],
    claims: [
      every('client', 'no notification has an id', m => isNotice(m) && Object.hasOwn(m, 'id')),
      every('backend', 'no notification has an id', m => isNotice(m) && Object.hasOwn(m, 'id')),
    ],
  }),
  check({
    id: 'envelope/ping-answered',
    title: 'answers a ping with an empty result, whether it has params or not',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/utilities/ping', 'behavior-requirements'),
    catalogue: ['lifecycle.ping-client-to-server'],
    why: 'A client whose ping fails takes the connection for dead and closes it.',
    steps: [
      request('ping', {}, { as: 'with params' }),
      body('{"jsonrpc":"2.0","id":"ping-1","method":"ping"}', 'sends a ping without params', { as: 'without params' }),
    ],
    claims: [emptyResult('with params'), emptyResult('without params'), client('without params').sameId()],
  }),
  check({
    id: 'envelope/no-404-in-session',
    title: 'does not say 404 to a request in a session that is alive',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/transports', 'session-management'),
    catalogue: ['http.legacy-404-reserved-for-sessions'],
    needs: ['sessions'],
    why: 'In a session 404 means that the session is gone: the client throws it away and begins a new one.',
    steps: [
      unknownTool('unknown tool'),
      unknownMethod('unknown method'),
      call('burst_target', {}, { as: 'afterwards' }),
    ],
    claims: [not404('unknown tool'), not404('unknown method'), client('afterwards').succeeds()],
  }),
]

function isSuccess(e: Exchange): boolean {
  const status = e.response?.status ?? 0
  return status >= 200 && status < 300
}

function typeOf(e: Exchange): string {
  return field(e.response?.headers ?? [], 'content-type') ?? ''
}

function emptyBody(label: string): Claim {
  return client(label).holds('there is no body in the answer', e => {
    if (e.response === undefined) return describe(e)
    return e.response.size === 0 ? undefined : `${e.response.size} bytes: ${show(e.response.body, 80)}`
  })
}

/** Accepted without a word, or refused by the status; an error may stand with that, but it answers nothing. */
function unanswered(label: string): Claim {
  return client(label).holds('no message answers it', e => {
    if (e.response === undefined) return describe(e)
    const answer = messages(e).find(isReply)
    if (answer === undefined) return undefined
    const refused = e.response.status >= 400 && !Object.hasOwn(answer, 'result') && (answer['id'] ?? null) === null
    return refused ? undefined : `status ${e.response.status} with ${show(answer)}`
  })
}

function emptyResult(label: string): Claim {
  return client(label).holds('the result is empty', e => {
    const result = at(messages(e).find(isReply), 'result')
    if (!isObject(result)) return describe(e)
    const members = Object.keys(result).filter(name => name !== '_meta')
    return members.length ? `it has ${members.join(', ')}` : undefined
  })
}

function not404(label: string): Claim {
  return client(label).holds('the status is not 404', e => (e.response?.status === 404 ? describe(e) : undefined))
}
