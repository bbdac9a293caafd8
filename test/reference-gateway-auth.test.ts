import { createPublicKey } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIdp } from '../mock-servers/idp.ts'
import type { AuthConfig } from '../reference-gateway/guards.ts'
import { answers, guarded } from './reference-gateway-auth-rig.ts'
import { gateway, header, rpc, send } from './reference-gateway-rig.ts'

let idp: Awaited<ReturnType<typeof startIdp>>
beforeAll(async () => {
  idp = await startIdp()
})
afterAll(() => idp.close())

test('answers a missing and a bad token with the bodies of the platform', async () => {
  const crm = await answers()
  const { call } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  const missing = await call()
  expect(missing.status).toBe(401)
  expect(missing.text).toBe('{"error":"Unauthorized","message":"Missing Bearer token"}')
  expect(header(missing.headers, 'www-authenticate')).toBe('Bearer')
  for (const bad of ['Bearer x', 'Bearer a.b.c', 'Bearer a b', `bearer ${await idp.wrongKeyToken()}`]) {
    const refused = await call(bad)
    expect([bad, refused.status, refused.text]).toEqual([
      bad,
      401,
      '{"error":"Unauthorized","message":"Invalid token"}',
    ])
    expect(header(refused.headers, 'www-authenticate')).toBe('Bearer error="invalid_token"')
  }
  for (const none of ['Basic eDp5', 'Bearer', 'Bearer  ']) expect((await call(none)).text).toContain('Missing')
  expect(crm.seen).toHaveLength(0)
})

test('takes a good token, and sends it on byte for byte', async () => {
  const crm = await answers()
  const { call } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  const token = `bEARER ${await idp.mint({ sub: '상담원' })}`
  expect((await call(token)).status).toBe(200)
  expect(header(crm.seen[0]!.headers, 'authorization')).toBe(token)
})

test('refuses tokens by their time', async () => {
  const crm = await answers()
  const { status, clock } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  const s = Math.floor(Date.now() / 1000)
  const short = await idp.mint({}, { expiresIn: 60 })
  const later = await idp.mint({ nbf: s + 60 })
  expect(await status(short)).toBe(200)
  expect(await status(later)).toBe(401)
  expect(await status(await idp.mint({ nbf: s + 1 }))).toBe(200)
  expect(await status(await idp.mint({ nbf: '0' } as never))).toBe(401)
  expect(await status(await idp.mint({ exp: '9999999999' } as never))).toBe(401)
  expect(await status(await idp.mint({}, { expiresIn: null }))).toBe(401)
  clock.ahead = 61_000
  expect(await status(short)).toBe(401)
  expect(await status(later)).toBe(200)
})

test('lets no token choose how it is verified', async () => {
  const crm = await answers()
  const { status } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  for (const kind of ['wrong-key', 'embedded-key', 'unsigned', 'confused', 'rs512'] as const) {
    expect([kind, await status(await idp.token({ kind }))]).toEqual([kind, 401])
  }
  expect(await status(await idp.mint({}, { header: { crit: ['b64'], b64: true } }))).toBe(401)
  expect(await status(await idp.mint({}, { header: { kid: 7 } }))).toBe(401)
  const good = await idp.mint({ roles: [] })
  const [head, payload, signature] = good.split('.') as [string, string, string]
  const changed = Buffer.from(JSON.stringify({ roles: ['crm_admin'], exp: 9e9 })).toString('base64url')
  expect(await status(good)).toBe(200)
  expect(await status(`${head}.${changed}.${signature}`)).toBe(401)
  expect(await status(`${head}.${payload}.${signature}=`)).toBe(401)
  expect(await status(`${good}.`)).toBe(401)
})

test('takes two fields for no token', async () => {
  const crm = await answers()
  const { url } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  const headers = [
    ['Authorization', `Bearer ${await idp.mint()}`],
    ['authorization', 'Bearer other'],
  ] as const
  expect((await send(`${url}/crm/mcp`, { headers, body: rpc('1') })).status).toBe(401)
  expect(crm.seen).toHaveLength(0)
})

test('looks at iss and aud only where it is told to', async () => {
  const crm = await answers()
  const { status } = await guarded(crm, { jwksUrl: idp.jwksUrl, issuer: idp.issuer, audience: 'gw' })
  expect(await status(await idp.mint({ aud: 'gw' }))).toBe(200)
  expect(await status(await idp.mint({ aud: ['x', 'gw'] }))).toBe(200)
  expect(await status(await idp.mint({ aud: 'x' }))).toBe(401)
  expect(await status(await idp.mint({ aud: 'gw', iss: 'https://other.example' }))).toBe(401)
  const lax = await guarded(crm, { jwksUrl: idp.jwksUrl })
  expect(await lax.status(await idp.mint({ aud: 'x', iss: 'https://other.example' }))).toBe(200)
})

test('checks every method, and says in JSON-RPC what the request was', async () => {
  const crm = await answers()
  const { call } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  for (const method of ['GET', 'DELETE']) expect((await call(undefined, { method })).status).toBe(401)
  const { url } = await gateway({ crm }, { auth: { jwksUrl: idp.jwksUrl }, errors: 'jsonrpc' })
  const refused = await send(`${url}/crm/mcp`, { body: rpc('"a-1"') })
  expect(refused.status).toBe(401)
  expect(JSON.parse(refused.text)).toMatchObject({
    id: 'a-1',
    error: { message: 'Unauthorized: Missing Bearer token' },
  })
  expect(crm.seen).toHaveLength(0)
})

test('verifies by a key out of a PEM text or file', async () => {
  const crm = await answers()
  const pem = await idp.publicPem()
  const pemFile = join(mkdtempSync(join(tmpdir(), 'auth-')), 'key.pem')
  writeFileSync(pemFile, pem)
  for (const auth of [{ pem }, { pemFile }]) {
    const { status } = await guarded(crm, auth)
    expect(await status(await idp.mint({}, { kid: null }))).toBe(200)
    expect(await status(await idp.mint({}, { kid: 'any' }))).toBe(200)
    expect(await status(await idp.wrongKeyToken())).toBe(401)
  }
})

test('says at the start what is wrong with a key', async () => {
  const start = (auth: AuthConfig) => gateway({ crm: 'http://127.0.0.1:9/mcp' }, { auth })
  await expect(start({})).rejects.toThrow('auth: it must be known where the keys are: jwksUrl, pem or pemFile.')
  await expect(start({ pem: 'nonsense' })).rejects.toThrow('auth: the PEM text holds no public key')
  await expect(start({ pemFile: '/nowhere.pem' })).rejects.toThrow(
    "auth: the file /nowhere.pem can't be read (ENOENT).",
  )
  const short = createPublicKey({ key: SHORT, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
  await expect(start({ pem: short })).rejects.toThrow('auth: the key must be RSA, with at least 2048 bits.')
})

test("stops the client's token, and shows each server one of its own, by every way", async () => {
  const crm = await answers()
  const auth = { jwksUrl: idp.jwksUrl, mode: 'terminate', upstream: { crm: 'its-own' } } as const
  const { call } = await guarded(crm, auth)
  const token = `Bearer ${await idp.mint()}`
  await call(token)
  for (const method of ['GET', 'DELETE']) await call(token, { method })
  await call(token, { path: '/all/mcp' })
  expect(crm.seen.length).toBeGreaterThanOrEqual(3)
  for (const { headers } of crm.seen) expect(header(headers, 'authorization')).toBe('Bearer its-own')
  const bare = await guarded(crm, { ...auth, upstream: {} })
  await bare.call(token)
  expect(header(crm.seen.at(-1)!.headers, 'authorization')).toBeUndefined()
})

/** A public key of 1024 bits. */
const SHORT = {
  kty: 'RSA',
  n: Buffer.alloc(128, 0xff).toString('base64url'),
  e: 'AQAB',
}
