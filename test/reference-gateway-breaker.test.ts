import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { view } from '../reference-gateway/breaker/view.ts'
import type { BreakerConfig } from '../reference-gateway/guards.ts'
import { replacePart } from '../reference-gateway/mutants/harm.ts'
import { breakerOf, makeBreaker } from '../reference-gateway/parts/breaker.ts'
import { parts } from '../reference-gateway/parts.ts'
import { backend, gateway, header, json, type Reply, rpc, send, watch } from './reference-gateway-rig.ts'

/** A clock that stands until it is moved. */
function standing() {
  let at = Date.parse('2026-08-15T21:40:05Z')
  const due: { when: number; then: () => void }[] = []
  return {
    now: () => at,
    after(ms: number, then: () => void) {
      const one = { when: at + ms, then }
      due.push(one)
      return () => void due.splice(due.indexOf(one), 1)
    },
    move(ms: number) {
      at += ms
      for (const one of due.filter(d => d.when <= at)) {
        due.splice(due.indexOf(one), 1)
        one.then()
      }
    },
  }
}

async function guarded(breaker: BreakerConfig, answer: Parameters<typeof backend>[0], errors?: 'jsonrpc') {
  const clock = standing()
  const crm = await backend(answer)
  const running = await gateway(
    { crm },
    { breaker, ...(errors && { errors }) },
    replacePart('breaker', makeBreaker({ clock }))(parts),
  )
  const url = `${running.url}/crm/mcp`
  const call = (session: string | undefined, body = rpc('1'), more: [string, string][] = []) =>
    send(url, { body, headers: [...(session === undefined ? [] : [['Mcp-Session-Id', session] as const]), ...more] })
  return { clock, crm, url, call, breaker: breakerOf(running.gateway)! }
}

const ok: Parameters<typeof backend>[0] = (_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}')
const tally = (replies: readonly Reply[], status: number) => replies.filter(r => r.status === status).length

const read = rpc('7', 'resources/read', '{"uri":"crm://customers/large"}')
const CANCELLED = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'

test('of fifteen at once ten are answered and five refused, and the server sees ten', async () => {
  const { call, crm, breaker } = await guarded({ rate: {} }, ok)
  const replies = await Promise.all(Array.from({ length: 15 }, () => call('s')))
  expect([tally(replies, 200), tally(replies, 429), crm.seen.length]).toEqual([10, 5, 10])
  const refused = replies.find(r => r.status === 429)!
  expect(refused.text).toBe('{"error":"CircuitBreakerTripped","reason":"Rate limit exceeded"}')
  expect(header(refused.headers, 'retry-after')).toBe('5')
  expect(view(breaker.current('s')!)).toEqual({
    key: 's',
    sessionId: 's',
    subject: null,
    state: 'OPEN',
    reason: 'rate',
    openedAt: '2026-08-15T21:40:05.000Z',
    closesAt: '2026-08-15T21:40:10.000Z',
    requests: 15,
    lastSeenAt: '2026-08-15T21:40:05.000Z',
  })
})

test('the window slides, and an open session closes by itself after its time; refused requests do not prolong it', async () => {
  const { call, clock, breaker } = await guarded({ rate: { requests: 2 } }, ok)
  const status = async () => (await call('s')).status
  expect(await status()).toBe(200)
  clock.move(900)
  expect(await status()).toBe(200)
  clock.move(100)
  expect(await status()).toBe(200)
  clock.move(899)
  expect(await status()).toBe(429)
  clock.move(4000)
  const late = await call('s')
  expect([late.status, header(late.headers, 'retry-after')]).toEqual([429, '1'])
  const told: string[] = []
  breaker.watch(s => told.push(view(s).state))
  clock.move(1000)
  expect(told).toEqual(['CLOSED'])
  expect(await status()).toBe(200)
})

test('a session is kept apart from others, from its owner and from the address', async () => {
  const { call, breaker } = await guarded({ rate: { requests: 1 } }, ok)
  await call('a')
  expect((await call('a')).status).toBe(429)
  expect((await call('b')).status).toBe(200)
  expect((await call(undefined)).status).toBe(200)
  expect((await call('address:127.0.0.1')).status).toBe(200)
  expect(
    breaker
      .list()
      .map(s => s.key.slice(0, 17))
      .sort(),
  ).toEqual(['a', 'address:127.0.0.1', 'b', expect.stringMatching(/^session:[0-9a-f]{9}$/)])
})

test('GET and DELETE pass an open session, and so does a cancellation; but no more of them than of anything else', async () => {
  const { call, url } = await guarded({ rate: { requests: 2 } }, ok)
  for (let i = 0; i < 3; i++) await call('s')
  const headers = [['Mcp-Session-Id', 's']] as const
  expect((await send(url, { method: 'GET', headers })).status).toBe(200)
  expect((await send(url, { method: 'DELETE', headers })).status).toBe(200)
  expect((await call('s', '{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(429)
  const more = [await call('s', CANCELLED), await call('s', CANCELLED), await call('s', CANCELLED)]
  expect(more.map(r => r.status)).toEqual([200, 200, 429])
  expect((await call('s', `[${CANCELLED}]`)).status).toBe(429)
  expect((await call('s', CANCELLED.replace('{', '{"id":1,'))).status).toBe(429)
})

test('a reset closes one session at once, and watchers hear of all', async () => {
  const { call, breaker } = await guarded({ rate: { requests: 1 } }, ok)
  const told: string[] = []
  breaker.watch(s => told.push(`${s.key} ${view(s).state}`))
  for (const session of ['a', 'a', 'b', 'b']) await call(session)
  expect(breaker.reset('a')?.reason).toBeUndefined()
  expect(breaker.reset('nobody')).toBeUndefined()
  expect(told).toEqual(['a OPEN', 'b OPEN', 'a CLOSED'])
  expect([(await call('a')).status, (await call('b')).status]).toEqual([200, 429])
})

/** An answer of just so many bytes, and fewer characters. */
function sized(bytes: number): string {
  const text = `{"jsonrpc":"2.0","id":7,"result":{"x":"${'가'.repeat(Math.floor(bytes / 4))}"}}`
  return text + ' '.repeat(bytes - Buffer.byteLength(text))
}

test('a large read is delivered whole and opens the session until it is reset', async () => {
  const { call, breaker, clock } = await guarded({ payload: { bytes: 3000 } }, (_, response) =>
    json(response, sized(3001)),
  )
  const large = await call('s', read)
  expect([large.status, large.bytes.length, large.whole]).toEqual([200, 3001, true])
  clock.move(3_600_000)
  const next = await call('s')
  expect([next.status, next.text]).toEqual([
    413,
    '{"error":"CircuitBreakerTripped","reason":"Payload threshold exceeded"}',
  ])
  expect(header(next.headers, 'retry-after')).toBeUndefined()
  expect(view(breaker.current('s')!)).toMatchObject({ state: 'OPEN', reason: 'payload', closesAt: null })
  breaker.reset('s')
  expect((await call('s', rpc('1'))).status).toBe(200)
})

test('what is not larger than the limit, no read, or of another session opens nothing; header fields decide nothing', async () => {
  let size = 3000
  const { call, breaker } = await guarded({ payload: { bytes: 3000 } }, (_, response) => json(response, sized(size)))
  await call('a', read)
  size = 9000
  await call('b', rpc('7', 'tools/call', '{"name":"resources/read"}'), [['Mcp-Method', 'resources/read']])
  expect(breaker.list('OPEN')).toEqual([])
  await call('c', read, [['Mcp-Method', 'tools/call']])
  await call('d', `[${CANCELLED},${read}]`)
  expect(
    breaker
      .list('OPEN')
      .map(s => s.key)
      .sort(),
  ).toEqual(['c', 'd'])
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('an answer packed by %s is measured unpacked, and arrives as it is', async (encoding, pack) => {
  const packed = pack(Buffer.from(sized(30_000)))
  expect(packed.length).toBeLessThan(3000)
  const { call, breaker } = await guarded({ payload: { bytes: 3000 } }, (_, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Encoding': encoding,
      'Content-Length': packed.length,
    })
    response.end(packed)
  })
  const { bytes } = await call('s', read)
  expect(breaker.current('s')?.reason).toBe('payload')
  expect(bytes.equals(packed)).toBe(true)
})

test('what says gzip and is none arrives as it is', async () => {
  const { call, breaker } = await guarded({ payload: { bytes: 3000 } }, (_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).write('no gzip at all ')
    response.end('x'.repeat(9000))
  })
  const { text, whole } = await call('s', read)
  expect([text.length, whole]).toEqual([9015, true])
  expect(breaker.current('s')?.reason).toBeUndefined()
})

test('nothing is held back while it is measured', async () => {
  let finish = () => {}
  const { url, breaker } = await guarded({ payload: { bytes: 3000 } }, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`data: ${'x'.repeat(4000)}\n\n`)
    finish = () => void response.end('data: last\n\n')
  })
  const seen = watch(url, { body: read, headers: [['Mcp-Session-Id', 's']] })
  await seen.until('xxx\n\n')
  expect(breaker.current('s')?.reason).toBe('payload')
  finish()
  expect((await seen.done).text.endsWith('data: last\n\n')).toBe(true)
})

test('in the other form refusals are JSON-RPC errors with the id, under the same status', async () => {
  const { call } = await guarded({ rate: { requests: 1 } }, ok, 'jsonrpc')
  await call('s')
  const { status, text } = await call('s', rpc('"seven"'))
  expect(status).toBe(429)
  expect(JSON.parse(text)).toMatchObject({
    jsonrpc: '2.0',
    id: 'seven',
    error: {
      code: -32000,
      message: 'Circuit breaker tripped: Rate limit exceeded',
      data: {
        type: 'urn:mcp-gateway:problem:breaker-rate',
        title: 'Rate limit exceeded',
        status: 429,
        detail: 'This session has sent too many requests at a time. It is open for another 5 s.',
        retryAfterSeconds: 5,
      },
    },
  })
})
