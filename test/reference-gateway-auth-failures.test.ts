import { delay, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startIdp } from '../mock-servers/idp.ts'
import { fetchText } from '../reference-gateway/auth/fetch-text.ts'
import { makeAuth } from '../reference-gateway/parts/auth.ts'
import { parts } from '../reference-gateway/parts.ts'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

/** The identity provider, as msw plays it: no such host is there. */
const JWKS = 'https://idp.test/jwks'
const msw = setupServer()
let idp: Awaited<ReturnType<typeof startIdp>>
beforeAll(async () => {
  msw.listen({ onUnhandledRequest: 'bypass' })
  idp = await startIdp()
})
afterEach(() => msw.resetHandlers())
afterAll(async () => {
  msw.close()
  await idp.close()
})

const keys = async () => JSON.stringify(await idp.jwks())
const plays = (answer: () => Response | Promise<Response>) => msw.use(http.get(JWKS, answer))

const FAILURES: readonly [what: string, answer: () => Response | Promise<Response>][] = [
  ['refuses the connection', () => HttpResponse.error()],
  ['answers 500', () => new HttpResponse('oops', { status: 500 })],
  ['answers 500 with the keys', async () => new HttpResponse(await keys(), { status: 500 })],
  ['answers with a web page', () => HttpResponse.html('<!doctype html><title>Log in</title>')],
  ['answers with other JSON', () => HttpResponse.json([{ keys: [] }])],
  ['answers with half of the keys', async () => new HttpResponse((await keys()).slice(0, 200))],
  [
    'breaks off in the middle',
    async () => {
      const half = (await keys()).slice(0, 200)
      const body = new ReadableStream({
        start: controller => controller.enqueue(new TextEncoder().encode(half)),
        pull: controller => controller.error(new Error('cut')),
      })
      return new HttpResponse(body, { headers: { 'content-type': 'application/json' } })
    },
  ],
  ['redirects', () => HttpResponse.redirect(idp.jwksUrl, 302)],
  ['answers with far too much', () => new HttpResponse(' '.repeat(1024 * 1024 + 1))],
  [
    'says nothing',
    async () => {
      await delay('infinite')
      return HttpResponse.json({})
    },
  ],
]

/** A gateway that waits for its identity provider for a short time only. */
async function guarded(crm: string) {
  const clock = { ahead: 0 }
  const part = makeAuth({
    now: () => Date.now() + clock.ahead,
    fetch: (url, _ms, most) => fetchText(url, 100, most),
  })
  const config = { auth: { jwksUrl: JWKS, cacheSeconds: 60, lastGoodSeconds: 600 } }
  const { url } = await gateway(
    { crm },
    config,
    parts.map(one => (one.name === 'auth' ? part : one)),
  )
  const status = async (token: string) => {
    const headers = [['Authorization', `Bearer ${token}`]] as const
    return (await send(`${url}/crm/mcp`, { headers, body: rpc('1') })).status
  }
  return { clock, status }
}

const crm = () => backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))

test.each(FAILURES)('has no keys where the provider %s', async (_, answer) => {
  plays(answer)
  const { status } = await guarded((await crm()).url)
  expect(await status(await idp.mint())).toBe(503)
})

test.each(FAILURES)('keeps the last good keys where the provider %s', async (_, answer) => {
  plays(async () => new HttpResponse(await keys()))
  const { status, clock } = await guarded((await crm()).url)
  const token = await idp.mint({}, { expiresIn: 3600 })
  expect(await status(token)).toBe(200)
  plays(answer)
  clock.ahead += 90_000
  expect([await status(token), await status(await idp.mint({}, { expiresIn: 3600 }))]).toEqual([200, 200])
  expect(await status(await idp.wrongKeyToken({}, { expiresIn: 3600 }))).toBe(401)
  clock.ahead += 600_000
  expect(await status(token)).toBe(503)
})

test('uses of a key set only what is meant for RS256', async () => {
  const { keys: published } = await idp.jwks()
  const [key] = published
  const others = [
    { ...key, alg: 'RS512' },
    { ...key, use: 'enc' },
    { ...key, kty: 'EC' },
    { ...key, key_ops: ['sign'] },
    { kid: key?.kid },
    null,
    7,
  ]
  plays(() => HttpResponse.json({ keys: others }))
  const { status, clock } = await guarded((await crm()).url)
  expect(await status(await idp.mint())).toBe(401)
  plays(() => HttpResponse.json({ keys: [...others, key] }))
  clock.ahead += 1000
  expect(await status(await idp.mint())).toBe(200)
})
