import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { direct } from '../bench/endpoint.ts'
import { interleaved } from '../bench/paired.ts'
import { SCENARIOS, type Scenario } from '../bench/scenarios.ts'
import type { Way } from '../bench/types.ts'
import { openWay } from '../bench/way.ts'
import { seeded } from '../kit/statistics.ts'

const opened: (Server | { close(): void })[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

type Message = { readonly id?: number; readonly method: string; readonly params: { readonly name?: string } }
type Reply = { readonly status?: number; readonly body: unknown } | undefined

/** A server that shakes hands, and answers calls as the test has it. */
async function serving(reply: (message: Message, calls: number) => Reply): Promise<string> {
  let calls = 0
  const listener: RequestListener = async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    if (request.method !== 'POST') return void response.writeHead(200, { 'Content-Length': 0 }).end()
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return void response.writeHead(202, { 'Content-Length': 0 }).end()
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
    const own =
      message.method === 'initialize'
        ? { body: { jsonrpc: '2.0', id: message.id, result: hello } }
        : reply(message, ++calls)
    if (!own) return void response.destroy()
    const bytes = Buffer.from(JSON.stringify(own.body))
    response.writeHead(own.status ?? 200, {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      ...(message.method === 'initialize' && { 'Mcp-Session-Id': 's' }),
    })
    response.end(bytes)
  }
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  opened.push({ close: () => server.closeAllConnections() }, server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const call: Scenario = SCENARIOS.find(s => s.id === 'call')!

async function wayTo(url: string, scenario = call): Promise<Way> {
  const way = await openWay(direct(url, { style: 'single' }, 'crm', '2025-11-25'), scenario)
  opened.push(way)
  return way
}

const good = ({ id }: Message) => ({ body: { jsonrpc: '2.0', id, result: { content: [], isError: false } } })

test('a call is timed until its whole answer is there', async () => {
  const way = await wayTo(await serving(good))
  const { us, fault } = await way.call(7)
  expect(fault).toBeUndefined()
  expect(us).toBeGreaterThan(0)
})

test.each<[string, (message: Message) => Reply, string]>([
  ['a status', () => ({ status: 429, body: {} }), 'status 429'],
  [
    'a JSON-RPC error',
    ({ id }) => ({ body: { jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } } }),
    'JSON-RPC error -32603',
  ],
  [
    'an error of the tool',
    ({ id }) => ({ body: { jsonrpc: '2.0', id, result: { content: [], isError: true } } }),
    'the tool says that it failed',
  ],
  [
    'the answer to another call',
    () => ({ body: { jsonrpc: '2.0', id: 5, result: {} } }),
    'the answer belongs to another call',
  ],
  ['a connection that breaks', () => undefined, 'the connection was closed before the answer was whole'],
])('%s is no measurement', async (_, reply, fault) => {
  const way = await wayTo(await serving(reply))
  const { samples, failed, faults } = await interleaved([way], 3, { random: seeded(1), from: 1 })
  expect({ samples, failed, faults }).toEqual({
    samples: [[]],
    failed: 3,
    faults: new Map([['direct', new Map([[fault, 3]])]]),
  })
})

test('no two calls are alike, and all are as long', async () => {
  const seen: string[] = []
  const way = await wayTo(
    await serving(message => {
      seen.push(JSON.stringify(message))
      return good(message)
    }),
  )
  for (const n of [1, 20, 300_000]) await way.call(n)
  expect(new Set(seen).size).toBe(3)
  expect(new Set(seen.map(text => text.length)).size).toBe(1)
})

test('a round with a failed call is thrown away whole', async () => {
  const always = await wayTo(await serving(good))
  const sometimes = await wayTo(
    await serving((message, n) => (n % 3 === 0 ? { status: 503, body: {} } : good(message))),
  )
  const { samples, failed } = await interleaved([always, sometimes], 30, { random: seeded(1), from: 1 })
  expect([samples[0]!.length, samples[1]!.length, failed]).toEqual([20, 20, 10])
})

test('where nothing but failures comes, it ends early', async () => {
  let calls = 0
  const way = await wayTo(
    await serving(() => {
      calls++
      return { status: 500, body: {} }
    }),
  )
  await interleaved([way], 100_000, { random: seeded(1), from: 1 })
  expect(calls).toBeLessThan(100)
})

test('a session that is refused is said in one sentence', async () => {
  const server = createServer((_request, response) => response.writeHead(403).end('Forbidden: who are you?'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => server.closeAllConnections() }, server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  await expect(wayTo(url)).rejects.toThrow('initialize was answered with status 403: Forbidden: who are you?')
})
