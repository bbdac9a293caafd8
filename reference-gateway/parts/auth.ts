import { setTimeout as sleep } from 'node:timers/promises'
import { fetchText } from '../auth/fetch-text.ts'
import { readPem } from '../auth/jwks.ts'
import { fixedKeys, type Keys, NoKeys, RemoteKeys } from '../auth/keys.ts'
import { type Judgement, judgement, Verifier } from '../auth/verifier.ts'
import { without } from '../fields.ts'
import type { AuthConfig } from '../guards.ts'
import { code } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Fields, Gateway, Part, Refusal } from '../types.ts'

/** What of the part can be exchanged. */
export interface AuthSeams {
  readonly judgement?: Partial<Judgement>
  /** The token of a request; undefined where there is none. */
  readonly tokenOf?: (passage: Passage) => string | undefined
  /** Other keys than the configured ones. */
  readonly keys?: (config: AuthConfig, gateway: Gateway) => Keys
  /** The time in ms. */
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
  readonly fetch?: typeof fetchText
}

/** How long the identity provider may take for its keys, how many bytes they may have, and how often they are fetched at most. */
const FETCH_MS = 5000
const FETCH_BYTES = 1024 * 1024
const GAP_MS = 200
/** When a client may try again, where the identity provider can't be reached. */
const RETRY_S = 5

/**
 * Lets nobody on without a good bearer token. In the mode `terminate` the token stops here, and what goes to the servers
 * is the gateway's own.
 */
export function makeAuth(seams: AuthSeams = {}): Part {
  const verifiers = new WeakMap<Gateway, Verifier>()
  const verifierOf = (gateway: Gateway, config: AuthConfig): Verifier => {
    const known = verifiers.get(gateway)
    if (known) return known
    const now = seams.now ?? Date.now
    const { issuer, audience } = config
    const keys = seams.keys?.(config, gateway) ?? keysOf(config, seams)
    const made = new Verifier({ keys, judgement: { ...judgement, ...seams.judgement }, issuer, audience, now })
    verifiers.set(gateway, made)
    return made
  }
  const tokenOf = seams.tokenOf ?? bearerOf
  return {
    name: 'auth',
    async receive(passage) {
      const config = passage.gateway.settings.auth
      if (!config) return
      const token = tokenOf(passage)
      if (token === undefined) return refuse(passage, MISSING)
      try {
        const claims = await verifierOf(passage.gateway, config).verify(token)
        if (!claims) return refuse(passage, INVALID)
        passage.identity = { subject: typeof claims['sub'] === 'string' ? claims['sub'] : '', claims }
        return
      } catch (error) {
        if (!(error instanceof NoKeys)) throw error
        return refuse(passage, UNKNOWN)
      }
    },
    forward(hop) {
      const { auth } = hop.passage.gateway.settings
      if (auth?.mode !== 'terminate') return
      hop.fields = without(hop.fields, AUTHORIZATION)
      const own = auth.upstream?.[hop.backend.name]
      if (own !== undefined) hop.fields.push(['Authorization', `Bearer ${own}`])
    },
  }
}

/** Bearer tokens, by the configuration `auth`; nothing where there is none. */
export const auth: Part = makeAuth()

const AUTHORIZATION = new Set(['authorization'])

/** What stands after `Bearer`; undefined where there is no such field. Several fields are no token at all. */
export function bearerOf({ fields }: Passage): string | undefined {
  const values = fields.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value)
  const tokens = values.flatMap(value => /^bearer +(.+)$/i.exec(value.trim())?.[1] ?? [])
  if (tokens.length === 0) return undefined
  return values.length === 1 ? tokens[0] : ''
}

/** The keys that the configuration names. */
export function keysOf(config: AuthConfig, seams: AuthSeams = {}): Keys {
  if (config.pem !== undefined) return fixedKeys(readPem(config.pem))
  const { jwksUrl = '', cacheSeconds = 300, lastGoodSeconds = 3600 } = config
  const fetch = seams.fetch ?? fetchText
  const wait = seams.sleep ?? ((ms: number) => sleep(ms, undefined, { ref: false }))
  return new RemoteKeys({
    load: () => fetch(jwksUrl, FETCH_MS, FETCH_BYTES),
    cacheMs: cacheSeconds * 1000,
    lastGoodMs: lastGoodSeconds * 1000,
    gapMs: GAP_MS,
    now: seams.now ?? Date.now,
    sleep: async ms => void (await wait(ms)),
  })
}

const refusal = (message: string, challenge: string): Refusal => ({
  status: 401,
  seed: { error: 'Unauthorized', message },
  code: code.invalid,
  message: `Unauthorized: ${message}`,
  data: { type: 'about:blank', title: 'Unauthorized', status: 401, detail: message },
  fields: [['WWW-Authenticate', challenge]] as Fields,
})

const MISSING = refusal('Missing Bearer token', 'Bearer')
const INVALID = refusal('Invalid token', 'Bearer error="invalid_token"')
const UNKNOWN: Refusal = {
  status: 503,
  seed: { error: 'ServiceUnavailable', message: 'Tokens cannot be verified now' },
  code: code.internal,
  message: 'Tokens cannot be verified now: the identity provider does not answer.',
  data: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Tokens cannot be verified now' },
  fields: [['Retry-After', String(RETRY_S)]] as Fields,
}

async function refuse(passage: Passage, what: Refusal): Promise<true> {
  await passage.refuse(what)
  return true
}
