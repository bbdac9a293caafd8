import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

const ids = ['1', '"a\\u0041"', '9007199254740993', '-0', '""', '1.50']

test.each(ids)('a backend that refuses: an error with the id %s as it was written', async id => {
  const { url } = await gateway({ crm: 'http://127.0.0.1:1/mcp' })
  const body = `{"params":{"id":5,"x":[{"id":6}]},"method":"tools/call", "id" : ${id} ,"jsonrpc":"2.0"}`
  expect(await send(`${url}/crm/mcp`, { body })).toMatchObject({
    status: 502,
    whole: true,
    text: `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"The server \\"crm\\" refused the connection."}}`,
  })
})

test.each([
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/x"}'],
  ['a response', '{"jsonrpc":"2.0","id":3,"result":{}}'],
  ['no JSON', '{"id":3'],
  ['nothing', ''],
])('%s to a backend that refuses: an error without an id', async (_what, body) => {
  const { url } = await gateway({ crm: 'http://127.0.0.1:1/mcp' })
  const reply = await send(`${url}/crm/mcp`, { body })
  expect(reply.status).toBe(502)
  expect(JSON.parse(reply.text)).toMatchObject({ id: null, error: { code: -32603 } })
})

test('a batch to a backend that refuses: an error for each request', async () => {
  const { url } = await gateway({ crm: 'http://127.0.0.1:1/mcp' })
  const reply = await send(`${url}/crm/mcp`, { body: `[${rpc('1')},{"jsonrpc":"2.0","method":"x"},${rpc('"b"')}]` })
  expect(JSON.parse(reply.text).map((one: { id: unknown }) => one.id)).toEqual([1, 'b'])
})

const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>hello</p>')
}
test.each<[string, (response: ServerResponse) => void, number, RegExp]>([
  ['resets', response => response.socket!.resetAndDestroy(), 502, /closed the connection before it answered/],
  ['closes', response => response.socket!.end(), 502, /closed the connection before it answered/],
  ['says nothing', () => {}, 504, /sent no answer within 150 ms/],
  ['speaks no HTTP', response => response.socket!.end('SSH-2.0-x\r\n\r\n'), 502, /not HTTP/],
  ['sends a page', html(200), 502, /status 200 and text\/html/],
  ['sends a page with 500', html(500), 502, /status 500 and text\/html/],
  ['sends a page with 503', html(503), 502, /status 503/],
  ['calls a page JSON', response => json(response, '  <p>'), 502, /no MCP answer/],
  ['sends nothing', response => response.writeHead(200, { 'Content-Type': 'application/json' }).end(), 502, /nothing/],
  ['accepts only', response => response.writeHead(202).end(), 502, /status 202 and nothing/],
])('a backend that %s', async (_what, misbehave, status, message) => {
  const crm = await backend((_request, response) => misbehave(response))
  const { url } = await gateway({ crm }, { timeouts: { firstByteMs: 150 } })
  const reply = await send(`${url}/crm/mcp`, { body: rpc('"x"') })
  expect(reply.status).toBe(status)
  const answer = JSON.parse(reply.text)
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 'x', error: { code: -32603 } })
  expect(answer.error.message).toMatch(message)
  expect(answer.error.message).not.toMatch(/127\.0\.0\.1|:\d{4}/)
})

test.each<[string, number, string, string]>([
  ['an error with 500', 500, 'application/json', '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}'],
  ['an error with 404', 404, 'application/json; charset=utf-8', ' {"jsonrpc":"2.0"}'],
  ['a page with 401', 401, 'text/html', '<p>log in</p>'],
  ['a redirect', 307, 'text/plain', 'elsewhere'],
  ['a batch', 200, 'application/json', '\r\n [{"a":1}]'],
  ['problem details', 503, 'application/problem+json', '{"title":"x"}'],
])('%s passes untouched', async (_what, status, type, text) => {
  const crm = await backend((_request, response) => response.writeHead(status, { 'Content-Type': type }).end(text))
  const { url } = await gateway({ crm })
  expect(await send(`${url}/crm/mcp`, { body: rpc('1') })).toMatchObject({ status, text })
})

test('202 and 204 to a notification pass untouched', async () => {
  for (const status of [202, 204]) {
    const crm = await backend((_request, response) => response.writeHead(status).end())
    const { url } = await gateway({ crm })
    const reply = await send(`${url}/crm/mcp`, { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' })
    expect(reply).toMatchObject({ status, text: '' })
  }
})

test('a backend that takes no connection', async () => {
  const full = createServer({ pauseOnConnect: true })
  await new Promise<void>(resolve => full.listen(0, '127.0.0.1', resolve))
  const { url } = await gateway(
    { crm: `http://127.0.0.1:${(full.address() as { port: number }).port}/mcp` },
    {
      timeouts: { connectMs: 100, firstByteMs: 100 },
    },
  )
  expect((await send(`${url}/crm/mcp`, { body: rpc('1') })).status).toBe(504)
  full.close()
})

test('a backend that is down and comes back answers the next call', async () => {
  const first = await backend((_request, response) => json(response, '{"n":1}'))
  const { url } = await gateway({ crm: first })
  expect((await send(`${url}/crm/mcp`, { body: rpc('1') })).text).toBe('{"n":1}')
  await first.stop()
  for (let i = 0; i < 3; i++) expect((await send(`${url}/crm/mcp`, { body: rpc('1') })).status).toBe(502)
  await backend((_request, response) => json(response, '{"n":2}'), first.port)
  expect((await send(`${url}/crm/mcp`, { body: rpc('1') })).text).toBe('{"n":2}')
})

test('a POST is sent once, even where its fate is unknown', async () => {
  const crm = await backend((_request, response) => response.socket!.resetAndDestroy())
  const { url } = await gateway({ crm })
  await send(`${url}/crm/mcp`, { body: rpc('1') })
  expect(crm.seen).toHaveLength(1)
})
