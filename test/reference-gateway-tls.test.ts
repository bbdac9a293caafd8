import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOREIGN_CERT, FOREIGN_KEY } from '../mock-servers/certificates/foreign.ts'
import { CA, CLIENT_CERT, CLIENT_KEY, SERVER_CERT, SERVER_KEY } from '../mock-servers/certificates/ours.ts'
import { addressList } from '../reference-gateway/parts/addresses.ts'
import type { Config } from '../reference-gateway/types.ts'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

const answers = () => backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))

/** The status, or the code of what went wrong. */
function post(url: string, options: object): Promise<number | string> {
  return new Promise(resolve => {
    const call = request(`${url}/crm/mcp`, { method: 'POST', ca: CA, agent: false, ...options }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    call.end(rpc('1'))
  })
}

test('speaks TLS, and nothing else, where it has a certificate', async () => {
  const crm = await answers()
  const { url } = await gateway({ crm }, { tls: { cert: SERVER_CERT, key: SERVER_KEY } })
  expect(url).toMatch(/^https:/)
  expect(await post(url, {})).toBe(200)
  expect(await post(url.replace('127.0.0.1', 'localhost'), {})).toBe(200)
  await expect(send(`${url.replace('https', 'http')}/crm/mcp`, { body: rpc('1') })).rejects.toThrow()
  expect(crm.seen).toHaveLength(2)
})

test("lets in only clients whose certificate the clients' authority signed", async () => {
  const crm = await answers()
  const { url } = await gateway({ crm }, { tls: { cert: SERVER_CERT, key: SERVER_KEY, clientCa: CA } })
  expect(await post(url, { cert: CLIENT_CERT, key: CLIENT_KEY })).toBe(200)
  expect(await post(url, {})).toMatch(/ECONNRESET|EPIPE|ERR_SSL/)
  expect(await post(url, { cert: FOREIGN_CERT, key: FOREIGN_KEY })).toMatch(/ECONNRESET|EPIPE|ERR_SSL/)
  expect(crm.seen).toHaveLength(1)
})

test('reads certificates from files', async () => {
  const crm = await answers()
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const tls = {
    certFile: file('server.crt', SERVER_CERT),
    keyFile: file('server.key', SERVER_KEY),
    clientCaFile: file('ca.crt', CA),
  }
  const { url } = await gateway({ crm }, { tls })
  expect([await post(url, { cert: CLIENT_CERT, key: CLIENT_KEY }), crm.seen.length]).toEqual([200, 1])
})

test('says at the start what is wrong with certificates', async () => {
  const start = (tls: NonNullable<Config['tls']>) => gateway({ crm: 'http://127.0.0.1:9/mcp' }, { tls })
  await expect(start({ cert: SERVER_CERT })).rejects.toThrow('tls: a certificate and its key are needed')
  await expect(start({ cert: SERVER_CERT, keyFile: '/nowhere.key' })).rejects.toThrow(
    "tls: the file /nowhere.key can't be read (ENOENT).",
  )
  await expect(start({ cert: SERVER_CERT, key: CLIENT_KEY })).rejects.toThrow("tls: the certificates can't be used")
})

test('serves only addresses on its list, and tells the others so', async () => {
  const crm = await answers()
  const there = await gateway({ crm }, { allowAddresses: ['10.0.0.0/8', '127.0.0.0/30', '::1'] })
  expect((await send(`${there.url}/crm/mcp`, { body: rpc('1') })).status).toBe(200)
  const gone = await gateway({ crm }, { allowAddresses: ['10.0.0.0/8', '::1'] })
  const refused = await send(`${gone.url}/crm/mcp`, { body: rpc('1') })
  expect([refused.status, refused.text]).toEqual([403, '{"error":"Forbidden","message":"Address not allowed"}'])
  const dual = await gateway({ crm }, { host: '::', allowAddresses: ['127.0.0.1'] })
  expect((await send(`http://127.0.0.1:${dual.port}/crm/mcp`, { body: rpc('1') })).status).toBe(200)
  const nobody = await gateway({ crm }, { allowAddresses: [] })
  expect((await send(`${nobody.url}/crm/mcp`, { body: rpc('1') })).status).toBe(403)
  expect(crm.seen).toHaveLength(2)
})

test('says which entry is no address', () => {
  for (const bad of ['localhost', '10.0.0.0/33', '::1/129', '10.0.0.0/', '1.2.3', '']) {
    expect(() => addressList([bad])).toThrow(
      `allowAddresses: ${JSON.stringify(bad)} is no address and no range like 10.0.0.0/8.`,
    )
  }
})
