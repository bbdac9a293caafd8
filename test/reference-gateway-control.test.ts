import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../reference-gateway/control/endpoint.ts'
import { endpoints, startControl } from '../reference-gateway/control/server.ts'
import type { ControlConfig } from '../reference-gateway/guards.ts'
import { backend, type Call, gateway, header, json, type Reply, rpc, send } from './reference-gateway-rig.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const TOKEN = 'the-administrator-of-the-test'
const OK = '{"jsonrpc":"2.0","id":1,"result":{}}'
const JSON_TYPE = ['Content-Type', 'application/json'] as const

async function controlled(config: ControlConfig = {}, list: readonly Endpoint[] = endpoints) {
  const crm = await backend((_, response) => json(response, OK))
  const running = await gateway({ crm })
  const control = await startControl(running.gateway, { port: 0, token: TOKEN, ...config }, list)
  opened.push(control)
  const ask = (path: string, { headers = [], ...call }: Call = {}): Promise<Reply> =>
    send(control.url + path, {
      method: 'GET',
      ...call,
      headers: [...headers, ...(call.body === undefined ? [] : [JSON_TYPE]), ['Authorization', `Bearer ${TOKEN}`]],
    })
  /** Just as given: no token, no content type. */
  const bare = (path: string, call: Call = {}) => send(control.url + path, { method: 'GET', ...call })
  return { crm, running, control, ask, bare }
}

const problem = (reply: Reply) => {
  expect(header(reply.headers, 'content-type')).toBe('application/problem+json')
  const body = JSON.parse(reply.text)
  expect(body).toMatchObject({ status: reply.status, title: expect.any(String), detail: expect.any(String) })
  expect(body.type).toMatch(/^urn:mcp-gateway:problem:[a-z-]+$/)
  return body
}

describe('who is let in', () => {
  test('every operation but the open ones asks for the token, and takes only the right one', async () => {
    const { bare } = await controlled()
    for (const { method, path, open } of endpoints) {
      if (open) continue
      const at = path.replace(/[:*]\w+/g, 'x')
      expect((await bare(at, { method })).status, `${method} ${path}`).toBe(401)
      const wrong = await bare(at, { method, headers: [['Authorization', `Bearer ${TOKEN}x`]] })
      expect([wrong.status, header(wrong.headers, 'www-authenticate')]).toEqual([401, 'Bearer'])
    }
    expect(problem(await bare('/api/v1/routes'))).toMatchObject({ instance: '/api/v1/routes' })
  })

  test('health is open', async () => {
    const { bare } = await controlled()
    expect(JSON.parse((await bare('/api/v1/health')).text)).toEqual({ status: 'up', backends: 1 })
  })

  test('pages of foreign origins are refused even with the token, its own are not', async () => {
    const { ask, control } = await controlled()
    const from = (origin: string) => ask('/api/v1/routes', { headers: [['Origin', origin]] })
    expect(problem(await from('https://evil.example')).type).toMatch(/foreign-origin$/)
    expect((await from('null')).status).toBe(403)
    expect((await from(control.url)).status).toBe(200)
  })

  test('no page is told that it may read, unless its origin is allowed', async () => {
    const page: Call = {
      method: 'OPTIONS',
      headers: [
        ['Origin', 'https://ops.example'],
        ['Access-Control-Request-Method', 'POST'],
      ],
    }
    const closed = await controlled()
    expect((await closed.bare('/api/v1/routes', page)).status).toBe(403)
    const open = await controlled({ allowedOrigins: ['https://ops.example'] })
    const asked = await open.bare('/api/v1/routes', page)
    expect(asked.status).toBe(204)
    expect(header(asked.headers, 'access-control-allow-origin')).toBe('https://ops.example')
    expect(header(asked.headers, 'access-control-allow-headers')).toBe('Authorization, Content-Type')
    expect(header(asked.headers, 'access-control-allow-methods')).toContain('POST')
    const read = await open.ask('/api/v1/routes', { headers: [['Origin', 'https://ops.example']] })
    expect(header(read.headers, 'access-control-allow-origin')).toBe('https://ops.example')
    expect(header(read.headers, 'access-control-allow-credentials')).toBeUndefined()
    const none = await open.ask('/api/v1/routes')
    expect([header(none.headers, 'access-control-allow-origin'), header(none.headers, 'vary')]).toEqual([
      undefined,
      'Origin',
    ])
  })

  test('a name that was pointed here is not answered', async () => {
    const { control } = await controlled({ allowedNames: ['gateway.internal'] })
    const { port, hostname } = new URL(control.url)
    const called = (host: string) =>
      raw(Number(port), hostname, `GET /api/v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await called(`evil.example:${port}`)).toMatch(/^HTTP\/1.1 421 /)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'gateway.internal']) {
      expect(await called(host), host).toMatch(/^HTTP\/1.1 200 /)
    }
  })
})

/** Sends these bytes, and gives all that comes until the connection closes. */
function raw(port: number, host: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(bytes))
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

describe('what is wrong is said in a problem', () => {
  test('an unknown path, and a method that is not there', async () => {
    const { ask } = await controlled()
    expect(problem(await ask('/api/v1/nothing'))).toMatchObject({ status: 404, instance: '/api/v1/nothing' })
    const reply = await ask('/api/v1/routes', { method: 'PATCH' })
    expect(problem(reply).status).toBe(405)
    expect(header(reply.headers, 'allow')).toBe('GET, POST, HEAD, OPTIONS')
  })

  test('a body that is no JSON, says that it is something else, is too large, or no object', async () => {
    const { ask, bare } = await controlled()
    const post = (body: string) => ask('/api/v1/routes', { method: 'POST', body })
    expect(problem(await post('{"name":')).status).toBe(400)
    expect(problem(await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
    expect(problem(await post('[]')).status).toBe(422)
    const form = await bare('/api/v1/routes', {
      method: 'POST',
      body: '{}',
      headers: [
        ['Content-Type', 'text/plain'],
        ['Authorization', `Bearer ${TOKEN}`],
      ],
    })
    expect(problem(form).status).toBe(415)
  })

  test('each member that is wrong, missing or unknown', async () => {
    const { ask } = await controlled()
    const reply = await ask('/api/v1/routes', { method: 'POST', body: '{"name":"a b","colour":"red"}' })
    const { errors } = problem(reply)
    expect(reply.status).toBe(422)
    expect(errors.map(({ member }: { member: string }) => member).sort()).toEqual(['colour', 'name', 'url'])
  })

  test('a failure of its own, without what went wrong inside', async () => {
    const broken: Endpoint = {
      name: 'broken',
      method: 'GET',
      path: '/api/v1/broken',
      run() {
        throw new Error('a secret')
      },
    }
    const { ask } = await controlled({}, [broken])
    const reply = await ask('/api/v1/broken')
    expect(problem(reply).status).toBe(500)
    expect(reply.text).not.toContain('secret')
  })
})

test('an operation without a body takes one of unknown length that is empty', async () => {
  const { bare } = await controlled()
  const headers = [
    ['Authorization', `Bearer ${TOKEN}`],
    ['Transfer-Encoding', 'chunked'],
  ] as const
  expect((await bare('/api/v1/sessions/none/reset', { method: 'POST', headers })).status).toBe(404)
})

test('HEAD is GET without the body, and ends where GET streams', async () => {
  const { ask } = await controlled()
  const head = await ask('/api/v1/routes', { method: 'HEAD' })
  expect([head.status, head.text, Number(header(head.headers, 'content-length')) > 2]).toEqual([200, '', true])
  const stream: Endpoint = {
    name: 'stream',
    method: 'GET',
    path: '/api/v1/stream',
    run(call) {
      call.stream()
      return undefined
    },
  }
  const streaming = await controlled({}, [stream])
  expect((await streaming.ask('/api/v1/stream', { method: 'HEAD' })).status).toBe(200)
})

describe('metrics', () => {
  const sample = (text: string, line: string) => text.split('\n').find(one => one.startsWith(`${line} `))

  test('count answers, refusals and their time', async () => {
    const { ask, running } = await controlled()
    for (const id of ['1', '2', '3']) await send(`${running.url}/crm/mcp`, { body: rpc(id) })
    await send(`${running.url}/mcp`, { body: rpc('4') })
    const { text, headers } = await ask('/api/v1/metrics')
    expect(header(headers, 'content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(sample(text, 'mcp_gateway_requests_total{backend="crm",status="200"}')).toMatch(/ 3$/)
    expect(sample(text, 'mcp_gateway_requests_total{backend="none",status="400"}')).toMatch(/ 1$/)
    expect(sample(text, 'mcp_gateway_refusals_total{kind="route"}')).toMatch(/ 1$/)
    expect(sample(text, 'mcp_gateway_request_duration_seconds_bucket{backend="crm",le="+Inf"}')).toMatch(/ 3$/)
    expect(sample(text, 'mcp_gateway_request_duration_seconds_count{backend="crm"}')).toMatch(/ 3$/)
    expect(sample(text, 'mcp_gateway_requests_in_flight')).toMatch(/ 0$/)
  })

  test('are written as the format has it', async () => {
    const { ask, running } = await controlled()
    await send(`${running.url}/crm/mcp`, { body: rpc('1') })
    const { text } = await ask('/api/v1/metrics')
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# HELP \w+ [^\n]+|# TYPE \w+ (counter|gauge|histogram|summary)|\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? -?\d[\d.e+-]*)$/,
      )
    }
    const buckets = [...text.matchAll(/_bucket\{backend="crm",le="[^"]+"\} (\d+)/g)].map(([, n]) => Number(n))
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b))
  })
})
