import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ownerOf } from '../reference-gateway/breaker/key.ts'
import { asksForResource } from '../reference-gateway/breaker/reads.ts'
import { breakerOf } from '../reference-gateway/parts/breaker.ts'
import type { Passage } from '../reference-gateway/passage.ts'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

const ok: Parameters<typeof backend>[0] = (_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}')
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const session = (id: string): readonly [string, string] => ['Mcp-Session-Id', id]

/** A body, and fields beside the usual ones. */
type Attack = readonly [body: string | Buffer, ...fields: (readonly [string, string])[]]

/** Sends these bytes on a connection of their own, and gives all that comes back until the other side has no more. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    let all = ''
    socket.on('data', bytes => {
      all += bytes.toString('latin1')
    })
    socket.on('close', () => resolve(all)).on('error', reject)
  })
}
const statuses = (answers: string): number[] => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one]) => Number(one))

describe('around the breaker', () => {
  const limits = { breaker: { rate: {}, payload: {} } }
  const tally = async (replies: Promise<{ status: number }>[]) => {
    const got = (await Promise.all(replies)).map(reply => reply.status)
    return [got.filter(s => s === 200).length, got.filter(s => s === 429).length]
  }

  test('a new session id for each call counts for the one who makes them up', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, limits)
    const call = (id: string) => send(`${url}/crm/mcp`, { body: rpc('1'), headers: [session(id)] })
    expect(await tally(times(15, i => call(`made-up-${i}`)))).toEqual([10, 5])
    expect(crm.seen).toHaveLength(10)
    expect((await call('made-up-3')).status).toBe(200)
  })

  test('a session that a server has opened goes on meanwhile', async () => {
    const crm = await backend((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'issued' })
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}')
    })
    const { url } = await gateway({ crm }, limits)
    const call = (id?: string) => send(`${url}/crm/mcp`, { body: rpc('1'), headers: id ? [session(id)] : [] })
    await call()
    expect(await tally(times(15, i => call(`made-up-${i}`)))).toEqual([10, 5])
    expect((await call('issued')).status).toBe(200)
  })

  test('a request with two session ids is refused, as nobody knows which one the server takes', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, limits)
    const reply = await send(`${url}/crm/mcp`, { body: rpc('1'), headers: [session('a'), ['mcp-session-id', 'b']] })
    expect([reply.status, crm.seen.length]).toEqual([400, 0])
  })

  test('other methods count as POST does, and so does a GET with a body', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, limits)
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'GET', 'DELETE']) {
      const calls = times(12, () => send(`${url}/crm/mcp`, { method, body: rpc('1'), headers: [session(method)] }))
      expect([method, ...(await tally(calls))]).toEqual([method, 10, 2])
    }
  })

  test('pipelined requests are counted one by one, by whatever path they come', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, limits)
    const one = (path: string, last: boolean) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nMcp-Name: crm-service\r\nMcp-Session-Id: s\r\nContent-Length: 2\r\nConnection: ${last ? 'close' : 'keep-alive'}\r\n\r\n{}`
    const paths = ['/mcp', '/crm/mcp?x=1', 'http://other/crm/mcp']
    const answers = await raw(url, times(15, i => one(paths[i % 3]!, i === 14)).join(''))
    expect(statuses(answers).filter(s => s === 429)).toHaveLength(5)
    expect(crm.seen).toHaveLength(10)
  })

  test('a read is known however it is written, and what cannot be looked into is taken for one', async () => {
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(60_000) } })
    const crm = await backend((_, response) => json(response, large))
    const { url } = await gateway({ crm }, limits)
    const bodies: readonly Attack[] = [
      ['{"jsonrpc":"2.0","id":1,"method":"re\\u0073ources/read","params":{"uri":"a"}}'],
      ['{"jsonrpc":"2.0","id":1,"Method":"resources/read","params":{"uri":"a"}}'],
      ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a"},"method":"ping"}'],
      [gzipSync(rpc('1', 'resources/read', '{"uri":"a"}')), ['Content-Encoding', 'gzip']],
    ]
    for (const [i, [body, ...fields]] of bodies.entries()) {
      const again = { body, headers: [session(`s${i}`), ...fields] }
      expect((await send(`${url}/crm/mcp`, again)).status).toBe(200)
      expect([i, (await send(`${url}/crm/mcp`, again)).status]).toEqual([i, 413])
    }
    expect(asksForResource(rpc('1'))).toBe(false)
  })

  test('what only looks like a cancellation is refused while the session is open', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, limits)
    const call = (body: string) => send(`${url}/crm/mcp`, { body, headers: [session('s')] })
    await Promise.all(times(11, () => call(rpc('1'))))
    const disguised = [
      '{"jsonrpc":"2.0","method":"tools/call","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","Method":"tools/call","params":{}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","ID":1}',
    ]
    expect(await Promise.all(disguised.map(async body => (await call(body)).status))).toEqual([429, 429, 429])
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    expect((await call(cancelled)).status).toBe(200)
  })

  test('tokens without a subject do not share one session', () => {
    const passage = (subject: string, address: string) => ({ identity: { subject, claims: {} }, address }) as Passage
    expect(ownerOf(passage('kim', '10.0.0.1'))).toBe('subject:kim')
    expect(ownerOf(passage('', '10.0.0.1'))).toBe('address:10.0.0.1')
  })

  test('made-up ids fill no memory', async () => {
    const crm = await backend(ok)
    const { url, gateway: running } = await gateway({ crm }, { breaker: { rate: {}, sessions: 20 } })
    await Promise.all(times(60, i => send(`${url}/crm/mcp`, { body: rpc('1'), headers: [session(`id-${i}`)] })))
    expect(breakerOf(running)!.sessions.size).toBeLessThanOrEqual(20)
  })
})

describe('around auth', () => {
  const pem =
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u\n+qKhbwKfBstIs+bMY2Zkp18gnTxKLxoS2tFczGkPLPgizskuemMghRniWaoLcyeh\nkd3qqGElvW/VDL5AaWTg0nLVkjRo9z+40RQzuVaE8AkAFmxZzow3x+VJYKdjykkJ\n0iT9wCS0DRTXu269V264Vf/3jvredZiKRkgwlL9xNAwxXFg0x/XFw005UWVRIkdg\ncKWTjpBP2dPwVZ4WWC+9aGVd+Gyn1o0CLelf4rEjGoXbAAEgAqeGUxrcIlbjXfbc\nmwIDAQAB\n-----END PUBLIC KEY-----\n'

  test('no form of a request gets by without a token', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { auth: { pem } })
    const targets = [
      '//mcp',
      '/mcp/',
      '/crm/mcp?x',
      'http://127.0.0.1/crm/mcp',
      '/crm/../crm/mcp',
      '/%63rm/mcp',
      '/crm/mcp#a',
      '*',
    ]
    const methods = ['POST', 'GET', 'PUT', 'OPTIONS', 'HEAD', 'DELETE', 'PATCH']
    for (const [i, target] of targets.entries()) {
      const method = target === '*' ? 'OPTIONS' : methods[i % methods.length]!
      const answer = await raw(
        url,
        `${method} ${target} HTTP/1.1\r\nHost: a\r\nMcp-Name: crm-service\r\nConnection: close\r\n\r\n`,
      )
      expect([method, target, ...statuses(answer)]).toEqual([method, target, 401])
    }
    const upgrade = 'GET /crm/mcp HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n'
    expect(statuses(await raw(url, upgrade))).toEqual([401])
    expect(await raw(url, 'CONNECT crm:80 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
    expect(crm.seen).toHaveLength(0)
  })

  test('a second field, a list, or another scheme is no token', async () => {
    const crm = await backend(ok)
    const { url } = await gateway({ crm }, { auth: { pem } })
    const fields: (readonly [string, string])[][] = [
      [
        ['Authorization', 'Bearer a'],
        ['authorization', 'Bearer b'],
      ],
      [['Authorization', 'Bearer a, Bearer b']],
      [['Authorization', 'Basic YTpi']],
      [['Proxy-Authorization', 'Bearer a']],
    ]
    for (const headers of fields) expect((await send(`${url}/crm/mcp`, { body: rpc('1'), headers })).status).toBe(401)
    expect(crm.seen).toHaveLength(0)
  })
})
