import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { backend, gateway, rpc, send, watch } from './reference-gateway-rig.ts'

const event = (data: string) => `event: message\ndata: ${data}\n\n`
const streamHead = { 'Content-Type': 'text/event-stream' }

/** A backend that hands out its answers, to be written step by step. */
async function scripted() {
  const answers: ServerResponse[] = []
  const waiting: ((response: ServerResponse) => void)[] = []
  const server = await backend((_request, response) => {
    const next = waiting.shift()
    if (next) next(response)
    else answers.push(response)
  })
  const next = () => {
    const ready = answers.shift()
    return ready ? Promise.resolve(ready) : new Promise<ServerResponse>(resolve => waiting.push(resolve))
  }
  return { ...server, next }
}

test.each(['POST', 'GET'])('%s: the head comes before the first event, each event as it is sent', async method => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, method === 'GET' ? { method } : { method, body: rpc('1') })
  const response = await crm.next()
  response.writeHead(200, streamHead).flushHeaders()
  expect((await call.head).statusCode).toBe(200)
  response.write(': comment\n\n')
  await call.until(': comment\n\n')
  for (let i = 0; i < 3; i++) {
    response.write(event(`{"n":${i}}`))
    await call.until(`{"n":${i}}\n\n`)
  }
  response.end('id: 4\r\ndata: a\r\ndata: b\r\r\n')
  expect((await call.done).text).toBe(
    `: comment\n\n${[0, 1, 2].map(i => event(`{"n":${i}}`)).join('')}id: 4\r\ndata: a\r\ndata: b\r\r\n`,
  )
})

test('a stream is the same bytes however it is cut into chunks', async () => {
  const text = `\uFEFF:c\n\ndata: {"a":"가🎉"}\r\n\r\nid:\rdata:\r\rdata: x\n\n\n\nretry: 5\n\ndata: no end`
  const crm = await scripted()
  const { url } = await gateway({ crm })
  for (const size of [1, 3, 1000]) {
    const call = watch(`${url}/crm/mcp`, { body: rpc('1') })
    const response = await crm.next()
    response.writeHead(200, streamHead)
    const bytes = Buffer.from(text)
    for (let i = 0; i < bytes.length; i += size) {
      response.write(bytes.subarray(i, i + size))
      await new Promise(setImmediate)
    }
    response.end()
    expect((await call.done).bytes.equals(bytes)).toBe(true)
  }
})

test('a large event passes whole', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { body: rpc('1') })
  const text = event(JSON.stringify({ a: '가'.repeat(700_000) })) + event('{}')
  ;(await crm.next()).writeHead(200, streamHead).end(text)
  expect((await call.done).text === text).toBe(true)
})

test('a client that reads slowly slows the server down', async () => {
  const crm = await scripted()
  const { port } = await gateway({ crm })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /crm/mcp HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.pause()
  const response = await crm.next()
  response.writeHead(200, streamHead)
  const block = Buffer.from(`data: ${'x'.repeat(65_528)}\n\n`)
  let sent = 0
  const total = 64 * 1024 * 1024
  // Writes until the socket has taken nothing for a while: a gateway that buffers would take all.
  await new Promise<void>(resolve => {
    let timer = setTimeout(resolve, 500)
    const more = () => {
      while (sent < total && response.write(block)) sent += block.length
      sent += block.length
      clearTimeout(timer)
      timer = setTimeout(resolve, 500)
    }
    response.on('drain', () => (sent < total ? more() : resolve()))
    more()
  })
  expect(sent).toBeLessThan(total / 2)
  socket.resume()
  response.end()
  await new Promise(resolve =>
    socket
      .on('data', () => {})
      .on('end', resolve)
      .end(),
  )
}, 20_000)

test('a client that hangs up closes a stream opened by GET, and leaves a POST running', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const stream = watch(`${url}/crm/mcp`, { method: 'GET' })
  const get = await crm.next()
  get.writeHead(200, streamHead).flushHeaders()
  await stream.head
  const closed = new Promise(resolve => get.on('close', resolve))
  stream.hangUp()
  await closed

  const call = watch(`${url}/crm/mcp`, { body: rpc('1') })
  const post = await crm.next()
  post.writeHead(200, streamHead)
  post.write(event('{"n":1}'))
  await call.until('{"n":1}')
  call.hangUp()
  // More than all buffers on the way hold: it can be written only if someone goes on reading.
  for (let i = 0; i < 200; i++) {
    if (!post.write(event(`"${'x'.repeat(65_000)}"`))) await new Promise(resolve => post.once('drain', resolve))
  }
  await new Promise<void>(resolve => post.end(resolve))
  expect(post.writableFinished).toBe(true)
})

test('on 2026-07-28 a client that hangs up cancels', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { headers: [['MCP-Protocol-Version', '2026-07-28']], body: rpc('1') })
  const post = await crm.next()
  post.writeHead(200, streamHead).flushHeaders()
  await call.head
  const closed = new Promise(resolve => post.on('close', resolve))
  call.hangUp()
  await closed
  expect(post.writableFinished).toBe(false)
})

test.each([
  ['between events', event('{"n":1}'), event('{"n":1}')],
  ['within an event', `${event('{"n":1}')}data: {"jsonrpc":"2.0","id":7,"resu`, event('{"n":1}')],
  ['before any event', '', ''],
])('a server that dies %s: the stream ends with an error for the id', async (_when, written, kept) => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { body: rpc('90071992547409931') })
  const response = await crm.next()
  response.writeHead(200, streamHead).flushHeaders()
  response.write(written)
  await call.head
  if (kept) await call.until(kept)
  response.socket!.resetAndDestroy()
  const reply = await call.done
  expect(reply.whole).toBe(true)
  expect(reply.text).toBe(
    kept +
      event(
        '{"jsonrpc":"2.0","id":90071992547409931,"error":{"code":-32603,"message":"The server \\"crm\\" broke off in the middle of its answer."}}',
      ),
  )
})

test('a server that dies after its response adds no second one', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { body: rpc('"a"') })
  const response = await crm.next()
  response.writeHead(200, streamHead)
  const text = event('{"jsonrpc":"2.0","id":"a","result":{}}') + event('{"jsonrpc":"2.0","method":"x"}')
  response.write(text)
  await call.until('"x"')
  response.socket!.resetAndDestroy()
  expect(await call.done).toMatchObject({ whole: true, text })
})

test('a JSON body that is cut stays visibly cut, and so does a stream opened by GET', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { body: rpc('1') })
  const response = await crm.next()
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"jsonrpc":')
  await call.until('{')
  response.socket!.resetAndDestroy()
  expect(await call.done).toMatchObject({ whole: false, text: '{"jsonrpc":' })

  const stream = watch(`${url}/crm/mcp`, { method: 'GET' })
  const get = await crm.next()
  get.writeHead(200, streamHead).write(event('{}'))
  await stream.until('{}')
  get.socket!.resetAndDestroy()
  expect(await stream.done).toMatchObject({ whole: false })
})

test('a stream that ends without a response ends', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm })
  const call = watch(`${url}/crm/mcp`, { body: rpc('1') })
  ;(await crm.next()).writeHead(200, streamHead).end('id: 1\nretry: 10\ndata:\n\n')
  expect(await call.done).toMatchObject({ whole: true, text: 'id: 1\nretry: 10\ndata:\n\n' })
})

test('answers that take their time pass, streams that are silent stay open', async () => {
  const crm = await scripted()
  const { url } = await gateway({ crm }, { timeouts: { firstByteMs: 100 } })
  const stream = watch(`${url}/crm/mcp`, { method: 'GET' })
  const get = await crm.next()
  const slow = send(`${url}/crm/mcp`, { body: rpc('1') })
  expect((await slow).status).toBe(504)
  get.writeHead(200, streamHead).write(event('{}'))
  await stream.until('{}')
  stream.hangUp()
})
