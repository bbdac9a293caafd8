import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { backend, gateway, header, json, rpc, send, watch } from './reference-gateway-rig.ts'

const odd = '{ "jsonrpc":"2.0",\n "id" : 9007199254740993, "method":"x\\u00e9", "z":1.0e+2, "가":"나 🎉", "z":2 }\n'

test('bodies and end-to-end fields pass as they are, both ways; those of one connection do not', async () => {
  const crm = await backend((_request, response) => {
    response.sendDate = false
    response.writeHead(207, 'Just So', [
      'X-Dup',
      'a',
      'content-TYPE',
      'application/json; charset=utf-8',
      'x-dup',
      'b',
      'Set-Cookie',
      'k=v',
      'Connection',
      'x-mine',
      'X-Mine',
      'secret',
      'Proxy-Connection',
      'keep-alive',
      'X-Latin',
      'caf\xe9',
    ])
    response.end(odd)
  })
  const { url } = await gateway({ crm })
  const reply = await send(`${url}/crm/mcp?a=1&b=%2F`, {
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Dup', '1'],
      ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
      ['x-dup', '2'],
      ['AUTHORIZATION', 'Bearer abc'],
      ['Connection', 'X-Private, close'],
      ['X-Private', 'no'],
      ['TE', 'trailers'],
      ['Mcp-Session-Id', 's 1'],
      ['Mcp-Name', 'crm-service'],
    ],
    body: odd,
  })
  expect(crm.seen).toHaveLength(1)
  const [seen] = crm.seen
  expect(seen).toMatchObject({ method: 'POST', url: '/mcp?a=1&b=%2F', body: odd })
  const passed = seen!.headers.slice(seen!.headers.indexOf('Content-Type'), -2)
  expect(passed).toEqual([
    'Content-Type',
    'application/json',
    'X-Dup',
    '1',
    'traceparent',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'x-dup',
    '2',
    'AUTHORIZATION',
    'Bearer abc',
    'Mcp-Session-Id',
    's 1',
    'Mcp-Name',
    'crm-service',
  ])
  expect(header(seen!.headers, 'host')).toBe(`127.0.0.1:${crm.port}`)
  expect(reply).toMatchObject({ status: 207, text: odd, whole: true })
  expect(reply.headers.slice(0, 10)).toEqual([
    'X-Dup',
    'a',
    'content-TYPE',
    'application/json; charset=utf-8',
    'x-dup',
    'b',
    'Set-Cookie',
    'k=v',
    'X-Latin',
    'caf\xe9',
  ])
  expect(header(reply.headers, 'date')).toMatch(/GMT$/)
})

test('a packed body stays packed', async () => {
  const packed = gzipSync('{"a":1}')
  const crm = await backend((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(packed)
  })
  const { url } = await gateway({ crm })
  const reply = await send(`${url}/crm/mcp`, { body: rpc('1') })
  expect(reply.bytes.equals(packed)).toBe(true)
  expect(header(reply.headers, 'content-encoding')).toBe('gzip')
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is relayed', async method => {
  const crm = await backend((_request, response) => response.writeHead(418, { 'X-A': '1' }).end('no'))
  const { url } = await gateway({ crm })
  const reply = await send(`${url}/crm/mcp`, { method })
  expect(crm.seen[0]!.method).toBe(method)
  expect(reply).toMatchObject({ status: 418, text: 'no' })
})

test('routes by path and by header, and says why where it cannot', async () => {
  const crm = await backend((_request, response) => json(response, '{"from":"crm"}'))
  const db = await backend((_request, response) => json(response, '{"from":"db"}'))
  const { url } = await gateway({ crm, db })
  const named = (name: string) => ({ headers: [['mcp-NAME', name]] as const, body: 'not even JSON' })
  expect((await send(`${url}/db/mcp`, { body: '{}' })).text).toBe('{"from":"db"}')
  expect((await send(`${url}/mcp`, named('crm-service'))).text).toBe('{"from":"crm"}')
  expect(await send(`${url}/mcp`, named('crm'))).toMatchObject({
    status: 502,
    text: '{"error":"Route not found for Mcp-Name"}',
  })
  expect(await send(`${url}/mcp`, { body: '{}' })).toMatchObject({
    status: 400,
    text: '{"error":"Missing Mcp-Name header"}',
  })
  const modern = [['MCP-Protocol-Version', '2026-07-28']] as const
  const tool = ['Mcp-Name', 'crm-service'] as const
  expect(
    await send(`${url}/mcp`, { headers: [...modern, tool, ['Mcp-Service', 'db-service']], body: '{}' }),
  ).toMatchObject({ status: 200, text: '{"from":"db"}' })
  expect(await send(`${url}/mcp`, { headers: [...modern, tool], body: '{}' })).toMatchObject({
    status: 400,
    text: '{"error":"Missing Mcp-Service header"}',
  })
  for (const path of ['/', '/crm/mcp/', '/crm', '/.well-known/oauth-protected-resource', '/__proto__/mcp']) {
    expect((await send(url + path, { method: 'GET' })).status).toBe(404)
  }
})

test('refuses foreign origins, lets loopback and allowed ones through', async () => {
  const crm = await backend((_request, response) => json(response, '{}'))
  const { url } = await gateway({ crm }, { allowedOrigins: ['https://app.example'] })
  const from = async (origin: string) =>
    (await send(`${url}/crm/mcp`, { headers: [['Origin', origin]], body: '{}' })).status
  expect(await from('http://localhost:3000')).toBe(200)
  expect(await from('http://127.0.0.1')).toBe(200)
  expect(await from('https://app.example')).toBe(200)
  for (const foreign of ['http://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://localhost.evil']) {
    expect(await from(foreign)).toBe(403)
  }
})

test('what is not HTTP gets 400', async () => {
  const crm = await backend((_request, response) => json(response, '{}'))
  const { port } = await gateway({ crm })
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write('POST /crm/mcp HTTP/1.1\r\nno colon here\r\n\r\n')
  const [text] = await once(socket, 'data')
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})

test('a body over the limit gets 413, whether it says its length or not', async () => {
  const crm = await backend((_request, response) => json(response, '{}'))
  const { url } = await gateway({ crm }, { maxBodyBytes: 100_000 })
  const body = 'x'.repeat(300_000)
  const declared = await send(`${url}/crm/mcp`, { body })
  const chunked = await send(`${url}/crm/mcp`, { headers: [['Transfer-Encoding', 'chunked']], body })
  for (const reply of [declared, chunked]) {
    expect(reply.status).toBe(413)
    expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  }
  expect(crm.seen).toEqual([])
  expect((await send(`${url}/crm/mcp`, { body: '{}' })).status).toBe(200)
})

test('large bodies pass whole both ways', async () => {
  const big = rpc('1', 'x', JSON.stringify('가'.repeat(1_000_000)))
  const crm = await backend((_request, response, body) => json(response, body))
  const { url } = await gateway({ crm })
  const reply = await send(`${url}/crm/mcp`, { body: big })
  expect(crm.seen[0]!.body === big).toBe(true)
  expect(reply.text === big).toBe(true)
})

test('a large request is sent on before it is whole', async () => {
  const crm = await backend(() => {})
  const { port } = await gateway({ crm })
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /crm/mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(70_000)}`)
  await expect.poll(() => crm.sockets.size).toBe(1)
  const [upstream] = crm.sockets
  await expect.poll(() => upstream?.bytesRead).toBeGreaterThan(60_000)
  socket.destroy()
  await expect.poll(() => upstream?.destroyed).toBe(true)
})

test('connections are used again, and close() leaves none', async () => {
  const crm = await backend((_request, response) => json(response, '{}'))
  const running = await gateway({ crm })
  for (let i = 0; i < 5; i++) await send(`${running.url}/crm/mcp`, { body: '{}' })
  expect(crm.sockets.size).toBe(1)
  const silent = await backend(
    (request, response) => request.method === 'GET' && response.writeHead(200).flushHeaders(),
  )
  const second = await gateway({ silent })
  const stream = watch(`${second.url}/silent/mcp`, { method: 'GET' })
  await stream.head
  await Promise.all([running.close(), second.close()])
  expect((await stream.done).whole).toBe(false)
  await expect.poll(() => crm.sockets.size + silent.sockets.size).toBe(0)
})

test('a configuration that cannot be used is refused with a sentence', async () => {
  await expect(gateway({ all: 'http://127.0.0.1:1/mcp' })).rejects.toThrow('"all" is taken')
  await expect(gateway({ a_b: 'http://127.0.0.1:1/mcp' })).rejects.toThrow('"a_b"')
  await expect(gateway({ crm: 'nonsense' })).rejects.toThrow('no http or https URL')
})

test('a path at the backend keeps its own query', async () => {
  const crm = await backend((_request, response) => json(response, '{}'))
  const { url } = await gateway({ crm: `${crm.url}?key=1` })
  await send(`${url}/crm/mcp`, { body: '{}' })
  await send(`${url}/crm/mcp?a=2`, { body: '{}' })
  expect(crm.seen.map(one => one.url)).toEqual(['/mcp?key=1', '/mcp?key=1&a=2'])
})
