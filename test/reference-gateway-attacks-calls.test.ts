import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

const ok: Parameters<typeof backend>[0] = (_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}')

describe('around approvals and budgets', () => {
  const risky = '"name":"drop_index","arguments":{}'
  const attacks: readonly { says: string; body: string | Buffer; headers?: (readonly [string, string])[] }[] = [
    {
      says: 'escapes in the name',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dro\\u0070_index"}}',
    },
    {
      says: 'escapes in the method',
      body: `{"jsonrpc":"2.0","id":1,"method":"tools\\/c\\u0061ll","params":{${risky}}}`,
    },
    {
      says: 'a harmless name behind',
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${risky},"name":"echo"}}`,
    },
    {
      says: 'a harmless method behind',
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${risky}},"method":"ping"}`,
    },
    {
      says: 'harmless params behind',
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${risky}},"Params":{"name":"echo"}}`,
    },
    { says: 'a long s', body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","param\u017f":{${risky}}}` },
    { says: 'params as a list', body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["drop_index",{}]}' },
    {
      says: 'a batch',
      body: `[${rpc('1', 'ping')},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{${risky}}}]`,
    },
    { says: 'a notification', body: `{"jsonrpc":"2.0","method":"tools/call","params":{${risky}}}` },
    { says: 'a mark of byte order', body: `\ufeff{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${risky}}}` },
    {
      says: 'UTF-16',
      body: Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${risky}}}`, 'utf16le'),
    },
    {
      says: 'two encodings',
      body: gzipSync(rpc('1', 'tools/call', `{${risky}}`)),
      headers: [
        ['Content-Encoding', 'identity'],
        ['Content-Encoding', 'gzip'],
      ],
    },
  ]

  test.each(attacks)('$says', async ({ body, headers = [] }) => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { approvals: { tools: ['drop_*'] } })
    const reply = await send(`${url}/crm/mcp`, { body, headers })
    expect([reply.status >= 400, crm.seen.length]).toEqual([true, 0])
  })

  test('another method with the same body', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { approvals: { tools: ['drop_*'] } })
    for (const method of ['PUT', 'PATCH', 'GET', 'DELETE']) {
      const reply = await send(`${url}/crm/mcp`, { method, body: rpc('1', 'tools/call', `{${risky}}`) })
      expect([method, reply.status, crm.seen.length]).toEqual([method, 403, 0])
    }
  })

  test('a batch that is too long to be looked into', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { approvals: { tools: ['drop_*'] } })
    const long = (method: string) => `[${Array.from({ length: 1001 }, (_, i) => rpc(String(i), method)).join(',')}]`
    expect((await send(`${url}/crm/mcp`, { body: long('tools/call') })).status).toBe(400)
    expect((await send(`${url}/all/mcp`, { body: long('ping') })).status).toBe(400)
    expect(crm.seen).toHaveLength(0)
    expect((await send(`${url}/crm/mcp`, { body: long('ping') })).status).toBe(200)
  })

  test('nesting that is too deep harms nobody', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { approvals: { tools: ['drop_*'] }, budgets: { perDay: 1 }, audit: {} })
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const body = rpc('1', 'tools/call', `{"name":"drop_index","arguments":${deep}}`)
    expect((await send(`${url}/crm/mcp`, { body })).status).toBeGreaterThanOrEqual(400)
    expect(crm.seen).toHaveLength(0)
    expect((await send(`${url}/crm/mcp`, { body: rpc('1', 'ping') })).status).toBe(200)
  })
})

test('nothing that a client writes breaks a line of the record, or begins one', async () => {
  const file = join(tmpdir(), `mcp-attacks-${process.pid}.jsonl`)
  const crm = await backend(ok)
  const { url, close } = await gateway({ crm }, { audit: { file } })
  const bodies = [
    '{\r\n"jsonrpc":"2.0",\n"id":1,"method":"tools/call","params":{"name":"a\\n{\\"id\\":\\"forged\\"}","arguments":{\n\n"text":\r"x"\n}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800","arguments":{"__proto__":{"toolName":"forged"},"a":"\\udfff"}}}',
    '{"jsonrpc":"2.0","id":1,"method":"x\\u2028\\u0085\\n","params":{"__proto__":{"id":"forged"}}}',
  ]
  for (const body of bodies) await send(`${url}/crm/mcp`, { body, headers: [['User-Agent', 'x']] })
  await close()
  const text = await readFile(file, 'utf8')
  await rm(file)
  const lines = text.split('\n').filter(line => line !== '')
  expect(lines).toHaveLength(bodies.length)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ responseStatus: 200, mcpName: 'crm-service' })
  expect(text).not.toMatch(/\r|^\{"id":"forged/m)
})
