import { document, result } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe, raw } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Act, Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const utf8 = spec('2025-11-25', 'basic/transports')
const calling = spec('2025-11-25', 'server/tools', 'calling-tools')

const INTEGERS = {
  beyond53: raw('9007199254740993'),
  negative: raw('-9007199254740993'),
  int64: raw('9223372036854775807'),
  huge: raw('123456789012345678901234567890'),
}
const DECIMALS = {
  one: raw('1.0'),
  exponent: raw('1e2'),
  tiny: raw('5e-324'),
  money: raw('12345678901234567.89'),
  fraction: raw('0.1000000000000000055511151231257827'),
}
const SCRIPTS = {
  '고객 이름': '다람쥐 헌 쳇바퀴에 타고파 — 뷁뛟',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷 𠮷',
  rtl: '\u202bשלום עולם\u202c مرحبا',
}
const DECOMPOSED = { hangul: '한글'.normalize('NFD'), latin: 'e\u0301 \u00e9', width: 'Ａ１ ﬁ ㈱' }
const CONTROLS = {
  nul: 'before\u0000after',
  separators: 'a\u2028b\u2029c',
  bom: '\ufeffafter the mark',
  controls: '\u0001\b\t\n\u000b\f\r\u001b\u001f\u007f\u0085',
  blank: ' \t ',
}

const block = (text: string) => ({ type: 'text', text })
const blocks = (texts: object) => Object.values(texts).map(block)
const answer = (texts: object): Act[] => document(result({ content: blocks(texts) }))

/** The same JSON with every character outside ASCII written as an escape. */
const escaped = (text: string): string =>
  text.replace(/[^ -~]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A value inside so many lists and objects. */
const nested = (depth: number, value: unknown): unknown =>
  depth === 0 ? value : nested(depth - 1, depth % 2 ? [value] : { in: value })

const MEGABYTES_2 = 2 * 1024 * 1024
const LINE = '환불 사유를 적습니다. 0123456789\n'
const LONG = LINE.repeat(Math.ceil(MEGABYTES_2 / Buffer.byteLength(LINE)))

/** Numbers, text and sizes: what they are on one side they are on the other. */
export const values: readonly Check[] = [
  check({
    id: 'envelope/integers-in-arguments',
    title: 'hands on integers in arguments that no double can hold',
    pack: 'mcp',
    level: 'SHOULD',
    spec: calling,
    catalogue: ['envelope.number-fidelity', 'envelope.content-integrity'],
    why: 'An order number that is off by one is the number of somebody else’s order.',
    steps: [call('echo', INTEGERS)],
    claims: [unchanged().params('arguments')],
  }),
  check({
    id: 'envelope/decimals-in-arguments',
    title: 'hands on decimals in arguments, however they are written',
    pack: 'mcp',
    level: 'SHOULD',
    spec: calling,
    catalogue: ['envelope.number-fidelity', 'envelope.content-integrity'],
    why: 'Amounts of money that were rounded on the way add up to something else.',
    steps: [call('echo', DECIMALS)],
    claims: [unchanged().params('arguments')],
  }),
  check({
    id: 'envelope/numbers-in-results',
    title: 'hands on the numbers of a result as they are',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/tools', 'structured-content'),
    catalogue: ['envelope.number-fidelity', 'envelope.content-integrity'],
    why: 'The model works on with the number that it is given, and nobody notices that it is another.',
    steps: [call('numbers')],
    claims: [
      unchanged().result('structuredContent'),
      client().result('structuredContent.beyond53', raw('9007199254740993')),
    ],
  }),
  check({
    id: 'envelope/unicode-in-arguments',
    title: 'hands on arguments of any script, keys and values',
    pack: 'mcp',
    level: 'MUST',
    spec: utf8,
    catalogue: ['envelope.utf8-preserved'],
    why: 'A gateway that reads UTF-8 as something else sends the server names that nobody has.',
    steps: [call('echo', SCRIPTS)],
    claims: [unchanged().params('arguments')],
  }),
  check({
    id: 'envelope/unicode-in-results',
    title: 'hands on results of any script, written as they are or as escapes, as JSON or as an event',
    pack: 'mcp',
    level: 'MUST',
    spec: utf8,
    catalogue: ['envelope.utf8-preserved'],
    why: 'JSON says no charset, and what guesses Latin-1 turns every Korean letter into three others.',
    steps: [
      call('slow', {}, { as: 'plain', acts: answer(SCRIPTS) }),
      call('slow', {}, { as: 'in escapes', acts: document(escaped(result({ content: blocks(SCRIPTS) }))) }),
      call('text_variants', { as: 'sse' }, { as: 'as an event' }),
    ],
    claims: [
      client('plain').result('content', blocks(SCRIPTS)),
      client('in escapes').result('content', blocks(SCRIPTS)),
      client('as an event').result('content.0.text', '다람쥐 헌 쳇바퀴에 타고파 — 뷁뛟'),
    ],
  }),
  check({
    id: 'envelope/normalization-kept',
    title: 'leaves text in the Unicode normalization that it has',
    pack: 'mcp',
    level: 'SHOULD',
    spec: utf8,
    catalogue: ['envelope.utf8-preserved', 'envelope.content-integrity'],
    why: 'Names of files and keys are compared byte for byte; composed anew, they are not found.',
    steps: [call('echo', DECOMPOSED, { as: 'there' }), call('slow', {}, { as: 'back', acts: answer(DECOMPOSED) })],
    claims: [unchanged('there').params('arguments'), client('back').result('content', blocks(DECOMPOSED))],
  }),
  check({
    id: 'envelope/control-characters-kept',
    title: 'leaves control characters, line separators and byte order marks in text where they are',
    pack: 'mcp',
    level: 'SHOULD',
    spec: utf8,
    catalogue: ['envelope.utf8-preserved', 'envelope.content-integrity'],
    why: 'Text out of files and terminals has them; without them signatures and offsets are wrong.',
    steps: [call('echo', CONTROLS, { as: 'there' }), call('slow', {}, { as: 'back', acts: answer(CONTROLS) })],
    claims: [unchanged('there').params('arguments'), client('back').result('content', blocks(CONTROLS))],
  }),
  check({
    id: 'envelope/large-request',
    title: 'hands on a request of 2 MB whole',
    pack: 'mcp',
    level: 'SHOULD',
    spec: calling,
    catalogue: ['envelope.content-integrity'],
    alone: true,
    why: 'Documents and pictures are arguments, too. Default limits of 100 KB or 1 MB turn them away.',
    steps: [call('send_email', { to: 'a@example.com', subject: '긴 글', body: LONG })],
    claims: [client().succeeds(), unchanged().params('arguments')],
  }),
  check({
    id: 'envelope/large-result',
    title: 'hands on a result of 2 MB whole, as JSON and as an event',
    pack: 'mcp',
    level: 'SHOULD',
    spec: calling,
    catalogue: ['envelope.content-integrity'],
    alone: true,
    why: 'A result that ends in the middle is worse than none: what is left looks like the whole.',
    steps: [call('big', { as: 'json' }, { as: 'as JSON' }), call('big', { as: 'sse' }, { as: 'as an event' })],
    claims: [
      unchanged('as JSON').result('content'),
      unchanged('as an event').result('content'),
      client('as JSON').holds('there are 2 MB of text', e => {
        const text = at(reply(e), 'result.content.0.text')
        if (typeof text !== 'string') return describe(e)
        const size = Buffer.byteLength(text)
        return size === MEGABYTES_2 ? undefined : `${size} bytes`
      }),
    ],
  }),
  check({
    id: 'envelope/deep-nesting',
    title: 'hands on values that are nested 64 deep',
    pack: 'mcp',
    level: 'SHOULD',
    spec: calling,
    catalogue: ['envelope.content-integrity'],
    why: 'Trees are deep. What is cut off below is not missed until somebody looks there.',
    steps: [
      call('echo', { tree: nested(64, '바닥') }, { as: 'there' }),
      call('slow', {}, { as: 'back', acts: document(result({ content: [], _meta: { tree: nested(64, '바닥') } })) }),
    ],
    claims: [
      unchanged('there').params('arguments'),
      unchanged('back').result('_meta'),
      client('back').result('_meta.tree', nested(64, '바닥')),
    ],
  }),
  check({
    id: 'envelope/json-with-charset',
    title: 'takes JSON from a server that names a charset',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.backend-json-and-sse'],
    needs: ['http-backend'],
    why: 'Many frameworks add "; charset=utf-8" by themselves, and code that compares the whole text does not know the type.',
    steps: [
      call(
        'slow',
        {},
        {
          acts: [
            { do: 'head', status: 200, headers: [['content-type', 'application/json; charset=utf-8']] },
            { do: 'write', text: result({ content: [block('완료')] }) },
            { do: 'end' },
          ],
        },
      ),
    ],
    claims: [client().result('content.0.text', '완료')],
  }),
]
