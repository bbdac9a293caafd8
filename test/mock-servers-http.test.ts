import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../kit/json.ts'
import { HEADERS, INITIALIZE, newMark, open, post, startRig } from './mock-servers-rig.ts'

let rig: Awaited<ReturnType<typeof startRig>>
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.servers.close())

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' }

describe('a mock server over HTTP', () => {
  test('negotiates the revision by the text', async () => {
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const { messages } = await post(rig.url(), INITIALIZE(version))
      expect(at(messages[0], 'result.protocolVersion')).toBe(version)
    }
    for (const version of ['2024-11-05', '2026-07-28', '']) {
      const { messages } = await post(rig.url(), INITIALIZE(version))
      expect(at(messages[0], 'result.protocolVersion')).toBe('2025-11-25')
    }
  })

  test('issues a session, requires it, and ends it for good', async () => {
    const a = await open(rig.url())
    const b = await open(rig.url())
    expect(a.session).toMatch(/^[\x21-\x7e]{16,}$/)
    expect(b.session).not.toBe(a.session)
    expect((await post(rig.url(), PING)).status).toBe(400)
    expect((await post(rig.url(), PING, { 'Mcp-Session-Id': 'never-issued' })).status).toBe(404)
    expect((await a.send(PING)).status).toBe(200)
    expect((await fetch(rig.url(), { method: 'DELETE' })).status).toBe(400)
    const ended = await fetch(rig.url(), { method: 'DELETE', headers: a.fields })
    expect([ended.status, await ended.text()]).toEqual([200, ''])
    expect((await a.send(PING)).status).toBe(404)
    expect((await a.send(NOTE)).status).toBe(404)
    expect((await fetch(rig.url(), { method: 'DELETE', headers: a.fields })).status).toBe(404)
    expect((await b.send(PING)).status).toBe(200)
  })

  test('takes a session id of the form that clients of the platform make up', async () => {
    const fields = { 'Mcp-Session-Id': 'rate-session-175525' }
    expect((await post(rig.url(), PING, fields)).status).toBe(200)
    expect((await fetch(rig.url(), { method: 'DELETE', headers: fields })).status).toBe(200)
  })

  test('answers notifications and responses with 202 and no body', async () => {
    const { send } = await open(rig.url())
    for (const body of [
      NOTE,
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'x', error: { code: 1, message: '' } },
    ]) {
      const { status, text, headers } = await send(body)
      expect([status, text, headers.get('content-length')]).toEqual([202, '', '0'])
    }
  })

  test.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['a bare word', 'hello', 400, -32700],
    ['text that is no UTF-8', Buffer.from('7b22ff227d', 'hex'), 400, -32700],
    ['an empty body', '', 400, -32700],
    ['a number', '1', 400, -32600],
    ['no version', '{"id":1,"method":"ping"}', 400, -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":1}', 400, -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600],
    ['neither method nor result', '{"jsonrpc":"2.0","id":1}', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a batch after 2025-03-26', `[${JSON.stringify(PING)}]`, 400, -32600],
  ])('refuses %s', async (_, body, status, code) => {
    const { fields } = await open(rig.url())
    const response = await fetch(rig.url(), { method: 'POST', headers: { ...HEADERS, ...fields }, body })
    const answer = JSON.parse(await response.text())
    expect([response.status, answer.error.code]).toEqual([status, code])
    expect([null, 1]).toContain(answer.id)
  })

  test.each([
    ['Accept without text/event-stream', { Accept: 'application/json' }, 406],
    ['Accept without application/json', { Accept: 'text/event-stream' }, 406],
    ['Accept of anything', { Accept: '*/*' }, 406],
    ['a body of another type', { 'Content-Type': 'text/plain' }, 415],
    ['an unknown version', { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ['a version twice', { 'MCP-Protocol-Version': '2025-11-25, 2025-11-25' }, 400],
    ['a foreign origin', { Origin: 'http://evil.example' }, 403],
    ['an origin that only looks local', { Origin: 'http://localhost.evil.example' }, 403],
    ['a null origin', { Origin: 'null' }, 403],
    [
      'types with parameters',
      { Accept: 'application/json;q=0.5, text/event-stream; x=1', 'Content-Type': 'application/json; charset=utf-8' },
      200,
    ],
    ['a local origin', { Origin: 'http://localhost:3000' }, 200],
    ['another local origin', { Origin: 'http://[::1]:3000' }, 200],
  ])('holds headers to the letter: %s', async (_, headers, status) => {
    const { send } = await open(rig.url())
    expect((await send(PING, headers as Record<string, string>)).status).toBe(status)
  })

  test('knows GET, POST and DELETE of /mcp, and nothing else', async () => {
    const put = await fetch(rig.url(), { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    const origin = new URL(rig.url()).origin
    for (const path of [
      '/',
      '/mcp/',
      '/MCP',
      '/sse',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      expect((await fetch(origin + path)).status, path).toBe(404)
    }
    expect((await post(`${rig.url()}?x=1`, INITIALIZE())).status).toBe(200)
  })

  test('opens a GET stream at once, requires a session for it, and ends it with the session', async () => {
    const { fields } = await open(rig.url())
    const accept = { Accept: 'text/event-stream' }
    expect((await fetch(rig.url(), { headers: accept })).status).toBe(400)
    expect((await fetch(rig.url(), { headers: { ...accept, 'Mcp-Session-Id': 'no' } })).status).toBe(404)
    expect((await fetch(rig.url(), { headers: { ...fields, Accept: 'application/json' } })).status).toBe(406)
    const stream = await fetch(rig.url(), { headers: { ...fields, ...accept } })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    await fetch(rig.url(), { method: 'DELETE', headers: fields })
    expect(await stream.text()).toBe('')
  })

  test('answers batches on 2025-03-26, and only there', async () => {
    const { send, fields } = await open(rig.url(), '2025-03-26')
    const { status, messages } = await send([PING, NOTE, { ...PING, id: 'x', method: 'nope' }, 1])
    expect(status).toBe(200)
    expect((messages[0] as object[]).map(m => JSON.parse(JSON.stringify(m)))).toMatchObject([
      { id: 7, result: {} },
      { id: 'x', error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ])
    expect((await send([NOTE, NOTE])).status).toBe(202)
    expect((await send([INITIALIZE()])).status).toBe(400)
    const call = {
      ...PING,
      method: 'tools/call',
      params: { name: 'count', arguments: { to: 2 }, _meta: { progressToken: 'p' } },
    }
    const streamed = await send([call, { ...PING, id: 8 }])
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect(streamed.messages).toHaveLength(4)
    expect((await post(rig.url(), [PING], { ...fields, 'MCP-Protocol-Version': '' })).status).toBe(400)
  })

  test.each(['1', '"1"', '9007199254740993', '-5', '1.0', '1e2', '"한글 \\u0041\\n"', '""', '0'])(
    'echoes the id %s as it came',
    async id => {
      const { send } = await open(rig.url())
      const { text } = await send(`{ "id" : ${id} , "jsonrpc":"2.0","method":"ping"}`)
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`)
    },
  )

  test('issues nothing and keeps nothing where it is stateless', async () => {
    const stateless = await startRig({ stateless: true, only: ['crm'] })
    const url = stateless.url()
    const { headers, status } = await post(url, INITIALIZE())
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null])
    expect((await post(url, PING, { 'Mcp-Session-Id': 'whatever' })).status).toBe(200)
    expect((await post(url, NOTE)).status).toBe(202)
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(url, { method, headers: { Accept: 'text/event-stream' } })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect(stateless.servers.url('db')).toBeUndefined()
    await stateless.servers.close()
  })

  test('refuses connections while it is stopped, and comes back on the same port without its sessions', async () => {
    const own = await startRig({ only: ['db'] })
    const url = own.url('db')
    const { fields, send } = await open(url)
    const stream = await fetch(url, { headers: { ...fields, Accept: 'text/event-stream' } })
    await own.servers.stop('db')
    await expect(stream.text()).rejects.toThrow()
    await expect(fetch(url)).rejects.toThrow()
    await own.servers.start('db')
    expect(own.url('db')).toBe(url)
    expect((await send(PING)).status).toBe(404)
    await own.servers.close()
  })

  test('says in one sentence that a port is taken', async () => {
    const port = Number(new URL(rig.url('db')).port)
    await expect(startRig({ ports: { db: port } })).rejects.toThrow(
      `The mock server db cannot listen on 127.0.0.1:${port}: the port is taken. Stop what listens there, or choose another port for db.`,
    )
  })

  test('takes requests in pieces and several on one connection', async () => {
    const { session } = await open(rig.url())
    const { port } = new URL(rig.url())
    const mark = newMark()
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"${mark}.1"}}}`
    const head = `POST /mcp HTTP/1.1\r\nhost: gateway.example\r\nX-Odd-CASE: 1\r\nx-odd-case:  2\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nMcp-Session-Id: ${session}\r\ncontent-length: ${body.length}\r\n\r\n`
    const socket = connect(Number(port), '127.0.0.1')
    let got = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (got += chunk))
    for (const text of [head + body, head, body.slice(0, 20), body.slice(20)]) socket.write(text)
    await rig.recorder.when(() => rig.recorder.exchanges(mark).backend.filter(e => e.endedAt).length === 2, 2000)
    socket.end()
    await new Promise(resolve => socket.on('close', resolve))
    expect(got.match(/"result":\{\}/g)).toHaveLength(2)
    const { request } = rig.recorder.exchanges(mark).backend[0]!
    expect(request.headers.slice(0, 3)).toEqual([
      ['host', 'gateway.example'],
      ['X-Odd-CASE', '1'],
      ['x-odd-case', '2'],
    ])
    expect(request.body).toBe(body)
  })
})
