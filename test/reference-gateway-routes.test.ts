import { lookup } from 'node:dns'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startControl } from '../reference-gateway/control/server.ts'
import type { ControlConfig } from '../reference-gateway/guards.ts'
import { Hosts } from '../reference-gateway/registry/hosts.ts'
import { backend, gateway, header, json, type Reply, rpc, send, watch } from './reference-gateway-rig.ts'

vi.mock('node:dns', async original => {
  const real = await original<typeof import('node:dns')>()
  return { ...real, lookup: vi.fn(real.lookup) }
})

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const TOKEN = 'the-administrator-of-the-test'
const OK = '{"jsonrpc":"2.0","id":1,"result":{}}'
const ok = (_: IncomingMessage, response: ServerResponse) => json(response, OK)

async function controlled(config: ControlConfig = {}, backends: Parameters<typeof gateway>[0] = {}) {
  const running = await gateway(backends)
  const control = await startControl(running.gateway, { port: 0, token: TOKEN, ...config })
  opened.push(control)
  const ask = (method: string, path: string, body?: object): Promise<Reply> =>
    send(`${control.url}/api/v1${path}`, {
      method,
      headers: [['Authorization', `Bearer ${TOKEN}`], ...(body ? [['Content-Type', 'application/json'] as const] : [])],
      ...(body && { body: JSON.stringify(body) }),
    })
  const by = (service: string, body = rpc('1')) =>
    watch(`${running.url}/mcp`, { body, headers: [['Mcp-Name', service]] })
  return { running, ask, by }
}

/** A server whose answers wait until they are let go. */
async function holding() {
  const held: (() => void)[] = []
  let came: () => void = () => {}
  const next = () => new Promise<void>(resolve => (came = resolve))
  const first = next()
  const server = await backend((request, response) => {
    held.push(() => ok(request, response))
    came()
  })
  return { server, held, first }
}

describe('routes', () => {
  test('are added, shown, changed and removed, each at once', async () => {
    const [a, b] = [await backend(ok), await backend(ok)]
    const { ask, by } = await controlled()
    const added = await ask('POST', '/routes', { name: 'one', url: a.url, service: 'orders' })
    expect([added.status, header(added.headers, 'location')]).toEqual([201, '/api/v1/routes/one'])
    const route = { name: 'one', service: 'orders', url: a.url, registered: false }
    expect(JSON.parse(added.text)).toEqual(route)
    expect(JSON.parse((await ask('GET', '/routes')).text)).toEqual({ routes: [route] })
    expect((await by('orders').done).status).toBe(200)
    const changed = await ask('PUT', '/routes/one', { url: b.url })
    expect(JSON.parse(changed.text)).toEqual({ ...route, url: b.url })
    expect((await by('orders').done).status).toBe(200)
    expect([a.seen.length, b.seen.length]).toEqual([1, 1])
    expect((await ask('DELETE', '/routes/one')).status).toBe(204)
    expect(await by('orders').done).toMatchObject({ status: 502, text: '{"error":"Route not found for Mcp-Name"}' })
    expect((await ask('DELETE', '/routes/one')).status).toBe(404)
    expect((await ask('PUT', '/routes/one', { url: a.url })).status).toBe(404)
  })

  test('share neither a name nor a service', async () => {
    const { ask } = await controlled({}, { crm: await backend(ok) })
    const url = 'http://127.0.0.1:9/mcp'
    expect((await ask('POST', '/routes', { name: 'crm', url })).status).toBe(409)
    expect((await ask('POST', '/routes', { name: 'other', url, service: 'crm-service' })).status).toBe(409)
    expect((await ask('POST', '/registry', { name: 'crm', url })).status).toBe(409)
  })

  test.each(['DELETE', 'PUT'] as const)(
    'a call that is under way ends well when its route is gone: %s',
    async method => {
      const { server, held, first } = await holding()
      const other = await backend(ok)
      const { ask, by } = await controlled({}, { crm: server })
      const call = by('crm-service')
      await first
      const reply = await ask(method, '/routes/crm', method === 'PUT' ? { url: other.url } : undefined)
      expect(reply.status).toBe(method === 'PUT' ? 200 : 204)
      expect((await by('crm-service').done).status).toBe(method === 'PUT' ? 200 : 502)
      expect(server.seen.length).toBe(1)
      held[0]!()
      expect(await call.done).toMatchObject({ status: 200, text: OK, whole: true })
    },
  )

  test('a stream that stands goes on when its route is gone', async () => {
    let stream: ServerResponse | undefined
    const server = await backend((_, response) => {
      stream = response
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: 1\n\n')
    })
    const { running, ask } = await controlled({}, { crm: server })
    const listening = watch(`${running.url}/crm/mcp`, { method: 'GET', headers: [['Accept', 'text/event-stream']] })
    await listening.until('data: 1')
    await ask('DELETE', '/routes/crm')
    stream!.write('data: 2\n\n')
    await listening.until('data: 2')
    stream!.end()
    expect(await listening.done).toMatchObject({ whole: true })
  })

  test('calls by kept connections are never dropped while a route is changed over and over', async () => {
    const [a, b] = [await backend(ok), await backend(ok)]
    const { ask, by } = await controlled({}, { crm: a })
    const statuses: number[] = []
    const calling = (async () => {
      for (let i = 0; i < 60; i++) statuses.push((await by('crm-service').done).status)
    })()
    for (let i = 0; i < 12; i++) await ask('PUT', '/routes/crm', { url: i % 2 ? a.url : b.url })
    await calling
    expect(statuses.filter(status => status !== 200)).toEqual([])
    expect(a.seen.length + b.seen.length).toBe(60)
  })
})

describe('where a server may be', () => {
  const url = (host: string) => `http://${host}/mcp`

  test('on loopback only, where nothing is said', () => {
    const hosts = new Hosts()
    for (const host of ['127.0.0.1:4101', 'localhost', '127.9.9.9', '[::1]:1', '2130706433']) {
      expect(hosts.refuses(url(host)), host).toBeUndefined()
    }
    for (const host of ['10.0.0.1', 'crm.internal', '169.254.169.254', '0.0.0.0', '[::]', 'localhost.evil.example']) {
      expect(hosts.refuses(url(host)), host).toMatch(/not allowed/)
    }
  })

  test('at what is allowed, and even with * at no link-local address', () => {
    const some = new Hosts(['crm.internal', '10.0.0.1'])
    expect([some.refuses(url('crm.internal')), some.refuses(url('10.0.0.1'))]).toEqual([undefined, undefined])
    expect(some.refuses(url('127.0.0.1'))).toMatch(/not allowed/)
    const any = new Hosts(['*'])
    expect(any.refuses(url('db.example'))).toBeUndefined()
    for (const host of [
      '169.254.169.254',
      '2852039166',
      '0xa9.0xfe.0xa9.0xfe',
      '[::ffff:169.254.169.254]',
      '[fe80::1]',
      '[2002:a9fe:a9fe::1]',
      '[::169.254.169.254]',
      '[::ffff:0:169.254.169.254]',
      '[64:ff9b:1::169.254.169.254]',
    ]) {
      expect(any.refuses(url(host)), host).toMatch(/not allowed/)
    }
    expect(new Hosts(['169.254.169.254']).refuses(url('169.254.169.254'))).toBeUndefined()
  })

  test('by http or https, without a user', () => {
    const hosts = new Hosts(['*'])
    for (const address of ['ftp://x/', 'file:///etc/passwd', '/mcp', '', 'http://', 'http://a:b@x/', 'http://a@x/']) {
      expect(hosts.refuses(address), address).toBeDefined()
    }
  })

  test('is looked at again when a connection is made: a name may lead elsewhere by then', async () => {
    const server = await backend(ok)
    const { ask, by } = await controlled({ allowedHosts: ['crm.example'] })
    const added = await ask('POST', '/routes', { name: 'crm', url: `http://crm.example:${server.port}/mcp` })
    expect(added.status).toBe(201)
    const leadsTo = (address: string) =>
      vi
        .mocked(lookup)
        .mockImplementation(((_: string, __: object, done: (e: null, found: object[]) => void) =>
          done(null, [{ address, family: 4 }])) as unknown as typeof lookup)
    leadsTo('169.254.169.254')
    expect((await by('crm-service').done).status).toBe(502)
    leadsTo('127.0.0.1')
    expect((await by('crm-service').done).status).toBe(200)
  })
})

test('the aggregating endpoint follows routes: new ones for new sessions, removed ones for none', async () => {
  const speaks = (name: string) => (request: IncomingMessage, response: ServerResponse, body: string) => {
    const message = request.method === 'POST' ? JSON.parse(body) : {}
    if (message.id === undefined) return void response.writeHead(202).end()
    const result =
      message.method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name, version: '1' } }
        : { tools: [{ name: `of-${name}`, inputSchema: { type: 'object' } }] }
    response.setHeader('Mcp-Session-Id', name)
    json(response, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
  }
  const [a, b] = [await backend(speaks('a')), await backend(speaks('b'))]
  const { running, ask } = await controlled({}, { a })
  const open = async () => {
    const params = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
    const hello = await send(`${running.url}/all/mcp`, { body: rpc('1', 'initialize', params) })
    return header(hello.headers, 'mcp-session-id')!
  }
  const tools = async (session: string) => {
    const listed = await send(`${running.url}/all/mcp`, {
      body: rpc('2', 'tools/list'),
      headers: [['Mcp-Session-Id', session]],
    })
    return (JSON.parse(listed.text).result?.tools ?? []).map(({ name }: { name: string }) => name)
  }
  const old = await open()
  expect(await tools(old)).toEqual(['a_of-a'])
  await ask('POST', '/routes', { name: 'b', url: b.url })
  expect(await tools(old)).toEqual(['a_of-a'])
  const young = await open()
  expect(await tools(young)).toEqual(['a_of-a', 'b_of-b'])
  await ask('DELETE', '/routes/a')
  expect(await tools(young)).toEqual(['b_of-b'])
})
