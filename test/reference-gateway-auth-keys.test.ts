import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIdp } from '../mock-servers/idp.ts'
import { bearerOf } from '../reference-gateway/parts/auth.ts'
import type { Passage } from '../reference-gateway/passage.ts'
import { answers, guarded } from './reference-gateway-auth-rig.ts'
import { header } from './reference-gateway-rig.ts'

let idp: Awaited<ReturnType<typeof startIdp>>
beforeAll(async () => {
  idp = await startIdp()
})
afterAll(() => idp.close())

test('follows keys: a new one at once, a withdrawn one no longer', async () => {
  const own = await startIdp()
  const crm = await answers()
  const { status, clock } = await guarded(crm, { jwksUrl: own.jwksUrl })
  const first = await own.mint({}, { expiresIn: 3600 })
  expect(await status(first)).toBe(200)
  await own.rotate()
  const second = await own.mint({}, { expiresIn: 3600 })
  expect([await status(second), await status(first)]).toEqual([200, 200])
  await own.rotate({ keepOld: false })
  // Nobody has told the gateway: until the keys are fetched anew, the old one is still good.
  expect(await status(second)).toBe(200)
  clock.ahead += 301_000
  expect([await status(second), await status(first)]).toEqual([401, 401])
  expect(await status(await own.mint({}, { expiresIn: 3600 }))).toBe(200)
  await own.close()
})

test('fetches keys a quarter of their time early, so that nobody waits', async () => {
  const crm = await answers()
  const { status, clock } = await guarded(crm, { jwksUrl: idp.jwksUrl })
  const token = await idp.mint({}, { expiresIn: 3600 })
  for (let i = 0; i < 5; i++) await status(token)
  expect(clock.fetches).toBe(1)
  clock.ahead += 240_000
  await status(token)
  expect(clock.fetches).toBe(2)
})

test('does not ask the provider for each invented key id', async () => {
  const crm = await answers()
  const seen = new Set<Passage>()
  const waiting: (() => void)[] = []
  const allThere = () => {
    if (seen.size >= 50) for (const go of waiting.splice(0)) go()
  }
  const { status, clock } = await guarded(
    crm,
    { jwksUrl: idp.jwksUrl },
    {
      // The pause before the provider is asked lasts until all of them are there, however slow the machine.
      sleep: () =>
        new Promise<void>(resolve => {
          waiting.push(resolve)
          allThere()
        }),
      tokenOf(passage) {
        seen.add(passage)
        allThere()
        return bearerOf(passage)
      },
    },
  )
  expect(await status(await idp.mint())).toBe(200)
  seen.clear()
  const forged = await Promise.all(
    Array.from({ length: 50 }, (_, i) => idp.wrongKeyToken({}, { kid: `invented-${i}` })),
  )
  expect(new Set(await Promise.all(forged.map(status)))).toEqual(new Set([401]))
  // One at once, where the last one is long enough ago on a slow machine, and one for all others.
  expect([2, 3]).toContain(clock.fetches)
})

test('goes on with the last good keys while the provider is away, for a stated time', async () => {
  const own = await startIdp()
  const crm = await answers()
  const { status, call, clock } = await guarded(crm, { jwksUrl: own.jwksUrl, lastGoodSeconds: 600, cacheSeconds: 60 })
  const long = await own.mint({}, { expiresIn: 7200 })
  expect(await status(long)).toBe(200)
  await own.stop()
  clock.ahead += 120_000
  expect([await status(long), await status(await own.mint({}, { expiresIn: 7200 }))]).toEqual([200, 200])
  expect(await status(await own.mint({}, { kid: 'unknown' }))).toBe(401)
  clock.ahead += 500_000
  const away = await call(`Bearer ${long}`)
  expect(away.status).toBe(503)
  expect(away.text).toBe('{"error":"ServiceUnavailable","message":"Tokens cannot be verified now"}')
  expect(header(away.headers, 'retry-after')).toBe('5')
  await own.start()
  clock.ahead += 1000
  expect(await status(long)).toBe(200)
  await own.close()
})

test('refuses with 503 where the provider was never there', async () => {
  const own = await startIdp()
  await own.stop()
  const crm = await answers()
  const { status } = await guarded(crm, { jwksUrl: own.jwksUrl })
  expect(await status(await own.mint())).toBe(503)
  expect(await status('not.a.token')).toBe(401)
  expect(crm.seen).toHaveLength(0)
})
