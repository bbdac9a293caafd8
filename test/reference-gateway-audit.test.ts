import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trailOf } from '../reference-gateway/parts/audit.ts'
import type { Gateway } from '../reference-gateway/types.ts'
import { backend, gateway, header, json, rpc, send, watch } from './reference-gateway-rig.ts'

/** The record of calls, by real HTTP. */

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-audit-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const answering = (body: string, status = 200) => backend((_, response) => json(response, body, status))

const lines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as Record<string, unknown>)

/** The records in memory, the oldest first, as soon as there are so many. */
async function records(running: { readonly gateway: Gateway }, count: number): Promise<Record<string, unknown>[]> {
  const trail = trailOf(running.gateway)!
  while (trail.total < count) await new Promise<void>(resolve => trail.watch(() => resolve()))
  return trail
    .find(() => true, count)
    .found.map(({ line }) => JSON.parse(line) as Record<string, unknown>)
    .reverse()
}

const session = [['Mcp-Session-Id', 's-1']] as const

test('a call is written down with all that the record has', async () => {
  const crm = await answering('{"jsonrpc":"2.0","id":7,"result":{"content":[]}}')
  const running = await gateway({ crm }, { audit: {} })
  const params =
    '{"name":"echo","arguments":{"text":"환불","n":9007199254740993,\n"deep":{"a":[null]}},"_meta":{"x":1}}'
  await send(`${running.url}/crm/mcp`, { headers: session, body: rpc('7', 'tools/call', params) })
  const [record] = await records(running, 1)
  expect(record).toMatchObject({
    sessionId: 's-1',
    userId: null,
    mcpName: 'crm-service',
    httpMethod: 'POST',
    mcpMethod: 'tools/call',
    toolName: 'echo',
    responseStatus: 200,
    outcome: 'result',
    errorCode: null,
    refusedBy: null,
    clientAddress: '127.0.0.1',
    clientGone: false,
  })
  const { line } = trailOf(running.gateway)!.find(() => true, 1).found[0]!
  expect(line).toContain('"arguments":{"text":"환불","n":9007199254740993, "deep":{"a":[null]}}')
  const { id, timestamp } = record as { id: string; timestamp: string }
  expect(id).toMatch(/^\d{14}\.\d{3}$/)
  expect(timestamp.replace(/[-:TZ]/g, '')).toBe(id)
})

test('errors, notifications, reads, batches and what is no JSON are told apart', async () => {
  const crm = await backend((_, response, body) => {
    if (body.includes('fails')) return json(response, '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no"}}')
    if (body.includes('tool-error')) return json(response, '{"jsonrpc":"2.0","id":1,"result":{"isError":true}}')
    if (body.startsWith('['))
      return json(response, '[{"id":"b","error":{"code":-32602,"message":"x"}},{"id":"a","result":{}}]')
    if (body === 'nonsense') return json(response, '{"id":null,"error":{"code":-32700,"message":"x"}}', 400)
    if (body.includes('resources/read')) return json(response, '{"jsonrpc":"2.0","id":1,"result":{"contents":[]}}')
    response.writeHead(202).end()
  })
  const running = await gateway({ crm }, { audit: {} })
  const bodies = [
    rpc('1', 'tools/call', '{"name":"fails"}'),
    rpc('1', 'tools/call', '{"name":"tool-error","arguments":{}}'),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    rpc('1', 'resources/read', '{"uri":"crm://customers","_meta":{"a":1}}'),
    `[${rpc('"a"', 'tools/list', '{}')},${rpc('"b"', 'tools/call', '{"name":"two"}')}]`,
    'nonsense',
  ]
  for (const body of bodies) await send(`${running.url}/crm/mcp`, { body })
  await send(`${running.url}/crm/mcp`, { method: 'DELETE', headers: session })
  const all = await records(running, 8)
  const told = all.map(r => [
    r['mcpMethod'],
    r['toolName'],
    r['arguments'],
    r['responseStatus'],
    r['outcome'],
    r['errorCode'],
  ])
  expect(told).toEqual([
    ['tools/call', 'fails', null, 200, 'error', -32001],
    ['tools/call', 'tool-error', {}, 200, 'tool-error', null],
    ['notifications/initialized', null, null, 202, 'none', null],
    ['resources/read', null, { uri: 'crm://customers' }, 200, 'result', null],
    ['tools/list', null, {}, 200, 'result', null],
    ['tools/call', 'two', null, 200, 'error', -32602],
    [null, null, null, 400, 'error', -32700],
    [null, null, null, 202, 'none', null],
  ])
  expect(new Set(all.map(r => r['id'])).size).toBe(8)
  expect(all[5]!['id']).toBe(`${all[4]!['id']}.2`)
})

test('refusals are written down, with who refused', async () => {
  const crm = await answering('{"jsonrpc":"2.0","id":1,"result":{}}')
  const running = await gateway(
    { crm, gone: 'http://127.0.0.1:9/mcp' },
    { audit: {}, maxBodyBytes: 1000, breaker: { rate: { requests: 2 } } },
  )
  const call = (
    path: string,
    headers: (readonly [string, string])[] = [],
    body = rpc('1', 'tools/call', '{"name":"a"}'),
  ) => send(running.url + path, { headers, body })
  await call('/mcp')
  await call('/mcp', [['Mcp-Name', 'nobody']])
  for (let i = 0; i < 3; i++) await call('/crm/mcp', [['Mcp-Session-Id', 'quick']])
  await call('/nowhere', [['Mcp-Session-Id', 'n']])
  await call('/crm/mcp', [['Mcp-Session-Id', 'l']], `{"text":"${'x'.repeat(1000)}"}`)
  await call('/gone/mcp', [['Mcp-Session-Id', 'g']])
  const told = (await records(running, 8)).map(r => [r['responseStatus'], r['refusedBy'], r['mcpName'], r['toolName']])
  expect(told).toEqual([
    [400, 'route', null, 'a'],
    [502, 'route', 'nobody', 'a'],
    [200, null, 'crm-service', 'a'],
    [200, null, 'crm-service', 'a'],
    [429, 'breaker', null, 'a'],
    [404, 'route', null, 'a'],
    [413, 'limit', 'crm-service', null],
    [502, null, 'gone-service', 'a'],
  ])
})

test('a refused request whose body is late is written down with its body', async () => {
  const crm = await answering('{}')
  const running = await gateway({ crm }, { audit: {} })
  const body = rpc('1', 'tools/call', '{"name":"late"}')
  const socket = connect(running.port, '127.0.0.1')
  socket.write(`POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
  await new Promise(resolve => socket.once('data', resolve))
  socket.write(body)
  expect((await records(running, 1))[0]).toMatchObject({ responseStatus: 400, toolName: 'late' })
  socket.destroy()
})

test('the aggregating endpoint is recorded, with the service that a call went to', async () => {
  const crm = await backend((_, response, body) => {
    const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null'
    if (body.includes('"initialize"'))
      return json(
        response,
        `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"crm","version":"1"}}}`,
      )
    json(response, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)
  })
  const running = await gateway({ crm }, { audit: {} })
  const types = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
  ] as const
  const hello = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
  const opened = await send(`${running.url}/all/mcp`, { headers: types, body: rpc('1', 'initialize', hello) })
  const id = header(opened.headers, 'mcp-session-id')!
  const body = rpc('2', 'tools/call', '{"name":"crm_echo","arguments":{"a":1.0}}')
  await send(`${running.url}/all/mcp`, { headers: [...types, ['Mcp-Session-Id', id]], body })
  const [first, second] = await records(running, 2)
  expect(first).toMatchObject({ mcpMethod: 'initialize', sessionId: id, outcome: 'result' })
  expect(second).toMatchObject({ toolName: 'crm_echo', sessionId: id, mcpName: 'crm-service', outcome: 'result' })
})

test('a client that hangs up is written down as such, and a stream when it has ended', async () => {
  const crm = await backend((_, response, body) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n')
    if (body.includes('ends')) response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n')
  })
  const running = await gateway({ crm }, { audit: {} })
  const ends = await send(`${running.url}/crm/mcp`, { body: rpc('1', 'tools/call', '{"name":"ends"}') })
  expect(ends.text).toContain('result')
  const stays = watch(`${running.url}/crm/mcp`, { body: rpc('2', 'tools/call', '{"name":"stays"}') })
  await stays.until('progress')
  expect(trailOf(running.gateway)!.total).toBe(1)
  stays.hangUp()
  const [first, second] = await records(running, 2)
  expect(first).toMatchObject({ outcome: 'result', clientGone: false })
  expect(second).toMatchObject({ outcome: 'none', clientGone: true, responseStatus: 200 })
})

test('secrets are hidden, and large arguments cut', async () => {
  const crm = await answering('{"jsonrpc":"2.0","id":1,"result":{}}')
  const running = await gateway({ crm }, { audit: { argumentBytes: 200, secrets: ['pin_code'] } })
  const token = 'eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl'
  const call = (args: string) =>
    send(`${running.url}/crm/mcp`, {
      headers: [['Authorization', `Bearer ${token}`]],
      body: rpc('1', 'tools/call', `{"name":"a","arguments":${args}}`),
    })
  await call(`{"db_password":"p","api-key":{"a":["q"]},"pinCode":1234,"text":"mine: ${token}!","nextPageToken":"kept"}`)
  await call(`{"text":"\\u0065${token.slice(1)}"}`)
  await call(`{"text":"${'환'.repeat(100)}"}`)
  const [hidden, escaped, long] = (await records(running, 3)).map(r => r['arguments'])
  expect(hidden).toEqual({
    db_password: '[hidden]',
    'api-key': '[hidden]',
    pinCode: '[hidden]',
    text: 'mine: [hidden]!',
    nextPageToken: 'kept',
  })
  expect(escaped).toEqual({ text: '[hidden]' })
  expect(long).toEqual({ truncated: true, bytes: 311, text: `{"text":"${'환'.repeat(63)}` })
  expect(crm.seen[0]!.body).toContain(token)
})

test('every answered call has its line in the file when the gateway has closed', async () => {
  const crm = await answering('{"jsonrpc":"2.0","id":1,"result":{}}')
  const file = join(folder, 'closed.jsonl')
  writeFileSync(file, '{"half":')
  const running = await gateway({ crm }, { audit: { file } })
  let answered = 0
  const client = async () => {
    for (let i = 0; i < 50; i++) {
      await send(`${running.url}/crm/mcp`, { body: rpc('1', 'tools/call', `{"name":"a","arguments":{"i":${i}}}`) })
      answered++
    }
  }
  await Promise.all([client(), client(), client(), client()])
  await running.close()
  const text = readFileSync(file, 'utf8')
  expect(text.startsWith('{"half":\n{"id"')).toBe(true)
  writeFileSync(file, text.slice(text.indexOf('\n') + 1))
  expect(answered).toBe(200)
  expect(new Set(lines(file).map(r => r['id'])).size).toBe(200)
})

test('a file that can’t be written is said when the gateway starts', async () => {
  const started = gateway({ crm: 'http://127.0.0.1:9/mcp' }, { audit: { file: join(folder, 'no', 'such', 'file') } })
  await expect(started).rejects.toThrow(/The audit file ".*" can't be written: ENOENT/)
})
