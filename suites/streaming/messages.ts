import { event, gate, head, progress, says, write } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { changes, sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, type JsonObject, show, stringify } from '../../kit/json.ts'
import { isReply, messages, notifications } from '../../kit/messages.ts'
import { call, callWithProgress, request } from '../../kit/steps.ts'
import type { Check, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { placeOfReply, progressIn, progressValue, saysText } from './seen.ts'

const SENDING = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')
const LOG = 'notifications/message'

const THOUSAND = 1000
/** Each check has a token of its own: gateways have been seen that know calls by nothing else. */
const aThousand = (token: string): Step =>
  callWithProgress('slow', {}, token, {
    acts: [
      head(),
      ...Array.from({ length: THOUSAND }, (_, i) => write(event(progress(i + 1, { message: `${i + 1}번째` })))),
      gate(THOUSAND),
      write(event(says('done'))),
    ],
  })

/** What streams hold: every message once, in order, whole, and on the right stream. */
export const contents: readonly Check[] = [
  check({
    id: 'streaming/log-messages-arrive',
    title: 'delivers the log messages of a call on the answer to it, as the server sent them',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/utilities/logging', 'log-message-notifications'),
    catalogue: ['logging.messages-relayed', 'http.stream-messages-related', 'logging.set-level-relayed'],
    needs: ['logging'],
    why: 'The warning that would have told the user why it went wrong never reaches anyone.',
    steps: [request('logging/setLevel', { level: 'debug' }), call('log_messages', { level: 'warning', count: 3 })],
    given: [
      unchanged().holds('backend', 'the server sends three log messages', (_, b) =>
        notifications(b, LOG).length === 3 ? undefined : `${notifications(b, LOG).length}`,
      ),
    ],
    claims: [
      unchanged().holds('client', 'each log message arrives once, in order, as the server sent it', (c, b) =>
        sayChanges(changes(notifications(b, LOG), notifications(c, LOG)), 'the server sent', 'the client got'),
      ),
    ],
  }),
  check({
    id: 'streaming/one-response-at-the-end',
    title: 'delivers one response, as the last message of the stream',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.order-preserved', 'sse.response-delivered'],
    why: 'A client takes the first answer for the whole; what follows is lost, or taken for the answer to something else.',
    steps: [callWithProgress('count', { to: 4 }, 'at-the-end')],
    claims: [
      client().holds('there is one response, and it comes last', e => {
        const all = messages(e)
        const replies = all.filter(isReply).length
        if (replies !== 1) return `${replies} responses`
        const after = all.length - 1 - placeOfReply(e)
        return after === 0 ? undefined : `${after} messages follow it`
      }),
    ],
  }),
  check({
    id: 'streaming/thousand-events-in-order',
    title: 'delivers a thousand events whole and in order, and then the result',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.order-preserved', 'envelope.content-integrity'],
    why: 'A queue that overflows mixes up what it holds, and loses the answer with it.',
    steps: [aThousand('in-order')],
    claims: [
      saysText('done'),
      client().holds('what arrives is whole and in the order of the server', e => {
        const wrong = progressIn(e).findIndex((m, i, all) => {
          const value = progressValue(m)
          return stringify(m['params'] ?? null).includes(`"${value}번째"`)
            ? i > 0 && value <= progressValue(all[i - 1]!)
            : true
        })
        return wrong < 0 ? undefined : `number ${wrong + 1} is ${show(progressIn(e)[wrong])}`
      }),
    ],
  }),
  check({
    id: 'streaming/thousand-events-complete',
    title: 'delivers every one of a thousand events',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'basic/utilities/progress', 'implementation-notes'),
    catalogue: ['progress.relayed-in-order'],
    why: 'What was dropped in silence is missed by nobody until it mattered.',
    steps: [aThousand('complete')],
    claims: [
      client().holds(`${THOUSAND} progress notifications arrive`, e => {
        const seen = progressIn(e).length
        return seen === THOUSAND ? undefined : `${seen}`
      }),
    ],
  }),
  check({
    id: 'streaming/large-event-whole',
    title: 'delivers an event of 2 MB whole',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.large-event'],
    alone: true,
    why: 'Readers of lines have limits, often 64 KB: a report or a picture ends in the middle, or the call never ends.',
    steps: [call('big', { bytes: 2_097_152, as: 'sse' })],
    claims: [
      unchanged(undefined, { rounding: true }).result('content'),
      client().holds('the text has 2,097,152 bytes', e => {
        const text = textOf(messages(e)[placeOfReply(e)])
        return Buffer.byteLength(text) === 2_097_152 ? undefined : `${Buffer.byteLength(text)} bytes`
      }),
    ],
  }),
  check({
    id: 'streaming/json-and-stream-alike',
    title: 'MUST take answers as JSON and as a stream alike',
    pack: 'mcp',
    level: 'MUST',
    spec: SENDING,
    catalogue: ['http.backend-json-and-sse'],
    needs: ['http-backend'],
    why: 'A server is updated, answers in the other form, which is its right, and loses part of what it says.',
    steps: [
      call('structured_output', { order_id: 'ORD-7', as: 'json' }, { as: 'as JSON' }),
      call('structured_output', { order_id: 'ORD-7', as: 'sse' }, { as: 'as a stream' }),
    ],
    claims: [unchanged('as JSON').result(), unchanged('as a stream').result()],
  }),
  check({
    id: 'streaming/event-names',
    title: 'names its events "message", or not at all',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.message-framing'],
    why: 'Clients listen for messages: what comes under any other name is never seen.',
    steps: [callWithProgress('count', { to: 2 }, 'names')],
    claims: [
      client().holds('no event with data has another name', e => {
        const other = e.events.find(x => x.hasData && x.event !== '' && x.event !== 'message')
        return other && `event: ${other.event}`
      }),
    ],
  }),
]

const textOf = (message: JsonObject | undefined): string => {
  const text = at(message, 'result.content.0.text')
  return typeof text === 'string' ? text : ''
}
