import { comment, event, head, pieces, progress, says, stream, write } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, callWithProgress } from '../../kit/steps.ts'
import type { Act, Check } from '../../kit/types.ts'
import { rfc9110, spec } from '../spec.ts'
import { saysText } from './seen.ts'

const SENDING = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')
const FRAMING = 'https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream'

const KOREAN = '환불이 완료되었습니다 😀 é'

/** A result whose text comes in pieces of so many bytes; what stands before it has placeholders, and comes whole. */
const inPieces = (text: string, size: number, eol = '\n'): Act[] => [
  head(),
  write(`event: message${eol}data: {"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"`),
  ...pieces(`${text}"}]}}${eol}${eol}`, size),
]

/** The text of a result over several lines, as people and some servers write JSON. */
const SEVERAL_LINES = `{
  "jsonrpc": "2.0",
  "id": {{id}},
  "result": {
    "content": [{ "type": "text", "text": "done" }]
  }
}`

/** How a stream may be written: all that the standard allows means the same. */
export const framing: readonly Check[] = [
  check({
    id: 'streaming/line-ends',
    title: 'MUST understand events whose lines end with CRLF or with CR',
    pack: 'mcp',
    level: 'MUST',
    spec: FRAMING,
    catalogue: ['sse.reframing-correct'],
    needs: ['http-backend'],
    why: 'Servers on some platforms write CRLF: every call of theirs ends without an answer.',
    steps: [
      call('slow', {}, { as: 'CRLF', acts: stream(event(says('done'), { eol: '\r\n' })) }),
      call('slow', {}, { as: 'CR', acts: stream(event(says('done'), { eol: '\r' })) }),
    ],
    claims: [saysText('done', 'CRLF'), saysText('done', 'CR')],
  }),
  check({
    id: 'streaming/data-lines-joined',
    title: 'MUST join several data lines of one event',
    pack: 'mcp',
    level: 'MUST',
    spec: FRAMING,
    catalogue: ['sse.reframing-correct'],
    needs: ['http-backend'],
    why: 'JSON over several lines is legal: what reads only one of them gets half a message, and drops it.',
    steps: [call('slow', {}, { acts: stream(event(SEVERAL_LINES)) })],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/bare-fields',
    title: 'MUST understand data without a space after the colon, and skip fields that it does not know',
    pack: 'mcp',
    level: 'MUST',
    spec: FRAMING,
    catalogue: ['sse.reframing-correct'],
    needs: ['http-backend'],
    why: 'The space is optional, and some servers leave it out: nothing that they say arrives.',
    steps: [call('slow', {}, { acts: stream(`x-unknown: 1\nunknown\ndata:${says('done')}\n\n`) })],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/byte-order-mark',
    title: 'MUST skip a byte order mark at the start of a stream',
    pack: 'mcp',
    level: 'MUST',
    spec: FRAMING,
    catalogue: ['sse.reframing-correct'],
    needs: ['http-backend'],
    why: 'The first event is lost, and where it is the only one, the answer.',
    steps: [call('slow', {}, { acts: stream(`\uFEFFdata: ${says('done')}\n\n`) })],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/comments-harmless',
    title: 'MUST skip comments, before, between and inside of events',
    pack: 'mcp',
    level: 'MUST',
    spec: FRAMING,
    catalogue: ['sse.comments-tolerated', 'sse.reframing-correct'],
    needs: ['http-backend'],
    why: 'Servers send them every few seconds to keep a connection open: the first one breaks the call.',
    steps: [
      call('slow', {}, { acts: stream(comment(' keep-alive'), comment(), `: here too\n${event(says('done'))}`) }),
    ],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/priming-event-harmless',
    title: 'takes an event with an id and empty data for what it is: no message',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    since: '2025-11-25',
    catalogue: ['sse.priming-event'],
    needs: ['http-backend'],
    why: 'Servers should begin every stream with it; what reads it as JSON fails every call.',
    steps: [
      call('slow', {}, { acts: stream(event('', { event: null, id: 'crm-1', retry: 3000 }), event(says('done'))) }),
    ],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/characters-split',
    title: 'MUST keep characters whose bytes come apart',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports'),
    catalogue: ['envelope.utf8-preserved', 'sse.chunk-boundaries'],
    needs: ['http-backend'],
    why: 'Korean is three bytes a letter: now and then one is two question marks, and nobody can say when.',
    steps: [call('slow', {}, { acts: inPieces(KOREAN, 1) })],
    claims: [saysText(KOREAN)],
  }),
  check({
    id: 'streaming/event-in-pieces',
    title: 'puts an event together that comes in many pieces, a CRLF cut in two among them',
    pack: 'mcp',
    level: 'SHOULD',
    spec: FRAMING,
    catalogue: ['sse.chunk-boundaries'],
    needs: ['http-backend'],
    why: 'Networks cut where they like: answers are lost by size and weather.',
    steps: [call('slow', {}, { acts: inPieces('in pieces', 1, '\r\n') })],
    claims: [saysText('in pieces')],
  }),
  check({
    id: 'streaming/charset-understood',
    title: 'knows an event stream by its media type, whatever parameters it has',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('8.3.1'),
    catalogue: ['http.backend-json-and-sse'],
    needs: ['http-backend'],
    why: 'Many frameworks add "charset=utf-8" by themselves: their streams are taken for something else.',
    steps: [
      call(
        'slow',
        {},
        {
          acts: [
            head([['Content-Type', 'Text/Event-Stream; charset=utf-8']]),
            write(event(says('done'))),
            { do: 'end' },
          ],
        },
      ),
    ],
    claims: [saysText('done')],
  }),
  check({
    id: 'streaming/fields-kept',
    title: 'passes a stream on byte for byte: ids, retry, names, comments and the ends of lines',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('7.7'),
    catalogue: ['sse.comments-tolerated', 'sse.resume-via-get'],
    needs: ['http-proxy', 'http-backend'],
    why: 'A client that was cut off cannot resume without the ids, and one that waits in silence is cut off.',
    steps: [
      callWithProgress('slow', {}, 'bytes', {
        acts: stream(
          comment(' keep-alive'),
          event('', { event: null, id: 'crm/1', retry: 2500 }),
          event(progress(1), { id: 'crm/2', eol: '\r\n' }),
          `x-unknown: 1\nid\ndata:${says('done')}\n\n`,
        ),
      }),
    ],
    claims: [unchanged().responseBody(), client().whole()],
  }),
]
