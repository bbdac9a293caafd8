import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import type { Pairs } from '../kit/types.ts'
import { send, sendRaw } from '../kit/wire.ts'

const servers: Server[] = []
afterEach(() => {
  for (const s of servers.splice(0)) s.close()
})

/** A bare TCP server; `answer` sees each connection's first bytes. */
async function listen(answer: (socket: Socket, request: string) => void): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', data => answer(socket, data.toString('latin1')))
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`
}

async function ask(url: string, headers: Pairs = [], body = '{}', ms = 5000, maxBytes?: number) {
  const recorder = createRecorder()
  const writer = recorder.open({
    side: 'client',
    transport: 'http',
    server: 'crm',
    nonce: 'mcpc-0123456789.1',
    request: { method: 'POST', path: '/mcp', headers, body: Buffer.from(body) },
  })
  const signal = AbortSignal.timeout(ms)
  const out = { url, method: 'POST', headers, body: Buffer.from(body) }
  await send(out, writer, { signal, ...(maxBytes !== undefined && { maxBytes }) })
  return writer.exchange
}

test('header fields go out in their order, case and number', async () => {
  let seen = ''
  const url = await listen((socket, request) => {
    seen = request
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\n\r\n{}')
  })
  const e = await ask(url, [
    ['X-Zed', '1'],
    ['x-ABC', '2'],
    ['X-Zed', '3'],
  ])
  expect(seen.split('\r\n').filter(l => /^x-/i.test(l))).toEqual(['X-Zed: 1', 'x-ABC: 2', 'X-Zed: 3'])
  expect(e.response!.headers.filter(([n]) => /^x-a$/i.test(n))).toEqual([
    ['X-A', '1'],
    ['x-a', '2'],
  ])
  expect(e.endedAt).toBeDefined()
})

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['closes without a word', s => s.end(), /broke off|socket hang up/],
  ['resets', s => s.resetAndDestroy(), /broke off/],
  ['is cut off', s => s.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}'), /broke off/],
  [
    'breaks its chunks',
    s => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n'),
    /not valid HTTP|broke off/,
  ],
  ['speaks something else', s => s.end('220 smtp ready\r\n'), /not valid HTTP/],
  [
    'says gzip, but is not',
    s => s.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello'),
    /does not decompress/,
  ],
  [
    'cuts its gzip',
    s => {
      const half = gzipSync('x'.repeat(1000)).subarray(0, 12)
      s.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${half.length}\r\n\r\n`)
      s.end(half)
    },
    /does not decompress|broke off/,
  ],
])('a server that %s is told in words, and never thrown', async (_says, answer, failure) => {
  const e = await ask(await listen(answer))
  expect(e.failure).toMatch(failure)
  expect(e.endedAt).toBeUndefined()
})

test('a server that never answers costs as long as the signal says', async () => {
  const e = await ask(await listen(() => {}), [], '{}', 50)
  expect(e.failure).toBe('no whole answer in time')
})

test('an endless answer is given up beyond the bound', async () => {
  const url = await listen(socket => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', pump)
    }
    pump()
  })
  const e = await ask(url, [], '{}', 5000, 1_000_000)
  expect(e.failure).toBe('the answer goes on beyond 1000000 bytes; stopped reading')
  expect(e.response!.size).toBeLessThan(1_100_000)
})

test('a refused connection and an unsendable header are told in words', async () => {
  const url = await listen(() => {})
  const closed = servers.pop()!
  await new Promise(resolve => closed.close(resolve))
  expect((await ask(url)).failure).toBe('the connection was refused')
  expect((await ask(url, [['X-Bad', 'a\nb']])).failure).toMatch(/can't be sent/)
})

test('gzip is undone, and the events of a compressed stream are seen', async () => {
  const body = gzipSync('data: {"a":"한"}\n\n')
  const url = await listen(socket => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.end(body)
  })
  const e = await ask(url)
  expect(e.events.map(x => x.data)).toEqual(['{"a":"한"}'])
})

test('raw text goes out as it is, and what comes back is read as far as it can be', async () => {
  const url = await listen((socket, request) => {
    socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${request.length}\r\n\r\n${request}`)
  })
  const writer = createRecorder().open({
    side: 'client',
    transport: 'http',
    server: 'crm',
    nonce: '',
    request: { method: 'raw', path: '/mcp', headers: [], body: Buffer.alloc(0) },
  })
  await sendRaw(url, 'NO SUCH\r\n\r\n', writer, { signal: AbortSignal.timeout(5000) })
  expect(writer.exchange.response).toMatchObject({ status: 400, body: 'NO SUCH\r\n\r\n' })
  expect(writer.exchange.endedAt).toBeDefined()
})
