import { STRING, says, takes, text } from '../build.ts'
import { commonTools } from '../common.ts'
import type { Data, Resource, Script } from '../script.ts'
import { createTable, MEMBERSHIP_GRADE, schemaTools } from './schema.ts'

const resource = (uri: string, name: string, description: string, mimeType: string, body: string): Resource => ({
  uri,
  lists: { name, description, mimeType },
  contents: [{ uri, mimeType, text: body }],
})

const AGENTS: readonly string[] = ['SyncVerse', 'SyncBoot', 'SyncCMS', 'SyncEta', 'SyncInsight']
const status = (agent: string): string => `{"agent":"${agent}","status":"대기 중"}`

const prompt = (name: string, description: string, args: readonly Data[], ask: string) => ({
  name,
  lists: { title: description, description: `${description}.`, arguments: args },
  messages: (given: Readonly<Record<string, string>>): Data[] => [
    { role: 'user', content: text(`${ask}\n${args.map(arg => given[String(arg['name'])] ?? '').join('\n')}`) },
  ],
})

const SQL = 'application/sql'

/** The agent that makes schemas, with the steps of a saga and a long task. */
export const syncboot: Script = {
  server: 'syncboot',
  serverInfo: { name: 'syncboot-service', title: 'SyncBoot', version: '1.0.0' },
  instructions: '도메인 스키마를 만들고, 배포하고, 회귀 테스트를 실행합니다.',
  tools: [
    ...schemaTools,
    {
      name: 'run_regression_test',
      lists: {
        description: '지정된 시나리오 ID에 대해 Playwright E2E 회귀 테스트를 실행합니다.',
        inputSchema: takes({ scenarioId: STRING, headless: { type: 'boolean', default: true } }, ['scenarioId']),
      },
      answer: says('테스트 통과: 12개 스텝 중 12개 성공 (0건 오류, 소요시간 2.4s)', { isError: false }),
      exact: true,
    },
    {
      name: 'deep_research',
      lists: {
        title: '딥 리서치',
        description: '오래 걸리며 진행 상황을 알립니다.',
        inputSchema: takes({ topic: STRING }),
      },
      answer: call => {
        call.progress(25, 100, '멀티소스 데이터 레이크 쿼리 완료')
        call.progress(60, 100, '라운드테이블 토론 교차 검증 진행 중')
        call.progress(100, 100, '보고서 작성 완료')
        return says('보고서 rep-9912', { structuredContent: { reportId: 'rep-9912' }, isError: false })
      },
    },
    ...commonTools,
  ],
  resources: [
    resource('schema://syncboot/domain/MembershipGrade', 'MembershipGrade', '회원 등급 테이블.', SQL, MEMBERSHIP_GRADE),
    resource(
      'file:///syncboot/templates/entity.sql',
      'entity.sql',
      'A template.',
      SQL,
      createTable('Entity', [], true),
    ),
    resource(
      'postgres://syncboot/public/tb_membership_grade',
      'tb_membership_grade',
      'A table.',
      SQL,
      MEMBERSHIP_GRADE,
    ),
    resource(
      'sync://agents/status',
      'agents',
      '에이전트 상태.',
      'application/json',
      `[${AGENTS.map(status).join(',')}]`,
    ),
    resource('sync://workflows/current', 'workflow', '지금의 작업.', 'application/json', '{"steps":[]}'),
  ],
  templates: [
    {
      uriTemplate: 'schema://syncboot/domain/{domainName}',
      lists: { name: 'domain', description: '도메인의 테이블.', mimeType: SQL },
      contents: ({ domainName = '' }, uri) => [{ uri, mimeType: SQL, text: createTable(domainName, [], true) }],
      completions: { domainName: ['MembershipGrade'] },
    },
    {
      uriTemplate: 'sync://agents/{agent}',
      lists: { name: 'agent', description: '에이전트 하나.', mimeType: 'application/json' },
      contents: ({ agent = '' }, uri) =>
        AGENTS.includes(agent) ? [{ uri, mimeType: 'application/json', text: status(agent) }] : undefined,
      completions: { agent: AGENTS },
    },
  ],
  prompts: [
    prompt(
      'design_domain',
      '도메인 설계',
      [{ name: 'domainName', required: true }, { name: 'description' }],
      '다음 도메인을 설계해 주세요:',
    ),
    prompt('review_schema', '스키마 검토', [{ name: 'ddl', required: true }], '다음 DDL을 검토해 주세요:'),
    prompt('plan_saga', '보상 계획', [{ name: 'goal', required: true }], '되돌릴 수 있는 순서로 계획해 주세요:'),
  ],
}
