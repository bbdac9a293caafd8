import { num, says, structured, takes, text } from '../build.ts'
import { PNG, WAV } from '../common.ts'
import { META, UNKNOWN } from '../dress.ts'
import type { Call, Data, Tool } from '../script.ts'

const annotations = (audience: readonly string[], priority: string): Data => ({
  audience,
  priority: num(priority),
  lastModified: '2026-09-15T12:40:05+09:00',
  'x-mock': UNKNOWN,
})

/** One block of each type. */
const BLOCKS: readonly Data[] = [
  {
    ...text('한글 본문과 emoji 🧾'),
    annotations: annotations(['user', 'assistant'], '1.0'),
    _meta: { ...META, block: 1 },
    'x-mock': UNKNOWN,
  },
  {
    type: 'image',
    data: PNG,
    mimeType: 'image/png',
    annotations: annotations(['user'], '0.5'),
    _meta: { ...META, block: 2 },
    'x-mock': UNKNOWN,
  },
  {
    type: 'audio',
    data: WAV,
    mimeType: 'audio/wav',
    annotations: annotations(['assistant'], '0'),
    _meta: { ...META, block: 3 },
    'x-mock': UNKNOWN,
  },
  {
    type: 'resource_link',
    uri: 'crm://orders/ORD-99',
    name: 'ORD-99',
    title: '주문 ORD-99',
    description: 'The order that this is about.',
    mimeType: 'application/json',
    size: 64,
    icons: [{ src: 'https://example.com/order.svg', mimeType: 'image/svg+xml', sizes: ['any'], 'x-mock': UNKNOWN }],
    annotations: annotations(['user'], '0.25'),
    _meta: { ...META, block: 4 },
    'x-mock': UNKNOWN,
  },
  {
    type: 'resource',
    resource: {
      uri: 'crm://notes/1',
      mimeType: 'text/plain; charset=utf-8',
      text: '첫 줄\r\n둘째 줄\n\t셋째 줄',
      _meta: { ...META, inner: true },
      'x-mock': UNKNOWN,
    },
    annotations: annotations([], '0.10'),
    _meta: { ...META, block: 5 },
    'x-mock': UNKNOWN,
  },
  {
    type: 'resource',
    resource: { uri: 'crm://logo.png', mimeType: 'image/png', blob: PNG, _meta: META, 'x-mock': UNKNOWN },
    annotations: annotations(['user'], '1e-1'),
    _meta: { ...META, block: 6 },
    'x-mock': UNKNOWN,
  },
]

/** Blocks that a revision does not know are left out of what it gets. */
export const known = (version: Call['version'], blocks: readonly Data[]): readonly Data[] =>
  version < '2025-06-18' ? blocks.filter(block => block['type'] !== 'resource_link') : blocks

const TEXTS: Readonly<Record<string, string>> = {
  korean: '다람쥐 헌 쳇바퀴에 타고파 — 뷁뛟',
  decomposed: '한글'.normalize('NFD'),
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷 🧑🏽‍💻 𝒳 𠮷',
  combining: 'e\u0301 \u00e9 a\u0308\u0323 Z\u0351\u036b\u0343',
  separators: 'a\u2028b\u2029c',
  nul: 'before\u0000after',
  controls: '\u0001\b\t\n\u000b\f\r\u001b\u001f\u007f\u0085',
  bom: '\ufeffafter the mark',
  escapes: '"quoted" \\back\\slash /solidus \\u0041 \\n',
  markup: '<script>alert("&amp;")</script> &lt; %20 {{id}} $x',
  rtl: '\u202bשלום עולם\u202c مرحبا',
  blank: ' \t ',
  empty: '',
}

const ORDER = {
  type: 'object',
  properties: { id: { type: 'string' }, total: { type: 'number' }, paid: { type: ['boolean', 'null'] } },
  required: ['id', 'total'],
  additionalProperties: false,
}

const VARIANTS: Readonly<Record<string, Data>> = {
  empty: { structuredContent: {} },
  null: { structuredContent: null },
  absent: {},
  nested: { structuredContent: { a: { b: [{ c: null }, [], [[]], {}, ''] }, 키: false, zero: 0 } },
}

/** Results of every shape. */
export const contentTools: readonly Tool[] = [
  {
    name: 'all_content',
    lists: { title: 'All content types', description: 'One block of each type.', inputSchema: takes() },
    answer: ({ version }) => ({ content: known(version, BLOCKS), isError: false }),
  },
  {
    name: 'text_variants',
    lists: { title: 'Text of every kind', description: 'What breaks encoders.', inputSchema: takes() },
    answer: { content: Object.values(TEXTS).map(text), structuredContent: TEXTS, isError: false },
  },
  {
    name: 'structured_output',
    lists: {
      title: 'Structured output',
      description: 'Has an output schema, and keeps it.',
      inputSchema: takes({ order_id: { type: 'string', default: 'ORD-99' } }),
      outputSchema: {
        type: 'object',
        title: '주문',
        properties: { order: ORDER, tags: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } },
        required: ['order', 'tags'],
        'x-mock': UNKNOWN,
      },
    },
    answer: ({ args }) =>
      structured({
        order: { id: args['order_id'] ?? 'ORD-99', total: num('39900.00'), paid: null },
        tags: ['vip', '재구매'],
        note: '',
      }),
  },
  {
    name: 'structured_variants',
    lists: {
      title: 'Structured content, in four forms',
      description: 'Content always; structured content empty, null, absent or nested. Null is not legal.',
      inputSchema: takes({ variant: { type: 'string', enum: Object.keys(VARIANTS), default: 'empty' } }),
    },
    answer: ({ args }) => says('이 글은 남아야 합니다', VARIANTS[String(args['variant'] ?? 'empty')] ?? {}),
  },
  {
    name: 'numbers',
    lists: { title: 'Numbers', description: 'Numbers that a double bends.', inputSchema: takes() },
    answer: structured({
      beyond53: num('9007199254740993'),
      negative: num('-9007199254740993'),
      int64: num('9223372036854775807'),
      uint64: num('18446744073709551615'),
      huge: num('123456789012345678901234567890'),
      one: num('1.0'),
      exponent: num('1e2'),
      capital: num('1.5E+3'),
      tiny: num('1e-7'),
      minus_zero: num('-0'),
      long_fraction: num('0.1000000000000000055511151231257827'),
      max: num('1.7976931348623157e308'),
      min: num('5e-324'),
      trailing: num('12.340'),
      zero: num('0'),
    }),
  },
  {
    name: 'empty_values',
    lists: { title: 'Empty values', description: 'What is empty, and yet there.', inputSchema: takes() },
    answer: {
      content: [],
      structuredContent: {
        text: '',
        array: [],
        object: {},
        null: null,
        false: false,
        zero: 0,
        '': 'a member without a name',
        nested: [[], {}, [null], ['']],
      },
      isError: false,
      _meta: { empty: '', none: null, list: [], object: {} },
    },
  },
]
