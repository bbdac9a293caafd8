import { expect, test } from 'vitest'
import { createRecorder, findMark } from '../kit/recorder.ts'
import type { ExchangeInit } from '../kit/types.ts'

const init = (over: Partial<ExchangeInit> = {}, body = ''): ExchangeInit => ({
  side: 'client',
  transport: 'http',
  server: 'crm',
  nonce: 'mcpc-0123456789.1',
  request: {
    method: 'POST',
    path: '/mcp',
    headers: [['Authorization', 'Bearer abcdef123456']],
    body: Buffer.from(body),
  },
  ...over,
})

test('masks credentials, the same one alike, and leaves the scheme', () => {
  const recorder = createRecorder()
  recorder.secret('s3cret-value')
  const a = recorder.open(init({}, '{"token":"s3cret-value"}')).exchange
  const b = recorder.open(init({ side: 'backend' })).exchange
  const [, shown] = a.request.headers[0]!
  expect(shown).toMatch(/^Bearer «hidden [0-9a-f]{8}»$/)
  expect(b.request.headers[0]![1]).toBe(shown)
  expect(a.request.body).not.toContain('s3cret')
})

test('a secret is hidden in answers and in events, also where two chunks share it', () => {
  const recorder = createRecorder()
  recorder.secret('s3cret-value')
  const writer = recorder.open(init())
  writer.head(200, [
    ['Content-Type', 'text/event-stream'],
    ['Set-Cookie', 'sid=42424242'],
  ])
  writer.chunk(Buffer.from('data: s3cre'))
  writer.chunk(Buffer.from('t-value\n\n'))
  const { exchange } = writer
  expect(exchange.events[0]!.data).toMatch(/^«hidden/)
  expect(exchange.response!.body).not.toContain('s3cret')
  expect(exchange.response!.headers[1]![1]).not.toContain('4242')
})

test('keeps both sides of a check together, strays apart, and forgets on request', () => {
  const recorder = createRecorder()
  recorder.open(init())
  recorder.open(init({ side: 'backend' }))
  recorder.open(init({ nonce: 'mcpc-aaaaaaaaaa.1' }))
  recorder.open(init({ nonce: '' }))
  const seen = recorder.exchanges('mcpc-0123456789')
  expect([seen.client.length, seen.backend.length, recorder.strays().length]).toEqual([1, 1, 1])
  recorder.forget('mcpc-0123456789')
  expect(recorder.exchanges('mcpc-0123456789').client).toEqual([])
})

test('strays are bounded', () => {
  const recorder = createRecorder()
  for (let i = 0; i < 1000; i++) recorder.open(init({ nonce: '' }))
  expect(recorder.strays().length).toBeLessThanOrEqual(100)
})

test('when resolves at once, on a change, or with false when the time is up or the signal fires', async () => {
  const recorder = createRecorder()
  expect(await recorder.when(() => true, 0)).toBe(true)
  const writer = recorder.open(init())
  const ended = recorder.when(() => writer.exchange.endedAt !== undefined, 5000)
  writer.end()
  expect(await ended).toBe(true)
  expect(await recorder.when(() => false, 5)).toBe(false)
  const stop = new AbortController()
  const stopped = recorder.when(() => false, 5000, stop.signal)
  stop.abort()
  expect(await stopped).toBe(false)
})

test('a body that is no UTF-8 is told', () => {
  const writer = createRecorder().open(init())
  writer.head(200, [])
  writer.chunk(Buffer.from([0xed, 0x95]))
  expect(writer.exchange.response!.utf8).toBe(false)
  writer.chunk(Buffer.from([0x9c]))
  expect(writer.exchange.response!.utf8).toBe(true)
  expect(writer.exchange.response!.body).toBe('한')
})

test('findMark prefers the mark of an exchange to that of a check', () => {
  expect(findMark('a mcpc-0123456789 b mcpc-0123456789.7')).toBe('mcpc-0123456789.7')
  expect(findMark('a mcpc-0123456789"')).toBe('mcpc-0123456789')
  expect(findMark('mcpc-xyz')).toBeUndefined()
})
