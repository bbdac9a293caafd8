import { fetchText } from '../reference-gateway/auth/fetch-text.ts'
import type { AuthConfig } from '../reference-gateway/guards.ts'
import { type AuthSeams, makeAuth } from '../reference-gateway/parts/auth.ts'
import { parts } from '../reference-gateway/parts.ts'
import { backend, gateway, json, rpc, send, type TestBackend } from './reference-gateway-rig.ts'

/** A server that answers everything. */
export const answers = () => backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))

/** A gateway whose clock and whose way to the identity provider can be turned. */
export async function guarded(crm: TestBackend, auth: AuthConfig, seams: AuthSeams = {}) {
  const clock = { ahead: 0, fetches: 0, slept: 0 }
  const part = makeAuth({
    now: () => Date.now() + clock.ahead,
    // Time that is slept through passes at once.
    sleep: async ms => {
      clock.ahead += ms
      clock.slept += ms
    },
    fetch: (...args) => {
      clock.fetches++
      return fetchText(...args)
    },
    ...seams,
  })
  const { url } = await gateway(
    { crm },
    { auth },
    parts.map(one => (one.name === 'auth' ? part : one)),
  )
  const call = (token?: string, more: { readonly method?: string; readonly path?: string } = {}) =>
    send(`${url}${more.path ?? '/crm/mcp'}`, {
      method: more.method ?? 'POST',
      headers: token === undefined ? [] : [['Authorization', token]],
      ...(more.method === undefined && { body: rpc('1') }),
    })
  return { url, clock, call, status: async (token: string) => (await call(`Bearer ${token}`)).status }
}
