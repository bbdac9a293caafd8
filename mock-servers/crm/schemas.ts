import { num, says, takes } from '../build.ts'
import type { Data, Tool } from '../script.ts'

const hints = (value: boolean): Data => ({
  title: `Every hint is ${value}`,
  readOnlyHint: value,
  destructiveHint: value,
  idempotentHint: value,
  openWorldHint: value,
  'x-hint': value,
})

const hinted = (name: string, more: Data): Tool => ({
  name,
  lists: { title: `Hints: ${name}`, description: 'Does nothing.', inputSchema: takes(), ...more },
  answer: says('ok'),
})

/** Most of what JSON Schema 2020-12 can say. */
const DEEP: Data = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/schemas/deep',
  $comment: '이 스키마는 그대로 전달되어야 합니다',
  type: 'object',
  $defs: {
    money: {
      type: 'object',
      properties: {
        amount: { type: 'integer', minimum: num('-9007199254740993'), maximum: num('9223372036854775807') },
        currency: { const: 'KRW' },
      },
      required: ['amount'],
      additionalProperties: false,
    },
    node: {
      $anchor: 'node',
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
    },
  },
  properties: {
    total: { $ref: '#/$defs/money', description: '합계' },
    list: { $ref: '#node' },
    kind: { enum: ['refund', '환불', null, 0, num('1.0'), false, {}] },
    rate: { type: 'number', multipleOf: num('0.01'), exclusiveMinimum: 0, default: num('1.0') },
    point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
    tags: { type: 'array', items: { type: 'string', pattern: '^[\\p{L}\\d_-]+$' }, uniqueItems: true, default: [] },
    choice: {
      oneOf: [
        { properties: { by: { const: 'card' } }, required: ['by'] },
        { properties: { by: { const: 'cash' }, place: true }, required: ['by', 'place'] },
      ],
    },
    both: { allOf: [{ minLength: 0 }, { maxLength: num('1e2') }], not: { const: 'never' }, type: 'string' },
    when: { type: 'string', format: 'date-time', examples: ['2026-09-15T12:40:05+09:00'] },
    anything: {},
    empty: { type: ['string', 'null'], default: '', deprecated: false, readOnly: true },
  },
  patternProperties: { '^x-': { type: ['string', 'integer', 'boolean'] } },
  dependentRequired: { total: ['kind'] },
  if: { properties: { kind: { const: 'refund' } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ['total'] },
  else: true,
  required: [],
  additionalProperties: false,
  unevaluatedProperties: false,
  'x-order': ['total', 'kind'],
}

/** Tools whose list entries are what matters. */
export const schemaTools: readonly Tool[] = [
  hinted('hints_true', {
    annotations: hints(true),
    icons: [
      { src: 'https://example.com/a.png', mimeType: 'image/png', sizes: ['48x48', '96x96'], theme: 'dark' },
      { src: 'data:image/svg+xml;base64,PHN2Zy8+', 'x-icon': '' },
    ],
    execution: { taskSupport: 'forbidden', 'x-execution': 1 },
  }),
  hinted('hints_false', { annotations: hints(false), icons: [] }),
  hinted('hints_empty', { annotations: {} }),
  hinted('hints_absent', {}),
  {
    name: 'deep_schema',
    lists: {
      title: '깊은 스키마',
      description: 'Takes what its schema says.\n\n둘째 문단 "따옴표".',
      inputSchema: DEEP,
    },
    answer: says('ok'),
  },
]
