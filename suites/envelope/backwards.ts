import { event, gate, head, says, write } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, type Json, show, stringify } from '../../kit/json.ts'
import { isReply, messages, sent } from '../../kit/messages.ts'
import { describe, NONCE, post, requestText, sessionOf } from '../../kit/session.ts'
import { call, notify, open, step, untilSeen } from '../../kit/steps.ts'
import type { Check, Exchange, Rig, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'

const CHANGED = 'notifications/roots/list_changed'

const isChanged = (e: Exchange) => at(sent(e), 'method') === CHANGED

/** The ping of a server among what a client was sent, wherever it came. */
const pingIn = (client: readonly Exchange[]) => client.flatMap(messages).find(m => m['method'] === 'ping')

const isAnswer = (message: Json | undefined, id: string) =>
  isObject(message) && isReply(message) && message['id'] === id

/** A call during which the server pings; the kit answers what comes through of that. */
const pinged: Step = step('calls a tool whose server sends a ping first, and answers the ping', async rig => {
  const session = await sessionOf(rig)
  const [mark, pong] = [rig.next(), rig.next()]
  const ping = event(stringify({ jsonrpc: '2.0', id: rig.nonce, method: 'ping' }))
  const acts = [head(), write(ping), gate(1, pong), write(event(says('done'))), { do: 'end' } as const]
  const name = rig.target.names.exposed('tool', session.server, 'slow')
  const text = requestText(session.nextId++, 'tools/call', { name, arguments: { nonce: mark } }, mark)
  const running = post(rig, session, text, { mark, label: 'call', acts })
  const { client } = await pingArrived(rig)
  // Where the gateway answers pings itself, this answers nothing, and may be refused.
  const id = pingIn(client)?.['id'] ?? rig.nonce
  const answer = stringify({ jsonrpc: '2.0', id, result: { _meta: { [NONCE]: pong } } })
  await post(rig, session, answer, { mark: pong, label: 'answer' })
  await running
})

/** Waits until the ping is at the client, or answered without it, or the call is over. */
async function pingArrived(rig: Rig) {
  const seen = () => rig.recorder.exchanges(rig.nonce)
  const settled = () =>
    pingIn(seen().client) !== undefined ||
    seen().backend.some(e => isAnswer(sent(e), rig.nonce)) ||
    seen().client.some(e => e.label === 'call' && (e.endedAt !== undefined || e.failure !== undefined))
  await rig.recorder.when(settled, 2000, rig.signal)
  return seen()
}

/** What clients say that is no request. */
export const backwards: readonly Check[] = [
  check({
    id: 'envelope/notification-once',
    title: 'brings a notification of the client to the server, and only once',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'client/roots', 'root-list-changes'),
    catalogue: ['http.at-most-once', 'http.one-post-per-message'],
    why: 'The server goes on working with what was true before; or does everything twice.',
    steps: [
      open({ capabilities: { roots: { listChanged: true } } }),
      notify(CHANGED, {}, { as: 'the notification' }),
      untilSeen('the notification is at the server', ({ backend }) => backend.some(isChanged)),
      call('burst_target'),
    ],
    claims: [
      claim('backend', 'the notification reaches the server', ({ backend }) =>
        backend.some(isChanged) ? undefined : 'it did not come',
      ),
      claim('backend', 'it comes no more than once in a session', ({ backend }) => {
        const places = backend.filter(isChanged).map(e => `${e.server} ${field(e.request.headers, 'mcp-session-id')}`)
        const twice = places.find((place, i) => places.indexOf(place) !== i)
        return twice && `it came ${places.filter(p => p === twice).length} times to ${twice.split(' ')[0]}`
      }),
    ],
  }),
  check({
    id: 'envelope/server-ping-answered',
    title: 'sees to it that a ping of the server is answered',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/utilities/ping', 'behavior-requirements'),
    catalogue: ['lifecycle.ping-server-to-client'],
    why: 'A server that gets no answer takes its client for dead and ends the session.',
    steps: [pinged],
    claims: [
      claim('backend', 'an answer to its ping reaches the server', ({ client, backend }) => {
        const answer = backend.map(sent).find(m => isObject(m) && isReply(m) && /^mcpc-\w+$/.test(String(m['id'])))
        if (answer) return at(answer, 'result') === undefined ? show(answer) : undefined
        return pingIn(client)
          ? 'the client answered, and nothing came'
          : 'the ping did not reach the client, and nothing came'
      }),
    ],
  }),
  check({
    id: 'envelope/response-202',
    title: 'accepts the response of a client with 202 and no body',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.response-post-202'],
    why: 'A client whose answer is refused takes the session for broken; the server waits for ever.',
    steps: [pinged],
    claims: [
      client('answer').holds(
        'the response to a request of the server is accepted with 202 and no body',
        (e, evidence) => {
          const status = e.response?.status
          if (e.response === undefined || status === undefined) return describe(e)
          // Nothing was asked of this client, so that its answer may be refused, but then by the status.
          if (!pingIn(evidence.client) && status >= 400) return undefined
          if (status !== 202) return describe(e)
          return e.response.size === 0 ? undefined : `${e.response.size} bytes: ${show(e.response.body, 80)}`
        },
      ),
    ],
  }),
]
