import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, isObject, type Json, type JsonObject, stringify } from '../kit/json.ts'
import { startIdp } from '../mock-servers/idp.ts'
import { offers } from '../mock-servers/offers.ts'
import { error, HEADERS, open, result, startRig } from './mock-servers-rig.ts'

let rig: Awaited<ReturnType<typeof startRig>>
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.servers.close())

describe('lists', () => {
  test.each(['tools', 'resources', 'prompts', 'resources/templates'] as const)(
    '%s come in pages of 3, marked, in the order of `offers`',
    async list => {
      for (const server of ['crm', 'db', 'syncboot'] as const) {
        const { request } = await open(rig.url(server))
        const member = list === 'resources/templates' ? 'resourceTemplates' : list
        const found: JsonObject[] = []
        const cursors: string[] = []
        let cursor: Json | undefined
        do {
          const { messages } = await request(`${list}/list`, cursor === undefined ? {} : { cursor })
          const page = at(messages[0], ['result', member]) as JsonObject[]
          cursor = at(messages[0], 'result.nextCursor')
          expect(cursor === undefined || page.length === 3).toBe(true)
          found.push(...page)
          if (typeof cursor === 'string') cursors.push(cursor)
        } while (cursor !== undefined)
        expect(new Set(cursors).size).toBe(cursors.length)
        expect(stringify(found)).toBe(stringify(offers(server, list)))
        for (const entry of found) {
          const own = String(entry['uri'] ?? entry['uriTemplate'] ?? entry['name'])
          expect(at(entry, ['_meta', 'mcp-conformance/marker'])).toBe(`${server}/${own}`)
          expect(String(entry['description']).endsWith(` [mcpc:${server}/${own}]`)).toBe(true)
          expect(stringify(entry['x-mock'] ?? null)).toContain('9007199254740993')
          if (list === 'tools') {
            expect(own).toMatch(/^[a-z0-9_]{1,40}$/)
            expect(isObject(at(entry, 'inputSchema.properties.nonce'))).toBe(true)
          }
        }
      }
    },
  )

  test('a cursor of another list, or of nowhere, is -32602', async () => {
    const { request } = await open(rig.url())
    const cursor = (await result(request('tools/list'))).nextCursor
    expect(cursor).toMatch(/[=+/]/)
    for (const wrong of [
      request('resources/list', { cursor }),
      request('tools/list', { cursor: `${cursor} ` }),
      request('tools/list', { cursor: 3 }),
    ]) {
      expect((await error(wrong)).code).toBe(-32602)
    }
  })

  test('hints are true, false, empty and absent', () => {
    const annotations = (name: string) => offers('crm', 'tools').find(t => t['name'] === name)?.['annotations']
    expect(at(annotations('hints_true'), 'readOnlyHint')).toBe(true)
    expect(at(annotations('hints_false'), 'destructiveHint')).toBe(false)
    expect(annotations('hints_empty')).toEqual({})
    expect(annotations('hints_absent')).toBeUndefined()
  })
})

describe('answers of the seeds, to the letter', () => {
  test('the schema of SyncBoot', async () => {
    const { call } = await open(rig.url('syncboot'))
    const args = {
      domainName: 'MembershipGrade',
      fields: [
        { name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true },
        { name: 'discountRate', type: 'DECIMAL(5,2)', nullable: false, defaultValue: '0.00' },
        { name: 'minSpentAmount', type: 'BIGINT', nullable: false, defaultValue: '0' },
      ],
      enableAuditing: true,
    }
    const sql =
      'CREATE TABLE tb_membership_grade (\n  grade_code VARCHAR(20) PRIMARY KEY,\n  discount_rate DECIMAL(5,2) NOT NULL DEFAULT 0.00,\n  min_spent_amount BIGINT NOT NULL DEFAULT 0,\n  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,\n  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP\n);'
    expect(await result(call('syncboot_generate_schema', args))).toEqual({
      content: [
        { type: 'text', text: '스키마 및 도메인 엔티티 생성이 완료되었습니다.' },
        {
          type: 'resource',
          resource: { uri: 'schema://syncboot/domain/MembershipGrade', mimeType: 'application/sql', text: sql },
        },
      ],
      isError: false,
      _meta: { executionTimeMs: 142, tokenUsage: { promptTokens: 320, completionTokens: 180, totalTokens: 500 } },
    })
    expect(await error(call('syncboot_generate_schema', { ...args, alterIndexes: true }))).toEqual({
      code: -32001,
      message: 'HITL Approval Required: 스키마 생성에 기존 인덱스 변경이 수반되어 관리자 승인이 필요합니다.',
      data: {
        type: 'https://empasy.io/errors/hitl-approval-required',
        title: 'HITL_APPROVAL_REQUIRED',
        status: 403,
        detail: 'Index modification detected on table tb_membership_grade',
        instance: '/tools/call/syncboot_generate_schema',
        approvalTicketId: 'ticket-hitl-88219',
      },
    })
  })

  test('the regression test, the refund and the customers of the database', async () => {
    const syncboot = await open(rig.url('syncboot'))
    const crm = await open(rig.url())
    const db = await open(rig.url('db'))
    expect(
      await result(syncboot.call('run_regression_test', { scenarioId: 'scn-checkout-flow', headless: true })),
    ).toEqual({
      content: [{ type: 'text', text: '테스트 통과: 12개 스텝 중 12개 성공 (0건 오류, 소요시간 2.4s)' }],
      isError: false,
    })
    const args = { reason: '결제오류 이중과금 환불 승인', order_id: 'ORD-99', nonce: 'n' }
    expect(await result(crm.call('approve_refund', args))).toEqual({
      content: [
        {
          type: 'text',
          text: "Successfully executed tool 'approve_refund' with args map[order_id:ORD-99 reason:결제오류 이중과금 환불 승인]",
        },
      ],
      isError: false,
    })
    const text =
      '[{"id": 101, "name": "김철수", "email": "chulsoo@cloit.com", "status": "active", "recent_order": "ORD-99"}]'
    expect(await result(db.request('resources/read', { uri: 'crm://customers' }))).toEqual({
      contents: [{ uri: 'crm://customers', mimeType: 'application/json', text }],
    })
  })

  test('tier 2 asks for the role in the token', async () => {
    const strict = await startRig({ tier2: true, only: ['crm'] })
    const idp = await startIdp()
    const { fields } = await open(strict.url())
    const refund = async (authorization?: string) => {
      const body =
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"approve_refund","arguments":{"order_id":"ORD-99"}}}'
      const headers = { ...HEADERS, ...fields, ...(authorization && { Authorization: authorization }) }
      return (await fetch(strict.url(), { method: 'POST', headers, body })).json()
    }
    const forbidden = { code: -32003, message: 'Forbidden: Requires crm_admin role for refund approval' }
    const bearer = async (roles: string[]) => `Bearer ${await idp.mint({ sub: 'u', roles })}`
    expect(await refund(await bearer(['crm_admin', 'x']))).toMatchObject({ result: { isError: false } })
    for (const without of [
      undefined,
      'Bearer nonsense',
      'Bearer a.b.c',
      await bearer([]),
      `Basic ${await idp.mint({ roles: ['crm_admin'] })}`,
    ]) {
      expect(await refund(without)).toMatchObject({ error: forbidden })
    }
    await idp.close()
    await strict.servers.close()
  })
})

describe('reading, prompting, completing', () => {
  test('templates are read by any URI that fits', async () => {
    const { request } = await open(rig.url())
    const read = async (uri: string) => JSON.parse((await request('resources/read', { uri })).text)
    expect(JSON.parse((await read('crm://customers/103')).result.contents[0].text).id).toBe(103)
    expect(JSON.parse((await read('crm://search?q=%ED%99%98%EB%B6%88&page=2&z=1')).result.contents[0].text)).toEqual({
      q: '환불',
      page: '2',
    })
    expect((await read('crm://files/a/b%20c.txt')).result.contents[0].text).toBe('a/b c.txt')
    for (const uri of ['crm://customers/999', 'crm://nowhere', 'CRM://customers', '']) {
      expect((await read(uri)).error).toEqual({ code: -32002, message: 'Resource not found', data: { uri } })
    }
    expect((await read(undefined as unknown as string)).error.code).toBe(-32602)
  })

  test('prompts take their arguments, and complain where one is missing', async () => {
    const { request } = await open(rig.url())
    const get = (name: string, args?: object) => request('prompts/get', { name, ...(args && { arguments: args }) })
    expect((await result(get('unicode_arguments', { 고객명: '김철수', nonce: 'n' }))).messages[0].content.text).toBe(
      '고객: 김철수\n메모: ',
    )
    expect((await result(get('no_arguments', { nonce: 'n' }))).messages[0].content.text).toBe('crm')
    expect((await result(get('mixed_messages'))).messages.map((m: { role: string }) => m.role)).toEqual([
      'user',
      'assistant',
      'user',
      'user',
      'user',
      'assistant',
    ])
    expect((await result(get('empty_prompt'))).messages).toEqual([])
    for (const wrong of [
      get('nope'),
      get('refund_letter'),
      get('refund_letter', { order_id: 1 }),
      get('refund_letter', []),
    ]) {
      expect((await error(wrong)).code).toBe(-32602)
    }
  })

  test('completes by what was typed', async () => {
    const { request } = await open(rig.url())
    const complete = (ref: object, name: string, value: string) =>
      request('completion/complete', { ref, argument: { name, value } })
    expect(
      (await result(complete({ type: 'ref/resource', uri: 'crm://customers/{id}' }, 'id', '10'))).completion,
    ).toMatchObject({
      values: ['101', '102', '103', '104', '105'],
      total: 5,
      hasMore: false,
    })
    expect(
      (await result(complete({ type: 'ref/prompt', name: 'refund_letter' }, 'order_id', ''))).completion.values,
    ).toEqual([])
    expect((await error(complete({ type: 'ref/prompt', name: 'nope' }, 'x', ''))).code).toBe(-32602)
  })

  test('what is unknown or malformed has its code', async () => {
    const { request, call } = await open(rig.url(), '2025-06-18')
    expect((await error(request('no/such'))).code).toBe(-32601)
    expect((await error(request('__proto__'))).code).toBe(-32601)
    expect((await error(call('nope'))).code).toBe(-32602)
    expect((await error(request('tools/call', { name: 'echo', arguments: [] }))).code).toBe(-32602)
    expect((await error(call('send_email', { to: 'a' }))).code).toBe(-32602)
    expect((await error(request('logging/setLevel', { level: 'loud' }))).code).toBe(-32602)
    const later = await open(rig.url(), '2025-11-25')
    expect(await result(later.call('send_email', { to: 1, subject: '' }))).toMatchObject({
      isError: true,
      content: [{ text: 'Invalid arguments: the argument "to" is no string' }],
    })
  })
})
