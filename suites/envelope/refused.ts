import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, show, stringify } from '../../kit/json.ts'
import { isReply, messages } from '../../kit/messages.ts'
import { describe, NONCE } from '../../kit/session.ts'
import { body } from '../../kit/steps.ts'
import type { Check, Claim, Exchange, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const META = `{"${NONCE}":"{{nonce}}"}`
const ECHO = `"method":"tools/call","params":{"name":"{{tool:echo}}","arguments":{"nonce":"{{nonce}}"},"_meta":${META}}`
const PING = `"method":"ping","params":{"_meta":${META}}`

const post = (as: string, text: string): Step => body(text, `sends ${as}: ${text.slice(0, 60)}`, { as })

/** Refused by the status or by a JSON-RPC error. 404 is neither: in a session it says that the session is gone. */
const refusal = (e: Exchange): boolean => {
  const status = e.response?.status ?? 0
  if (messages(e).some(m => Object.hasOwn(m, 'result'))) return false
  if (status >= 400 && status < 500 && status !== 404) return true
  return status < 400 && messages(e).some(m => isObject(m['error']))
}

const refused = (label: string): Claim =>
  client(label).holds('it is refused, by a JSON-RPC error or a status of 4xx', e =>
    refusal(e) ? undefined : describe(e),
  )

/** Every request of the batch, by its id, answered once with a result; nothing else answered. */
const answered = (label: string, ...ids: readonly string[]): Claim =>
  client(label).holds('each of its requests is answered once, with a result, and nothing else is', e => {
    const replies = messages(e).filter(isReply)
    for (const id of ids) {
      const own = replies.filter(r => r['id'] === id)
      if (own.length !== 1) return `"${id}" was answered ${own.length} times; ${describe(e)}`
      if (!Object.hasOwn(own[0]!, 'result')) return `"${id}" was answered with ${show(own[0])}`
    }
    const other = replies.find(r => !ids.some(id => r['id'] === id))
    return other && `there is an answer to ${stringify(other['id'] ?? null)}`
  })

const noneAnswered = (label: string): Claim =>
  claim('client', 'no call of the batch has a result', evidence => {
    const e = evidence.client.findLast(x => x.label === label)
    const done = e && messages(e).filter(m => at(m, 'result') !== undefined)
    return done?.length ? `${done.length} have, as ${show(done[0], 80)}` : undefined
  })

/** What is no message, and messages by the dozen. */
export const refusals: readonly Check[] = [
  check({
    id: 'envelope/parse-error',
    title: 'refuses what is not JSON, as a parse error or with 400',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic', 'messages'),
    catalogue: ['envelope.parse-error'],
    why: 'A body that was cut off on its way must not look like a failure of the server, or like a success.',
    steps: [
      post('a message that is cut off', '{"jsonrpc":"2.0","id":"cut-1","method":"tools/call","params":{'),
      post('a text that is not JSON', 'tools/call echo {{nonce}}'),
    ],
    claims: [refused('a message that is cut off'), refused('a text that is not JSON')],
  }),
  check({
    id: 'envelope/invalid-request',
    title: 'refuses JSON that is no JSON-RPC message',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic', 'messages'),
    catalogue: ['envelope.invalid-request'],
    why: 'Accepted without a word, the mistake is found by nobody: the client waits for an answer.',
    steps: [
      post('an empty object', '{}'),
      post('a string', '"tools/call"'),
      post('a message without a method', '{"jsonrpc":"2.0","id":"invalid-1","params":{}}'),
      post('a message of JSON-RPC 1.0', `{"jsonrpc":"1.0","id":"invalid-2",${PING}}`),
    ],
    claims: [
      refused('an empty object'),
      refused('a string'),
      refused('a message without a method'),
      refused('a message of JSON-RPC 1.0'),
    ],
  }),
  check({
    id: 'envelope/id-null-refused',
    title: 'refuses a request whose id is null',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic', 'requests'),
    catalogue: ['envelope.id-null-not-executed'],
    why: 'Taken for a notification, the call is accepted and its answer is lost; carried out, nobody can match the answer.',
    steps: [post('a call with the id null', `{"jsonrpc":"2.0","id":null,${ECHO}}`)],
    claims: [refused('a call with the id null')],
  }),
  check({
    id: 'envelope/batch-refused',
    title: 'refuses a batch, which this revision does not have',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    since: '2025-06-18',
    catalogue: ['envelope.no-batch'],
    why: 'What the gateway reads as one message and the server as many, or the reverse, gets past every rule that looks at messages.',
    steps: [post('a batch', `[{"jsonrpc":"2.0","id":"b-1",${PING}},{"jsonrpc":"2.0","id":"b-2",${ECHO}}]`)],
    claims: [refused('a batch'), noneAnswered('a batch')],
  }),
  check({
    id: 'envelope/batch-answered',
    title: 'answers every request of a batch once, and its notifications not at all',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-03-26', 'basic', 'batching'),
    since: '2025-03-26',
    until: '2025-06-18',
    catalogue: ['envelope.batch-received'],
    why: 'A client of that revision waits for the answers that are missing.',
    steps: [
      post(
        'a batch',
        `[{"jsonrpc":"2.0","id":"b-1",${PING}},` +
          `{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":${META}}},` +
          `{"jsonrpc":"2.0","id":"b-2",${ECHO}},` +
          `{"jsonrpc":"2.0","id":"b-3","method":"tools/list","params":{"_meta":${META}}}]`,
      ),
    ],
    claims: [answered('a batch', 'b-1', 'b-2', 'b-3')],
  }),
  check({
    id: 'envelope/batch-of-notifications-202',
    title: 'accepts a batch of notifications with 202 and no body',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-03-26', 'basic/transports', 'sending-messages-to-the-server'),
    since: '2025-03-26',
    until: '2025-06-18',
    catalogue: ['envelope.batch-received', 'http.notification-202'],
    why: 'JSON-RPC answers such a batch with nothing; a client that gets [] or 200 takes it for a fault.',
    steps: [
      post(
        'a batch of notifications',
        `[{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":${META}}},` +
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"not-under-way","_meta":${META}}}]`,
      ),
    ],
    claims: [
      client('a batch of notifications').status(202),
      client('a batch of notifications').holds('there is no body in the answer', e =>
        e.response?.size ? show(e.response.body, 80) : undefined,
      ),
    ],
  }),
]
