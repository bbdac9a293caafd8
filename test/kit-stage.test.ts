import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { comment, document, event, gate, pieces, progress, result, stepwise } from '../kit/acts.ts'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { Act, ExchangeInit } from '../kit/types.ts'
import { send } from '../kit/wire.ts'

const MARK = 'mcpc-0123456789'
const STREAM = [['Content-Type', 'text/event-stream']] as const
const init = (nonce: string, label?: string): ExchangeInit => ({
  side: 'client',
  transport: 'http',
  server: 'crm',
  nonce,
  ...(label !== undefined && { label }),
  request: { method: 'POST', path: '/mcp', headers: [], body: Buffer.from('{}') },
})
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

test('a gate for 0 events opens at the head of the answer, one for more at events with data or the end', async () => {
  const recorder = createRecorder()
  const stage = createStage(recorder, 50)
  const writer = recorder.open(init(`${MARK}.1`))
  expect(await stage.seen(`${MARK}.1`, 0)).toBe(false)
  writer.head(200, STREAM)
  expect(await stage.seen(`${MARK}.1`, 0)).toBe(true)
  expect(await stage.seen(`${MARK}.1`, 1)).toBe(false)
  writer.chunk(Buffer.from(': a comment\n\nid: 1\ndata:\n\n'))
  expect(await stage.seen(`${MARK}.1`, 1)).toBe(false)
  writer.chunk(Buffer.from('data: 1\n\n'))
  expect(await stage.seen(`${MARK}.1`, 1)).toBe(true)
  writer.end()
  expect(await stage.seen(`${MARK}.1`, 9)).toBe(true)
})

test('a gate may name another exchange of the check by its label, before that has begun', async () => {
  const recorder = createRecorder()
  const stage = createStage(recorder, 1000)
  stage.put(`${MARK}.1`, [gate(1, 'other'), gate(2, `${MARK}.2`), gate(3)])
  const of = (act: Act | undefined) => (act?.do === 'gate' ? act.of : 'no gate')
  const acts = (await stage.acts(`${MARK}.1`))!
  expect(acts.map(of)).toEqual([`${MARK}.other`, `${MARK}.2`, undefined])
  const open = stage.seen(`${MARK}.other`, 1)
  const writer = recorder.open(init(`${MARK}.2`, 'other'))
  writer.head(200, STREAM)
  writer.chunk(Buffer.from('data: 1\n\n'))
  expect(await open).toBe(true)
})

test('the builders write what the specification writes', () => {
  expect(event(progress(1, { total: 2 }))).toBe(
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":1,"total":2}}\n\n',
  )
  expect(event('a\n\nb', { event: null, id: '1', retry: 5, eol: '\r\n' })).toBe(
    'id: 1\r\nretry: 5\r\ndata: a\r\ndata:\r\ndata: b\r\n\r\n',
  )
  expect(result({})).toBe('{"jsonrpc":"2.0","id":{{id}},"result":{}}')
  expect(stepwise('a', 'b').map(act => act.do)).toEqual(['head', 'write', 'gate', 'write', 'end'])
  expect(pieces('한a', 2).flatMap(act => (act.do === 'bytes' ? act.base64 : []))).toEqual(['7ZU=', 'nGE='])
  expect(document('{}', 201)[0]).toMatchObject({ status: 201, headers: [['Content-Type', 'application/json']] })
  expect(comment('hi')).toBe(':hi\n\n')
})

test('a client that stalls takes the head, and nothing of the body until it reads on', async () => {
  const server = createServer((_, res) => void res.end('x'.repeat(100_000)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const recorder = createRecorder()
  const writer = recorder.open(init(`${MARK}.1`))
  let readOn = () => {}
  const readsFrom = new Promise<void>(resolve => {
    readOn = resolve
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const signal = AbortSignal.timeout(3000)
  const sent = send({ url, method: 'GET', headers: [], body: Buffer.alloc(0) }, writer, { signal, readsFrom })
  expect(await recorder.when(() => writer.exchange.response !== undefined, 2000)).toBe(true)
  expect(await recorder.when(() => (writer.exchange.response?.size ?? 0) > 0, 50)).toBe(false)
  readOn()
  await sent
  expect(writer.exchange.response?.size).toBe(100_000)
  expect(writer.exchange.endedAt).toBeDefined()
})
