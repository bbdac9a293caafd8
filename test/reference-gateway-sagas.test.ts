import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startControl } from '../reference-gateway/control/server.ts'
import type { SagasConfig } from '../reference-gateway/guards.ts'
import { trailOf } from '../reference-gateway/parts/audit.ts'
import { gateway, header, json, rpc, send } from './reference-gateway-rig.ts'
import { asking, refuses, type SagaServer, sagaServer, steps, untilState } from './sagas-rig.ts'

let folder = ''
const opened: { close(): Promise<void> }[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-sagas-'))
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function orchestrator(crm: SagaServer, sagas: SagasConfig = {}, more = {}) {
  const running = await gateway({ crm: crm.server }, { sagas: { retryMs: 1, ...sagas }, ...more })
  const control = await startControl(running.gateway, { port: 0, token: 'boss' })
  opened.push(control)
  return { running, ask: asking(control.url, 'boss'), url: `${running.url}/crm/mcp` }
}

describe('a workflow', () => {
  test('runs its steps in order, with their arguments as they were written', async () => {
    const crm = await sagaServer()
    const { ask } = await orchestrator(crm)
    const begun = await ask(
      'POST',
      '/sagas',
      '{"name":"w","traceId":"t-1","steps":[{"backend":"crm","tool":"a","arguments":{"n":9007199254740993,\n"k":"등급"}},{"service":"crm-service","tool":"b"}]}',
    )
    expect([begun.status, begun.json.state]).toEqual([202, 'RUNNING'])
    expect(header(begun.headers, 'location')).toBe(`/api/v1/sagas/${begun.json.id}`)
    const saga = await untilState(ask, begun.json.id, 'COMPLETED')
    expect(saga.steps.map(step => step.state)).toEqual(['COMPLETED', 'COMPLETED'])
    expect(crm.asked.map(({ tool, arguments: args, traceId }) => [tool, args, traceId])).toEqual([
      ['a', '{"n":9007199254740993, "k":"등급"}', 't-1'],
      ['b', '{}', 't-1'],
    ])
    expect((await ask('GET', '/sagas')).json.sagas).toMatchObject([{ id: begun.json.id, name: 'w' }])
  })

  test('stands in the record of calls, step by step', async () => {
    const crm = await sagaServer()
    crm.does('b', refuses)
    const { running, ask } = await orchestrator(crm, {}, { audit: {} })
    const { json: begun } = await ask('POST', '/sagas', { steps: steps('a', 'b') })
    await untilState(ask, begun.id, 'COMPENSATED')
    const { found } = trailOf(running.gateway)!.find(() => true, 10)
    const seen = found.map(({ record }) => record).map(one => [one.userId, one.toolName, one.outcome, one.mcpName])
    expect(seen.reverse()).toEqual([
      [`saga:${begun.id}`, 'a', 'result', 'crm-service'],
      [`saga:${begun.id}`, 'b', 'error', 'crm-service'],
      [`saga:${begun.id}`, '-a', 'result', 'crm-service'],
    ])
  })

  test('shows servers the token that it was given, which is written nowhere', async () => {
    const crm = await sagaServer()
    const file = join(folder, 'token.jsonl')
    const { ask } = await orchestrator(crm, { file })
    const { json: saga } = await ask('POST', '/sagas', { authorization: 'Bearer given', steps: steps('a') })
    await untilState(ask, saga.id, 'COMPLETED')
    expect(crm.asked[0]?.authorization).toBe('Bearer given')
    expect(readFileSync(file, 'utf8')).not.toContain('given')
  })

  test('is undone in reverse; a compensation that fails for good waits for a retry', async () => {
    const crm = await sagaServer()
    crm.does('c', refuses)
    let well = false
    crm.does('-b', (response, id) => !well && refuses(response, id))
    const { ask, url } = await orchestrator(crm)
    const { json: begun } = await ask('POST', '/sagas', { traceId: 't-2', steps: steps('a', 'b', 'c') })
    const failed = await untilState(ask, begun.id, 'COMPENSATION_FAILED')
    expect(crm.ran).toEqual(['a', 'b', 'c', '-b', '-b', '-b'])
    expect(failed.steps[1]).toMatchObject({ state: 'COMPENSATION_FAILED', reason: 'The server refused: nein' })
    const call = () => send(url, { body: rpc('7', 'tools/call', '{"name":"x","_meta":{"traceId":"t-2"}}') })
    const refused = await call()
    expect(refused.status).toBe(500)
    expect(JSON.parse(refused.text)).toMatchObject({
      id: 7,
      error: { code: -32003, data: { status: 500, sagaId: begun.id, instance: '/tools/call/x' } },
    })
    well = true
    expect((await ask('POST', `/sagas/${begun.id}/retry`)).status).toBe(200)
    await untilState(ask, begun.id, 'COMPENSATED')
    expect(crm.ran.slice(6)).toEqual(['-b', '-a'])
    expect((await call()).status).toBe(200)
    expect((await ask('POST', `/sagas/${begun.id}/retry`)).status).toBe(409)
  })

  test('makes a compensation without an answer again under the same key, and one that was refused under another', async () => {
    const crm = await sagaServer()
    crm.does('b', refuses)
    let times = 0
    crm.does('-a', (response, id) => {
      times++
      if (times === 1) response.destroy()
      return times === 1 || (times === 2 && refuses(response, id))
    })
    const { ask } = await orchestrator(crm)
    const { json: begun } = await ask('POST', '/sagas', { steps: steps('a', 'b') })
    await untilState(ask, begun.id, 'COMPENSATED')
    const [first, second, third] = crm.asked.filter(one => one.tool === '-a').map(one => one.key)
    expect(first).toBe(second)
    expect(third).not.toBe(second)
  })

  test('fails at a server that is not there, and at a result with isError', async () => {
    const crm = await sagaServer()
    crm.does('b', (response, id) => {
      json(response, `{"jsonrpc":"2.0","id":${id},"result":{"isError":true,"content":[{"type":"text","text":"voll"}]}}`)
      return true
    })
    const { ask } = await orchestrator(crm)
    const { json: one } = await ask('POST', '/sagas', { steps: steps('a', 'b') })
    expect((await untilState(ask, one.id, 'COMPENSATED')).steps[1]?.reason).toBe('The tool failed: voll')
    const { json: two } = await ask('POST', '/sagas', { steps: [{ backend: 'nobody', tool: 'a' }] })
    expect((await untilState(ask, two.id, 'COMPENSATED')).steps[0]?.state).toBe('FAILED')
  })
})

test('a batch with a call of the trace is refused whole, and nothing else is', async () => {
  const crm = await sagaServer()
  crm.does('b', refuses)
  crm.does('-a', () => true)
  const { ask, url } = await orchestrator(crm)
  await ask('POST', '/sagas', { traceId: 't', steps: steps('a', 'b') })
  await crm.until('-a')
  const call = (id: string, trace: string) => rpc(id, 'tools/call', `{"name":"x","_meta":{"traceId":"${trace}"}}`)
  const batch = await send(url, { body: `[${call('1', 't')},${call('2', 'u')}]` })
  const codes = (JSON.parse(batch.text) as { error: { code: number } }[]).map(one => one.error.code)
  expect([batch.status, codes]).toEqual([500, [-32003, -32600]])
  expect((await send(url, { body: call('3', 'u') })).status).toBe(200)
  expect((await send(url, { body: rpc('4', 'tools/list', '{"_meta":{"traceId":"t"}}') })).status).not.toBe(500)
})

test('plans that can’t be used are refused, with the member that is wrong', async () => {
  const { ask } = await orchestrator(await sagaServer())
  const refusal = async (plan: object | string) => {
    const { status, json: body } = await ask('POST', '/sagas', plan)
    return [status, body.errors?.[0]?.member]
  }
  expect(await refusal({ steps: [] })).toEqual([422, 'steps'])
  expect(await refusal({ steps: steps('a'), more: 1 })).toEqual([422, 'more'])
  expect(await refusal({ steps: [{ tool: 'a' }] })).toEqual([422, 'steps.0.backend'])
  expect(await refusal({ steps: [{ backend: 'crm', tool: 'a', arguments: [] }] })).toEqual([422, 'steps.0.arguments'])
  expect(await refusal({ steps: steps('a', 'a') })).toEqual([422, 'steps.1.name'])
  expect(await refusal({ steps: steps('a'), authorization: 7 })).toEqual([422, 'authorization'])
  expect(await refusal('[]')).toEqual([422, ''])
  expect((await ask('GET', '/sagas/none')).status).toBe(404)
})

describe('the journal', () => {
  test('is taken up at the next start: the call without an answer is made again under its key', async () => {
    const crm = await sagaServer()
    crm.does('b', refuses)
    let hangs = true
    crm.does('-a', () => hangs)
    const file = join(folder, 'again.jsonl')
    const { ask, running } = await orchestrator(crm, { file })
    const { json: begun } = await ask('POST', '/sagas', { steps: steps('a', 'b') })
    await crm.until('-a')
    await running.close()
    hangs = false
    appendFileSync(file, '{"id":"torn')
    const next = await orchestrator(crm, { file })
    await untilState(next.ask, begun.id, 'COMPENSATED')
    expect(crm.ran).toEqual(['a', 'b', '-a'])
    expect(crm.asked.map(one => one.tool)).toEqual(['a', 'b', '-a', '-a'])
    expect(readFileSync(file, 'utf8')).not.toContain('torn')
  })

  test('that can’t be read keeps the gateway from starting, and says the line', async () => {
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, 'nonsense\n')
    await expect(orchestrator(await sagaServer(), { file })).rejects.toThrow(/line 1: mend it, or move it away/)
  })
})
