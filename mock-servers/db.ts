import { stringify } from '../kit/json.ts'
import { countArg, num, STRING, says, stringArg, structured, takes, text } from './build.ts'
import { commonTools } from './common.ts'
import type { Script } from './script.ts'

const DDL = `CREATE TABLE orders (
  order_id VARCHAR(20) PRIMARY KEY,
  customer_id BIGINT NOT NULL,
  total DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  memo TEXT -- 고객 메모
);`

const ROWS = [
  { order_id: 'ORD-99', customer_id: 101, total: num('39900.00'), memo: '이중 결제' },
  { order_id: 'ORD-98', customer_id: 102, total: num('1.0'), memo: null },
  { order_id: 'ORD-97', customer_id: num('9007199254740993'), total: num('12.340'), memo: '' },
]

/** The answer of the seed, to the letter. */
const CUSTOMERS =
  '[{"id": 101, "name": "김철수", "email": "chulsoo@cloit.com", "status": "active", "recent_order": "ORD-99"}]'

/** The database of the orders. */
export const db: Script = {
  server: 'db',
  serverInfo: { name: 'db-service', title: '주문 데이터베이스', version: '1.0.0' },
  instructions: '주문을 조회합니다. Read only.',
  tools: [
    {
      name: 'query_orders',
      lists: {
        title: '주문 조회',
        description: '고객의 주문을 조회합니다.',
        inputSchema: takes({ customer_id: { type: 'integer' }, limit: { type: 'integer', default: 10 } }, [
          'customer_id',
        ]),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      answer: call => {
        const wanted = stringify(call.args['customer_id'])
        const rows = ROWS.filter(row => stringify(row.customer_id) === wanted)
        return structured({ rows: rows.slice(0, countArg(call, 'limit', 10, 100)) })
      },
    },
    {
      name: 'describe_table',
      lists: {
        title: '테이블 구조',
        description: 'The DDL of a table.',
        inputSchema: takes({ table: STRING }, ['table']),
      },
      answer: call => {
        const table = stringArg(call, 'table')
        return table === 'orders' ? says(DDL, { isError: false }) : says(`no table ${table}`, { isError: true })
      },
    },
    ...commonTools,
  ],
  resources: [
    {
      uri: 'crm://customers',
      lists: { name: 'customers', title: '고객', description: '고객 목록.', mimeType: 'application/json' },
      contents: [{ uri: 'crm://customers', mimeType: 'application/json', text: CUSTOMERS }],
      exact: true,
    },
    {
      uri: 'postgres://orders/schema',
      lists: { name: 'orders_schema', description: 'The DDL.', mimeType: 'application/sql' },
      contents: [{ uri: 'postgres://orders/schema', mimeType: 'application/sql', text: DDL }],
    },
    {
      uri: 'postgres://orders/recent',
      lists: { name: 'recent_orders', description: '최근 주문.', mimeType: 'application/json' },
      contents: [{ uri: 'postgres://orders/recent', mimeType: 'application/json', text: stringify(ROWS) }],
    },
    {
      uri: 'file:///var/lib/orders/export.csv',
      lists: { name: 'export.csv', description: 'An export.', mimeType: 'text/csv' },
      contents: [
        {
          uri: 'file:///var/lib/orders/export.csv',
          mimeType: 'text/csv',
          text: 'order_id,total\r\nORD-99,39900.00\r\n',
        },
      ],
    },
  ],
  templates: [
    {
      uriTemplate: 'postgres://{schema}/tables/{table}',
      lists: { name: 'table', description: 'The DDL of a table.', mimeType: 'application/sql' },
      contents: ({ table }, uri) =>
        table === 'orders' ? [{ uri, mimeType: 'application/sql', text: DDL }] : undefined,
      completions: { schema: ['public', 'audit'], table: ['orders'] },
    },
  ],
  prompts: [
    {
      name: 'explain_query',
      lists: {
        title: '질의 설명',
        description: 'SQL을 설명합니다.',
        arguments: [{ name: 'sql', description: 'the query', required: true }],
      },
      messages: ({ sql = '' }) => [{ role: 'user', content: text(`다음 SQL을 설명해 주세요:\n${sql}`) }],
    },
    {
      name: 'no_arguments',
      lists: { description: 'Has no arguments member.' },
      messages: () => [{ role: 'user', content: text('db') }],
    },
  ],
}
