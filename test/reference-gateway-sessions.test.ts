import { describe, expect, test } from 'vitest'
import { get } from '../reference-gateway/json.ts'
import { client, items, mcp, usual } from './reference-gateway-mcp.ts'
import { gateway, header, send } from './reference-gateway-rig.ts'

describe('sessions', () => {
  test('initialize opens one session at each backend, with what the client said', async () => {
    const crm = await mcp({
      initialize: () =>
        '{"protocolVersion":"2025-03-26","capabilities":{"tools":{"listChanged":false},"tasks":{},"experimental":{"a":{}}},"instructions":"use crm"}',
    })
    const db = await mcp({})
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    expect(one.hello.status).toBe(200)
    expect(one.session).toMatch(/^[\x21-\x7e]{20,}$/)
    expect(JSON.parse(one.hello.text)).toEqual({
      jsonrpc: '2.0',
      id: 'hi',
      result: {
        protocolVersion: '2025-06-18',
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true },
          prompts: {},
          logging: {},
          completions: {},
          experimental: { a: {} },
        },
        serverInfo: expect.objectContaining({ name: 'mcp-reference-gateway' }),
        instructions: '## crm\n\nuse crm',
      },
    })
    for (const server of [crm, db]) {
      expect(server.sessions.size).toBe(1)
      const [hello] = server.of('initialize')
      expect(get(hello!.body, 'params')).toBe(
        '{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1.0"}}',
      )
      expect(header(hello!.headers, 'mcp-session-id')).toBeUndefined()
      const [ready] = server.of('notifications/initialized')
      expect([...server.sessions]).toEqual([header(ready!.headers, 'mcp-session-id')])
    }
    expect(header(crm.of('notifications/initialized')[0]!.headers, 'mcp-protocol-version')).toBe('2025-03-26')
    await client(url)
    expect(crm.sessions.size).toBe(2)
  })

  test.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('%s is answered with %s', async (asked, given) => {
    const { url } = await gateway({ crm: await mcp(usual) })
    expect(JSON.parse((await client(url, asked)).hello.text).result.protocolVersion).toBe(given)
  })

  test('DELETE ends it everywhere; afterwards it is unknown', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    expect((await one.end()).status).toBe(200)
    expect(crm.sessions.size + db.sessions.size).toBe(0)
    const late = await one.call('1', 'tools/list')
    expect(late.status).toBe(404)
    expect(JSON.parse(late.text)).toMatchObject({ id: 1, error: { message: 'Session not found.' } })
    expect((await one.end()).status).toBe(404)
  })

  test('what is wrong is refused in the right way', async () => {
    const { url } = await gateway({ crm: await mcp(usual) })
    const one = await client(url)
    const all = `${url}/all/mcp`
    const accept: [string, string] = ['Accept', 'application/json, text/event-stream']
    const status = async (...call: Parameters<typeof send>) => {
      const reply = await send(...call)
      return [reply.status, reply.text ? JSON.parse(reply.text).error?.code : undefined]
    }
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const session: [string, string] = ['Mcp-Session-Id', one.session]
    expect(await status(all, { headers: [accept], body })).toEqual([400, -32600])
    expect(await status(all, { headers: [accept, ['Mcp-Session-Id', 'x']], body })).toEqual([404, -32001])
    expect(await status(all, { headers: [accept, session], body })).toEqual([200, undefined])
    expect(await status(all, { headers: [accept, session], body: '{"id":1' })).toEqual([400, -32700])
    expect(await status(all, { headers: [accept, session], body: Buffer.from([0x22, 0xff, 0x22]) })).toEqual([
      400, -32700,
    ])
    for (const odd of [
      '1',
      '{}',
      '{"id":1}',
      '[]',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":7}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    ]) {
      expect(await status(all, { headers: [accept, session], body: odd })).toEqual([400, -32600])
    }
    const version = (value: string): [string, string] => ['MCP-Protocol-Version', value]
    expect(await status(all, { headers: [accept, session, version('1.0')], body })).toEqual([400, -32600])
    expect(await status(all, { headers: [accept, session, version('2025-11-25')], body })).toEqual([200, undefined])
    expect(await status(all, { headers: [['Accept', 'text/html'], session], body })).toEqual([406, -32600])
    expect(await status(all, { method: 'PUT', headers: [accept, session], body })).toEqual([405, -32600])
    expect(await status(all, { method: 'GET', headers: [accept] })).toEqual([400, -32600])
    expect(await status(all, { method: 'DELETE', headers: [accept, ['Mcp-Session-Id', 'x']] })).toEqual([404, -32001])
    expect((await one.call('1', 'initialize')).text).toContain('initialized already')
    expect((await one.call('1', 'server/unheard')).text).toContain('-32601')
    expect((await one.call('1', 'ping')).text).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  test('batches are accepted on 2025-03-26 only', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"1","method":"ping"}]'
    const old = await (await client(url, '2025-03-26')).post(batch)
    expect(old.status).toBe(200)
    expect(JSON.parse(old.text)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: '1', result: {} },
    ])
    const young = await (await client(url)).post(batch)
    expect([young.status, JSON.parse(young.text).error.code]).toEqual([400, -32600])
    const notices = await (await client(url, '2025-03-26')).post('[{"jsonrpc":"2.0","method":"x"}]')
    expect(notices).toMatchObject({ status: 202, text: '' })
  })

  test('a backend that has lost its session gets a new one, once, and the call is answered', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const one = await client(url)
    crm.sessions.clear()
    const replies = await Promise.all([1, 2, 3].map(id => one.call(String(id), 'tools/call', '{"name":"crm_echo"}')))
    expect(replies.map(reply => JSON.parse(reply.text).result.asked.name)).toEqual(['echo', 'echo', 'echo'])
    expect(crm.sessions.size).toBe(1)
    expect(crm.of('notifications/initialized')).toHaveLength(2)
    crm.sessions.clear()
    expect(items((await one.call('4', 'tools/list')).text, 'tools')).toHaveLength(2)
  })
})
