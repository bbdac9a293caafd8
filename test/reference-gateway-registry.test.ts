import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { offersOf } from '../reference-gateway/collect/collection.ts'
import { startControl } from '../reference-gateway/control/server.ts'
import { Registry } from '../reference-gateway/registry/registry.ts'
import { Routes } from '../reference-gateway/routes.ts'
import type { Config } from '../reference-gateway/types.ts'
import { backend, gateway, header, json, send } from './reference-gateway-rig.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) await one.close()
})

const TOKEN = 'the-administrator-of-the-test'
const URL_OF_NOBODY = 'http://127.0.0.1:9/mcp'

test('a server stays as long as it renews', () => {
  vi.useFakeTimers()
  const routes = new Routes({}, 1000)
  const registry = new Registry(routes)
  registry.register('crm', { url: URL_OF_NOBODY }, 15)
  vi.advanceTimersByTime(14_000)
  expect(registry.renew('crm', 15)).toBe(true)
  vi.advanceTimersByTime(14_999)
  expect(routes.named('crm')).toBeDefined()
  vi.advanceTimersByTime(1)
  expect([routes.named('crm'), registry.has('crm'), registry.renew('crm', 15)]).toEqual([undefined, false, false])
})

test('a server that registers again has the new address and one lease', () => {
  vi.useFakeTimers()
  const routes = new Routes({}, 1000)
  const registry = new Registry(routes)
  registry.register('crm', { url: URL_OF_NOBODY }, 15)
  vi.advanceTimersByTime(10_000)
  registry.register('crm', { url: 'http://127.0.0.1:10/mcp' }, 15)
  vi.advanceTimersByTime(10_000)
  expect(routes.named('crm')?.origin).toBe('http://127.0.0.1:10')
  expect([registry.remove('crm'), registry.remove('crm')]).toEqual([true, false])
})

/** An MCP server with its tools in pages, by JSON or by a stream that stays open. */
const speaks =
  (tools: readonly string[], { stream = false, session = 's1' } = {}) =>
  (request: IncomingMessage, response: ServerResponse, body: string) => {
    if (request.method === 'DELETE') return void response.writeHead(200).end()
    const { id, method, params } = JSON.parse(body)
    if (id === undefined) return void response.writeHead(202).end()
    const at = Number(params.cursor ?? 0)
    const next = at + 2 < tools.length ? `,"nextCursor":"${at + 2}"` : ''
    const result =
      method === 'initialize'
        ? '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}'
        : `{"tools":[${tools.slice(at, at + 2).join(',')}]${next}}`
    const message = `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    response.setHeader('Mcp-Session-Id', session)
    if (!stream) return json(response, message)
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\ndata: ${message}\n\n`)
  }

async function controlled(backends: Parameters<typeof gateway>[0], more: Partial<Config> = {}) {
  const running = await gateway(backends, more)
  const control = await startControl(running.gateway, { port: 0, token: TOKEN })
  opened.push(control)
  const tools = async () => {
    const headers = [['Authorization', `Bearer ${TOKEN}`]] as const
    return (await send(`${control.url}/api/v1/tools`, { method: 'GET', headers })).text
  }
  return { running, tools }
}

const TOOLS = ['{"name":"a"}', '{"name":"b","x":9007199254740993}', '{"name":"c","inputSchema":{"type":"object"}}']

test('all pages of all servers are collected, as they were written', async () => {
  const crm = await backend(speaks(TOOLS))
  const db = await backend(speaks(['{"name":"a"}'], { stream: true }))
  const { tools } = await controlled({ crm, db })
  expect(await tools()).toBe(
    `{"tools":[${[
      '{"name":"a","backend":"crm"}',
      '{"name":"b","x":9007199254740993,"backend":"crm"}',
      '{"name":"c","inputSchema":{"type":"object"},"backend":"crm"}',
      '{"name":"a","backend":"db"}',
    ].join(',')}],"backends":${JSON.stringify([
      { name: 'crm', service: 'crm-service', url: crm.url, state: 'up', tools: 3 },
      { name: 'db', service: 'db-service', url: db.url, state: 'up', tools: 1 },
    ])}}`,
  )
  await vi.waitFor(() => {
    const ended = crm.seen.find(({ method }) => method === 'DELETE')
    expect(header(ended?.headers ?? [], 'mcp-session-id')).toBe('s1')
  })
})

test('a server that is away, silent, or speaks something else hides no other', async () => {
  const crm = await backend(speaks(TOOLS))
  const silent = await backend(() => {})
  const other = await backend((_, response) => void response.writeHead(200).end('hello'))
  const refusing = await backend((_, response) =>
    json(response, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not now"}}'),
  )
  const { tools } = await controlled(
    { crm, silent, other, refusing, away: URL_OF_NOBODY },
    { timeouts: { gatherMs: 200 } },
  )
  const { backends, tools: all } = JSON.parse(await tools())
  expect(all).toHaveLength(3)
  expect(backends.map(({ name, state, reason }: Record<string, string>) => [name, state, reason])).toEqual([
    ['crm', 'up', undefined],
    ['silent', 'down', 'took too long'],
    ['other', 'down', 'gave no response (status 200)'],
    ['refusing', 'down', 'refuses initialize: not now'],
    ['away', 'down', 'refused the connection'],
  ])
})

test('servers are asked once for all who ask within a second, and anew where a route has changed', async () => {
  const crm = await backend(speaks(TOOLS))
  const { running } = await controlled({ crm })
  const [one, two] = await Promise.all([offersOf(running.gateway), offersOf(running.gateway)])
  expect(two).toBe(one)
  running.gateway.routes.set('db', { url: URL_OF_NOBODY })
  expect(await offersOf(running.gateway)).toHaveLength(2)
})

test('a route that is removed while its server is asked is not said to be down', async () => {
  let came: () => void = () => {}
  const asked = new Promise<void>(resolve => {
    came = resolve
  })
  const crm = await backend(speaks(TOOLS))
  const silent = await backend(came)
  const { running } = await controlled({ crm, silent }, { timeouts: { gatherMs: 300 } })
  const offers = offersOf(running.gateway)
  await asked
  running.gateway.routes.delete('silent')
  expect((await offers).map(({ backend: { name }, tools }) => [name, tools?.length])).toEqual([['crm', 3]])
})

test('where clients’ tokens end at the gateway, it shows servers its own', async () => {
  const crm = await backend(speaks(TOOLS))
  const { tools } = await controlled(
    { crm },
    { auth: { jwksUrl: URL_OF_NOBODY, mode: 'terminate', upstream: { crm: 'its-own' } } },
  )
  await tools()
  expect(crm.seen.map(({ headers }) => header(headers, 'authorization'))).toEqual(crm.seen.map(() => 'Bearer its-own'))
})
