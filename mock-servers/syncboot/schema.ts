import { at, isObject, type Json } from '../../kit/json.ts'
import { countArg, STRING, says, stringArg, structured, takes, text } from '../build.ts'
import { Fault } from '../rpc.ts'
import type { Call, Data, Tool } from '../script.ts'

const AUDIT = [
  'created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP',
  'updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP',
]

const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase()
const string = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function column(field: Json): string {
  const name = `${snake(string(at(field, 'name')))} ${string(at(field, 'type'))}`
  if (at(field, 'primaryKey') === true) return `${name} PRIMARY KEY`
  const otherwise = at(field, 'defaultValue')
  const presence = at(field, 'nullable') === false ? ' NOT NULL' : ''
  return `${name}${presence}${typeof otherwise === 'string' ? ` DEFAULT ${otherwise}` : ''}`
}

/** The statement that makes the table of a domain. */
export function createTable(domain: string, fields: readonly Json[], auditing: boolean): string {
  const columns = [...fields.filter(isObject).map(column), ...(auditing ? AUDIT : [])]
  return `CREATE TABLE tb_${snake(domain)} (\n${columns.map(c => `  ${c}`).join(',\n')}\n);`
}

/** The table of the seed. */
export const MEMBERSHIP_GRADE = createTable(
  'MembershipGrade',
  [
    { name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true },
    { name: 'discountRate', type: 'DECIMAL(5,2)', nullable: false, defaultValue: '0.00' },
    { name: 'minSpentAmount', type: 'BIGINT', nullable: false, defaultValue: '0' },
  ],
  true,
)

/** The error of the seed, to the letter. */
const APPROVAL = new Fault(
  -32001,
  'HITL Approval Required: 스키마 생성에 기존 인덱스 변경이 수반되어 관리자 승인이 필요합니다.',
  {
    type: 'https://empasy.io/errors/hitl-approval-required',
    title: 'HITL_APPROVAL_REQUIRED',
    status: 403,
    detail: 'Index modification detected on table tb_membership_grade',
    instance: '/tools/call/syncboot_generate_schema',
    approvalTicketId: 'ticket-hitl-88219',
  },
)

function generate(call: Call): Data {
  if (call.args['alterIndexes'] === true) throw APPROVAL
  const domain = stringArg(call, 'domainName')
  const fields = call.args['fields']
  const sql = createTable(domain, Array.isArray(fields) ? fields : [], call.args['enableAuditing'] === true)
  return {
    content: [
      text('스키마 및 도메인 엔티티 생성이 완료되었습니다.'),
      {
        type: 'resource',
        resource: { uri: `schema://syncboot/domain/${domain}`, mimeType: 'application/sql', text: sql },
      },
    ],
    isError: false,
    _meta: { executionTimeMs: 142, tokenUsage: { promptTokens: 320, completionTokens: 180, totalTokens: 500 } },
  }
}

const FIELD = {
  type: 'object',
  properties: {
    name: STRING,
    type: STRING,
    nullable: { type: 'boolean' },
    primaryKey: { type: 'boolean' },
    defaultValue: STRING,
  },
  required: ['name', 'type', 'nullable'],
}

const MOST_COUNTED = 1000
const counts = new Map<string, number>()

/** True for the first `failTimes` calls with these arguments. */
function fails(call: Call): boolean {
  const times = countArg(call, 'failTimes', 0, 1000)
  if (times === 0) return false
  const count = (counts.get(call.rawArgs) ?? 0) + 1
  counts.set(call.rawArgs, count)
  if (counts.size > MOST_COUNTED) counts.delete(counts.keys().next().value!)
  return count <= times
}

const step = (name: string, title: string, done: Data, said: string): Tool => ({
  name,
  lists: {
    title,
    description: `${title}.`,
    inputSchema: takes({ domainName: STRING, failTimes: { type: 'integer' } }, ['domainName']),
  },
  answer: call => {
    if (fails(call)) return says('지금은 할 수 없습니다', { isError: true })
    const domainName = stringArg(call, 'domainName')
    return structured({ domainName, ...done }, { content: [text(`${domainName}: ${said}`)] })
  },
})

/** A workflow of several steps, and what undoes them. */
export const schemaTools: readonly Tool[] = [
  {
    name: 'syncboot_generate_schema',
    lists: {
      title: '스키마 생성',
      description: '도메인의 테이블과 엔티티를 생성합니다.',
      inputSchema: takes(
        {
          domainName: STRING,
          fields: { type: 'array', items: FIELD },
          enableAuditing: { type: 'boolean', default: false },
          alterIndexes: { type: 'boolean', default: false, description: '관리자 승인이 필요합니다.' },
        },
        ['domainName', 'fields'],
      ),
      annotations: { title: 'Generate a schema', readOnlyHint: false, destructiveHint: true },
    },
    answer: generate,
    exact: true,
  },
  {
    name: 'drop_index',
    lists: {
      title: '인덱스 삭제',
      description: '인덱스를 삭제합니다. 되돌릴 수 없습니다.',
      inputSchema: takes({ table: STRING, index: STRING, rows: { type: 'integer' } }, ['table', 'index']),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    answer: call => says(`삭제했습니다: ${stringArg(call, 'table')}.${stringArg(call, 'index')}`, { isError: false }),
  },
  step('rollback_schema', '스키마 되돌리기', { rolledBack: true }, '되돌렸습니다'),
  step('publish_cms', 'CMS 배포', { published: true }, '배포했습니다'),
  step('unpublish_cms', 'CMS 배포 취소', { published: false }, '배포를 취소했습니다'),
]
