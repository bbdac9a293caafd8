import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { JsonScan } from '../reference-gateway/budgets/json-scan.ts'
import { Ledger } from '../reference-gateway/budgets/ledger.ts'
import { tokensOf, watchUsage } from '../reference-gateway/budgets/usage.ts'
import { startControl } from '../reference-gateway/control/server.ts'
import type { BudgetsConfig } from '../reference-gateway/guards.ts'
import { replacePart } from '../reference-gateway/mutants/harm.ts'
import { ledgerOf, makeBudgets } from '../reference-gateway/parts/budgets.ts'
import { parts } from '../reference-gateway/parts.ts'
import type { Fields } from '../reference-gateway/types.ts'
import { backend, gateway, header, json, rpc, send } from './reference-gateway-rig.ts'

const answer = (tokens: number) =>
  `{"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":{"tokenUsage":{"promptTokens":1,"totalTokens":${tokens}}}}}`

const NOON = Date.parse('2026-08-15T12:00:00Z')

async function guarded(config: BudgetsConfig, body = answer(500)) {
  let now = NOON
  const crm = await backend((_, response) => json(response, body))
  const running = await gateway(
    { crm },
    { budgets: config },
    replacePart('budgets', makeBudgets({ now: () => now }))(parts),
  )
  const call = (agent = 'a', method = 'tools/call', id = '1') =>
    send(`${running.url}/crm/mcp`, {
      body: rpc(id, method, `{"name":"make","_meta":{"callerAgent":"${agent}"}}`),
    })
  const pass = (ms: number) => {
    now += ms
  }
  return { crm, call, ledger: ledgerOf(running.gateway)!, running, pass }
}

test('the call that crosses the limit is answered, the next one is refused and reaches no server; others go on', async () => {
  const { call, crm, pass } = await guarded({ perDay: 900 })
  expect([(await call()).status, (await call()).status]).toEqual([200, 200])
  const refused = await call('a', 'tools/call', '"seven"')
  expect(refused.status).toBe(429)
  expect(header(refused.headers, 'retry-after')).toBe('43200')
  expect(JSON.parse(refused.text)).toEqual({
    jsonrpc: '2.0',
    id: 'seven',
    error: {
      code: -32002,
      message: 'Token Budget Exceeded: The tokens of this day are used up: 1000 of 900.',
      data: {
        type: 'urn:mcp-gateway:problem:token-budget-exceeded',
        title: 'TOKEN_BUDGET_EXCEEDED',
        status: 429,
        detail: 'The tokens of this day are used up: 1000 of 900.',
        instance: '/tools/call/make',
        period: 'day',
        used: 1000,
        limit: 900,
        resetsAt: '2026-08-16T00:00:00.000Z',
      },
    },
  })
  expect(crm.seen).toHaveLength(2)
  expect((await call('a', 'tools/list')).status).toBe(200)
  expect((await call('b')).status).toBe(200)
  pass(43_200_000)
  expect((await call()).status).toBe(200)
})

test('days and months are those of UTC, and the longer one says when to come again', () => {
  let now = NOON
  const ledger = new Ledger({ perDay: 10, perMonth: 20 }, () => now)
  ledger.add('a', 10)
  expect(ledger.exceeded('a')).toMatchObject({ period: 'day', resetsAt: Date.UTC(2026, 7, 16) })
  now += 86_400_000
  expect(ledger.exceeded('a')).toBeUndefined()
  ledger.add('a', 10)
  expect(ledger.exceeded('a')).toMatchObject({ period: 'month', used: 20, resetsAt: Date.UTC(2026, 8, 1) })
  now = Date.UTC(2026, 8, 1)
  expect(ledger.find('a')!.used).toEqual({ day: 0, month: 0 })
})

test('usage that cannot be is not counted', () => {
  expect(tokensOf('{"totalTokens":500}')).toBe(500)
  expect(tokensOf('{"promptTokens":320,"completionTokens":180}')).toBe(500)
  for (const bad of ['-1', '1e99', '"500"', 'null', '1.5', 'true', '1000000001', '[]']) {
    expect([bad, tokensOf(`{"totalTokens":${bad},"promptTokens":1,"completionTokens":1}`)]).toEqual([bad, undefined])
  }
  expect(tokensOf('{"promptTokens":320}')).toBeUndefined()
  expect(tokensOf('{"totalTokens":NaN}')).toBeUndefined()
})

/** What is found in a text that comes in pieces of each size. */
function scanned(text: string, fields: Fields = [['Content-Type', 'application/json']]): number[][] {
  const bytes = Buffer.from(text)
  return [1, 2, 3, 7, 64, bytes.length].map(size => {
    const found: number[] = []
    const watch = watchUsage({ status: 200, fields }, tokens => found.push(tokens))
    for (let at = 0; at < bytes.length; at += size) watch.push(bytes.subarray(at, at + size))
    watch.end(() => {})
    return found
  })
}

test('usage is found wherever the answer is cut, and nowhere else in it', () => {
  const each = (text: string, wanted: number[], fields?: Fields) => {
    for (const found of scanned(text, fields)) expect(found).toEqual(wanted)
  }
  const usage = '"tokenUsage":{"a":{"b":[{}]},"totalTokens":7}'
  each(`{"result":{"_meta":{"x":"}\\"{","y":{"z":1},${usage}}},"id":1}`, [7])
  each(
    `[{"result":{"_meta":{${usage}}}}, {"result":{"content":[{"_meta":{${usage}}}]}},{"result":{"_meta":{${usage}}}}]`,
    [7, 7],
  )
  each(`{"\\u0072esult": {"_meta" :\n{${usage}}}}`, [7])
  each(`{"result":{"content":[{"_meta":{${usage}}}],"structuredContent":{"result":{"_meta":{${usage}}}}}}`, [])
  each(`{"error":{"_meta":{${usage}}},"_meta":{${usage}},"result":{"_meta":{"tokenUsage":7}}}`, [])
  each(`{"result":[{"_meta":{${usage}}}]}`, [])
  each(JSON.stringify({ result: { content: [{ text: `{"result":{"_meta":{${usage}}}}` }] } }), [])
  const stream: Fields = [['Content-Type', 'text/event-stream; charset=utf-8']]
  const message = `{"result":{"_meta":{${usage}}}}`
  const [before, after] = [message.slice(0, 9), message.slice(9)]
  each(`: hello\n\nevent: message\ndata: {"method":"x"}\n\ndata:${message}\n\n`, [7], stream)
  each(`data: ${before}\r\ndata: ${after}\r\n\r\ndata: ${message}\r\n\r\n`, [7, 7], stream)
  each(`\ufeffdata: ${before}\rdata: ${after}\r\rid: 1\rdata\rdata: ${message}\r\r`, [7, 7], stream)
  each(`data: ${before}\n\ndata: ${message}\n\n`, [7], stream)
})

test('a usage that is far too long is not kept', () => {
  const found: string[] = []
  const scan = new JsonScan(raw => found.push(raw))
  scan.push(Buffer.from(`{"result":{"_meta":{"tokenUsage":{"x":"${'a'.repeat(5000)}"}}}}`))
  expect(found).toEqual([])
})

test('packed answers are counted before their end is passed on', async () => {
  for (const [name, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const) {
    const crm = await backend((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': name })
      response.end(pack(answer(500)))
    })
    const running = await gateway({ crm }, { budgets: {} })
    await send(`${running.url}/crm/mcp`, { body: rpc('1') })
    expect(ledgerOf(running.gateway)!.all()).toMatchObject([{ agent: 'address:127.0.0.1', used: { day: 500 } }])
  }
})

test('a batch past the limit is refused whole, and what may be a call in disguise too', async () => {
  const { running, call, ledger, crm } = await guarded({ perDay: 1 })
  await call()
  ledger.add('address:127.0.0.1', 1)
  const post = (body: string) => send(`${running.url}/crm/mcp`, { body })
  const batch = await post(`[${rpc('1', 'ping')},${rpc('2')}]`)
  expect(JSON.parse(batch.text).map((m: { error: { code: number } }) => m.error.code)).toEqual([-32002, -32002])
  expect((await post('{"method":"tools/call",}')).status).toBe(400)
  expect((await post('{"jsonrpc":"2.0","method":"tools/call"}')).status).toBe(429)
  expect(crm.seen).toHaveLength(1)
})

test('the ledger is bounded: who is past a limit stays, newcomers without a place share one', () => {
  const ledger = new Ledger({ perDay: 10 }, () => NOON, 2)
  ledger.add('spent', 10)
  ledger.add('a', 1)
  ledger.add('b', 1)
  expect(ledger.all().map(one => one.agent)).toEqual(['b', 'spent'])
  ledger.limitTo('b', { day: null, month: undefined })
  ledger.add('c', 10)
  expect(ledger.find('c')).toBeUndefined()
  expect(ledger.exceeded('d')).toMatchObject({ used: 10 })
  expect(ledger.find('overflow:')!.used.day).toBe(10)
})

test('administrators set limits of an agent, and reset what it has used', async () => {
  const { running, call } = await guarded({ perDay: 400 })
  const control = await startControl(running.gateway, { port: 0, token: 't' })
  const ask = (method: string, path: string, body = '') =>
    send(`${control.url}/api/v1/budgets${path}`, {
      method,
      headers: [
        ['Authorization', 'Bearer t'],
        ['Content-Type', 'application/json'],
      ],
      body,
    })
  try {
    await call()
    expect((await call()).status).toBe(429)
    const [listed] = JSON.parse((await ask('GET', '')).text).budgets
    expect(listed).toEqual({ agent: 'a', day: { used: 500, limit: 400 }, month: { used: 500, limit: null } })
    expect(JSON.parse((await ask('PUT', '/a', '{"perDay":null,"perMonth":1000}')).text)).toEqual({
      agent: 'a',
      day: { used: 500, limit: null },
      month: { used: 500, limit: 1000 },
    })
    expect((await call()).status).toBe(200)
    expect(JSON.parse((await call()).text).error.data.period).toBe('month')
    expect(JSON.parse((await ask('POST', '/a/reset')).text).month.used).toBe(0)
    expect((await call()).status).toBe(200)
    expect((await ask('PUT', '/a', 'x')).status).toBe(400)
    // A name that is not known would be taken for both left out, and so lift the limits.
    for (const bad of ['null', '[]', '{"perday":1}', '{"perDay":-1}', '{"perDay":1.5}', '{"perMonth":"5"}']) {
      expect([bad, (await ask('PUT', '/a', bad)).status]).toEqual([bad, 422])
    }
    expect((await ask('POST', '/nobody/reset')).status).toBe(404)
  } finally {
    await control.close()
  }
})
