import { createLocalJWKSet, decodeProtectedHeader, importSPKI, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Idp, startIdp } from '../mock-servers/idp.ts'

let idp: Idp
beforeAll(async () => {
  idp = await startIdp()
})
afterAll(() => idp.close())

const published = async () => createLocalJWKSet((await (await fetch(idp.jwksUrl)).json()) as JSONWebKeySet)
const verify = async (token: string) => (await jwtVerify(token, await published(), { issuer: idp.issuer })).payload

test('publishes its keys by discovery, and nothing else', async () => {
  const discovery = (await (await fetch(`${idp.issuer}/.well-known/openid-configuration`)).json()) as Record<
    string,
    unknown
  >
  expect(discovery).toMatchObject({ issuer: idp.issuer, jwks_uri: idp.jwksUrl })
  const { keys } = await idp.jwks()
  expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'key-1' })
  expect(keys[0]).not.toHaveProperty('d')
  for (const path of ['/', '/jwks/', '/token']) expect((await fetch(idp.issuer + path)).status).toBe(404)
})

test('mints tokens with any claims', async () => {
  const token = await idp.mint({ sub: 'admin', roles: ['crm_admin'], aud: 'gw' })
  expect(await verify(token)).toMatchObject({ sub: 'admin', roles: ['crm_admin'], aud: 'gw' })
  await jwtVerify(token, await importSPKI(await idp.publicPem(), 'RS256'))
  await expect(verify(await idp.mint({}, { expiresIn: -10 }))).rejects.toThrow('"exp"')
  expect(await verify(await idp.mint({}, { expiresIn: null }))).not.toHaveProperty('exp')
  expect(decodeProtectedHeader(await idp.mint({}, { kid: null }))).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(decodeProtectedHeader(await idp.mint({}, { kid: 'other', header: { typ: 'at+jwt' } }))).toMatchObject({
    kid: 'other',
    typ: 'at+jwt',
  })
})

test('makes the tokens that no gateway may take', async () => {
  await expect(verify(await idp.wrongKeyToken({ sub: 'x' }))).rejects.toThrow('signature')
  const none = await idp.unsignedToken({ sub: 'x' })
  expect([none.endsWith('.'), JSON.parse(Buffer.from(none.split('.')[0]!, 'base64url').toString()).alg]).toEqual([
    true,
    'none',
  ])
  await expect(verify(none)).rejects.toThrow()
  const confused = await idp.confusedToken({ sub: 'x' })
  expect((await jwtVerify(confused, Buffer.from(await idp.publicPem()))).payload.sub).toBe('x')
  await expect(verify(confused)).rejects.toThrow()
})

test('rotates keys, and drops the old ones where it is told', async () => {
  const own = await startIdp()
  const before = await own.mint()
  const keys = async () => createLocalJWKSet((await own.jwks()) as JSONWebKeySet)
  await own.rotate()
  await jwtVerify(before, await keys())
  const after = await own.mint()
  expect(decodeProtectedHeader(after).kid).toBe('key-2')
  await own.rotate({ keepOld: false })
  await expect(jwtVerify(after, await keys())).rejects.toThrow('no applicable key')
  await own.close()
})

test('says in one sentence that its port is taken', async () => {
  const port = Number(new URL(idp.issuer).port)
  await expect(startIdp({ port })).rejects.toThrow(
    `The identity provider cannot listen on 127.0.0.1:${port} (EADDRINUSE): choose another port.`,
  )
})
