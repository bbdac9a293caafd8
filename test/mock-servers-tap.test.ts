import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import type { Act } from '../kit/types.ts'
import { startServers } from '../mock-servers/index.ts'
import { HEADERS, INITIALIZE, newMark, open, post, startRig } from './mock-servers-rig.ts'

let rig: Awaited<ReturnType<typeof startRig>>
beforeAll(async () => {
  rig = await startRig({ only: ['crm'] })
})
afterAll(() => rig.servers.close())

const ping = (mark: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 'a"b',
  method: 'ping',
  params: { _meta: { n: mark, ...more } },
})

/** Posts a ping for which these acts are put up. */
async function acted(acts: readonly Act[], signal?: AbortSignal) {
  const mark = newMark()
  const { fields } = await open(rig.url())
  rig.stage.put(`${mark}.1`, acts)
  const body = JSON.stringify(ping(`${mark}.1`, { progressToken: 1e21 }))
  const response = fetch(rig.url(), {
    method: 'POST',
    headers: { ...HEADERS, ...fields },
    body,
    ...(signal && { signal }),
  })
  return { mark, response }
}

test('writes down both directions, byte for byte', async () => {
  const mark = newMark()
  const { send } = await open(rig.url())
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":1,"nonce":"${mark}.1"},"_meta":{"progressToken":0}}}`
  const { text } = await send(body, { 'X-Custom': 'v1' })
  const exchange = await rig.seen(mark)
  expect(exchange).toMatchObject({
    nonce: `${mark}.1`,
    server: 'crm',
    request: { method: 'POST', body, size: Buffer.byteLength(body) },
  })
  expect(exchange.request.headers).toContainEqual(['X-Custom', 'v1'])
  expect(exchange.response).toMatchObject({ status: 200, body: text, size: Buffer.byteLength(text) })
  expect(exchange.events).toHaveLength(2)
  expect(exchange.events[1]?.at).toBeLessThanOrEqual(exchange.endedAt!)
  expect(exchange.at).toBeLessThanOrEqual(exchange.response!.at)
})

test('finds the mark in body, headers and URL; the one of an exchange first', async () => {
  const [body, header, url] = [newMark(), newMark(), newMark()]
  const { send, fields } = await open(rig.url())
  await send(ping(body), { 'X-Mark': `${header}.3` })
  expect((await rig.seen(header)).nonce).toBe(`${header}.3`)
  await send(ping('none'), { 'X-Mark': header })
  expect((await rig.seen(header, e => e.nonce === header && !!e.endedAt)).nonce).toBe(header)
  await post(`${rig.url()}?m=${url}.9`, ping('none'), fields)
  expect((await rig.seen(url)).nonce).toBe(`${url}.9`)
  expect(rig.recorder.exchanges(body).backend).toEqual([])
})

test('gives what carries no mark to the check that opened the session', async () => {
  const mark = newMark()
  const opened = await post(rig.url(), INITIALIZE('2025-11-25', { _meta: { n: `${mark}.1` } }))
  const fields = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id')! }
  await post(rig.url(), { jsonrpc: '2.0', method: 'notifications/initialized' }, fields)
  await fetch(rig.url(), { method: 'DELETE', headers: fields })
  await rig.seen(mark, e => e.request.method === 'DELETE' && !!e.endedAt)
  expect(rig.recorder.exchanges(mark).backend.map(e => [e.request.method, e.nonce])).toEqual([
    ['POST', `${mark}.1`],
    ['POST', mark],
    ['DELETE', mark],
  ])
  const before = rig.recorder.strays().length
  await post(rig.url(), ping('none'))
  expect(rig.recorder.strays()).toHaveLength(before + 1)
})

test('plays head, write and bytes, and puts in the id and the token', async () => {
  const { mark, response } = await acted([
    {
      do: 'head',
      status: 203,
      headers: [
        ['Content-Type', 'text/event-stream'],
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
        ['X-Id', '{{id}}'],
      ],
    },
    { do: 'write', text: 'data: {"id":{{id}},"t":{{token}},"again":{{id}}}\n\n' },
    { do: 'bytes', base64: Buffer.from([0x3a, 0xff, 10, 10]).toString('base64') },
    { do: 'end' },
    { do: 'write', text: 'never' },
  ])
  const { status, headers } = await response
  expect([status, headers.get('x-twice'), headers.get('x-id')]).toEqual([203, 'a, b', '"a\\"b"'])
  const bytes = Buffer.from(await (await response).arrayBuffer())
  expect(bytes.toString('latin1')).toBe('data: {"id":"a\\"b","t":1e+21,"again":"a\\"b"}\n\n:\xff\n\n')
  const exchange = await rig.seen(mark)
  expect(exchange.response).toMatchObject({ status: 203, size: bytes.length, utf8: false })
  expect(exchange.response?.headers).toContainEqual(['X-Twice', 'b'])
})

test('defaults to a stream, and ends what acts leave open', async () => {
  const { response } = await acted([{ do: 'write', text: 'data: x\n\n' }])
  const { status, headers } = await response
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await (await response).text()).toBe('data: x\n\n')
})

test('goes on from a gate when the client has seen enough, and says where it had not', async () => {
  const { mark, response } = await acted([
    { do: 'write', text: 'data: 1\n\n' },
    { do: 'gate', events: 1 },
    { do: 'write', text: 'data: 2\n\n' },
    { do: 'gate', events: 2 },
    { do: 'gate', events: 3 },
  ])
  const client = rig.recorder.open({
    side: 'client',
    transport: 'http',
    server: 'crm',
    nonce: `${mark}.1`,
    request: { method: 'POST', path: '/mcp', headers: [], body: new Uint8Array() },
  })
  client.head(200, [['content-type', 'text/event-stream']])
  client.chunk(Buffer.from('data: 1\n\n'))
  const began = Date.now()
  await (await response).text()
  // One gate of 200 ms, not two.
  expect(Date.now() - began).toBeLessThan(390)
  expect((await rig.seen(mark)).held).toBe(2)
})

test('sees the peer hang up, while it waits and while it is silent', async () => {
  for (const wait of ['until-gone', 'silence'] as const) {
    const abort = new AbortController()
    const { mark, response } = await acted([{ do: 'head' }, { do: wait }, { do: 'write', text: 'late' }], abort.signal)
    await response
    abort.abort()
    const exchange = await rig.seen(mark, e => e.goneAt !== undefined)
    expect(exchange.goneAt).toBeGreaterThan(exchange.at)
    expect([exchange.endedAt, exchange.response?.body]).toEqual([undefined, ''])
  }
})

test('a call goes on when its client hangs up: that is no cancellation', async () => {
  const mark = newMark()
  const { fields, request } = await open(rig.url())
  const abort = new AbortController()
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'long_task', arguments: { nonce: `${mark}.1`, wait_ms: 100 } },
  })
  await fetch(rig.url(), { method: 'POST', headers: { ...HEADERS, ...fields }, body, signal: abort.signal })
  abort.abort()
  await rig.seen(mark, e => e.goneAt !== undefined)
  const { text } = await request('tools/call', { name: 'whoami' })
  expect(JSON.parse(text).result.structuredContent.cancelled).toEqual([])
})

test('cuts a stream by a reset after what was written', async () => {
  const { mark, response } = await acted([{ do: 'write', text: 'data: 1\n\n' }, { do: 'reset' }])
  await expect(response.then(r => r.text())).rejects.toThrow()
  const exchange = await rig.seen(mark, e => e.failure !== undefined)
  expect([exchange.failure, exchange.response?.body]).toEqual([
    'the server reset the connection, as planned',
    'data: 1\n\n',
  ])
})

test('writes past HTTP: a head by hand, and a broken chunk after a good one', async () => {
  const byHand = await acted([
    { do: 'socket', text: 'HTTP/1.1 200 Fine\r\nX-By: hand\r\nContent-Length: 5\r\n\r\nab' },
    { do: 'write', text: 'cde' },
    { do: 'end' },
  ])
  const response = await byHand.response
  expect([response.statusText, response.headers.get('x-by'), await response.text()]).toEqual(['Fine', 'hand', 'abcde'])
  expect((await rig.seen(byHand.mark)).response).toMatchObject({
    status: 200,
    headers: [
      ['X-By', 'hand'],
      ['Content-Length', '5'],
    ],
    body: 'abcde',
  })

  const broken = await acted([
    { do: 'write', text: 'data: 1\n\n' },
    { do: 'socket', text: 'zz\r\nno chunk' },
    { do: 'end' },
  ])
  await expect(broken.response.then(r => r.text())).rejects.toThrow()
  expect((await rig.seen(broken.mark)).events).toHaveLength(1)
})

test('answers as always after a wait', async () => {
  const { response } = await acted([{ do: 'wait', ms: 5 }, { do: 'usual' }])
  expect(await (await response).text()).toBe('{"jsonrpc":"2.0","id":"a\\"b","result":{}}')
})

test('a request that is cut off is written down with the reason', async () => {
  const mark = newMark()
  const socket = connect(Number(new URL(rig.url()).port), '127.0.0.1')
  socket.write(`POST /mcp HTTP/1.1\r\nHost: x\r\nX-Mark: ${mark}.1\r\nContent-Length: 100\r\n\r\n{"half":`)
  await new Promise(resolve => socket.write('', resolve))
  socket.destroy()
  expect((await rig.seen(mark, e => e.failure !== undefined)).failure).toBe(
    'the peer hung up before its request was whole',
  )
})

test('stopping ends every wait', async () => {
  const recorder = createRecorder()
  const acts: Record<string, Act> = {
    silence: { do: 'silence' },
    gone: { do: 'until-gone' },
    gate: { do: 'gate', events: 9 },
    wait: { do: 'wait', ms: 60_000 },
  }
  const waits = Object.entries(acts).map(([name, act]) => ({ name, act, mark: newMark() }))
  const servers = await startServers({
    sink: recorder,
    only: ['db'],
    stage: {
      acts: async nonce => [{ do: 'head' }, waits.find(w => nonce === `${w.mark}.1`)!.act],
      seen: () => new Promise(() => {}),
    },
  })
  const pending = waits.map(({ name, mark }) =>
    post(servers.url('db')!, INITIALIZE('2025-11-25', { _meta: { n: `${mark}.1` } })).catch(() => `${name} was cut`),
  )
  const answering = ({ mark }: { mark: string }) => recorder.exchanges(mark).backend[0]?.response !== undefined
  await recorder.when(() => waits.every(answering), 2000)
  await servers.close()
  expect(await Promise.all(pending)).toEqual(waits.map(w => `${w.name} was cut`))
})
