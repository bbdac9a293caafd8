import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { NoKeys } from '../../auth/keys.ts'
import { isObject, readToken } from '../../auth/token.ts'
import { judgement } from '../../auth/verifier.ts'
import { type AuthSeams, bearerOf, keysOf, makeAuth } from '../../parts/auth.ts'
import { type Mutant, type Mutate, replacePart } from '../harm.ts'
import { skips } from './skips.ts'

const withSeams = (seams: AuthSeams): Mutate => replacePart('auth', makeAuth(seams))

/** Bad tokens are taken. */
export const tokens: readonly Mutant[] = [
  {
    name: 'ignores-exp',
    harm: 'Takes tokens that are over.',
    caughtBy: ['auth-tier1/expired-refused'],
    platform: 'seed',
    mutate: withSeams({
      judgement: {
        time: (claims, now) => judgement.time({ ...claims, ...('exp' in claims && { exp: now + 1 }) }, now),
      },
    }),
  },
  {
    name: 'ignores-nbf',
    harm: 'Takes tokens before their time.',
    caughtBy: ['auth-tier1/not-yet-valid-refused'],
    platform: 'seed',
    mutate: withSeams({ judgement: { time: ({ nbf: _, ...claims }, now) => judgement.time(claims, now) } }),
  },
  {
    name: 'takes-endless-tokens',
    harm: 'Looks at exp only where it is there.',
    caughtBy: ['auth-tier1/endless-refused'],
    platform: 'seed',
    mutate: withSeams({
      judgement: { time: (claims, now) => judgement.time({ exp: now + 1, ...claims }, now) },
    }),
  },
  {
    name: 'takes-any-signature',
    harm: 'Decodes tokens, and verifies no signature.',
    caughtBy: ['auth-tier1/wrong-key-refused', 'auth-tier1/embedded-key-refused', 'auth-tier1/tampered-refused'],
    platform: 'seed',
    mutate: withSeams({ judgement: { signature: () => true } }),
  },
  {
    name: 'takes-the-key-in-the-token',
    harm: 'Verifies a token by the key that stands in its header.',
    caughtBy: ['auth-tier1/embedded-key-refused'],
    platform: 'seed',
    mutate: withSeams({
      judgement: {
        signature(token, key) {
          const { jwk } = token.header
          if (!isObject(jwk)) return judgement.signature(token, key)
          const object = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
          return judgement.signature(token, { print: '', object })
        },
      },
    }),
  },
  {
    name: 'takes-what-it-cannot-verify',
    harm: 'Lets tokens through whose key it does not find.',
    caughtBy: ['auth-tier1/unknown-key-refused'],
    platform: 'seed',
    mutate: withSeams({
      keys(config) {
        const right = keysOf(config)
        const any = { print: 'any' }
        return { find: async id => (await right.find(id)) ?? ({ ...any } as never) }
      },
      judgement: { signature: (token, key) => key.print === 'any' || judgement.signature(token, key) },
    }),
  },
  {
    name: 'takes-alg-none',
    harm: 'Takes tokens at their word that they are not signed.',
    caughtBy: ['auth-tier1/unsigned-refused'],
    platform: 'seed',
    mutate: skips(passage => readToken(`${bearerOf(passage)}AA`)?.header['alg'] === 'none'),
  },
  {
    name: 'lets-tokens-choose-hs256',
    harm: 'Verifies by the algorithm that the token names, with the public key as the secret where that is HS256.',
    caughtBy: ['auth-tier1/confused-algorithm-refused'],
    platform: 'seed',
    mutate: withSeams({
      judgement: {
        header: header => header['alg'] === 'HS256' || judgement.header(header),
        signature(token, key) {
          if (token.header['alg'] !== 'HS256') return judgement.signature(token, key)
          const secret = String(key.object.export({ type: 'spki', format: 'pem' })).trim()
          return createHmac('sha256', secret).update(token.signed).digest().equals(token.signature)
        },
      },
    }),
  },
  {
    name: 'takes-every-rsa-algorithm',
    harm: 'Takes RS384 and RS512 for RS256.',
    caughtBy: ['auth-tier1/other-algorithm-refused'],
    platform: 'seed',
    mutate: withSeams({
      judgement: {
        header: ({ alg }) => /^RS(256|384|512)$/.test(String(alg)),
        signature: ({ header, signed, signature }, { object }) =>
          verify(`RSA-SHA${String(header['alg']).slice(2)}`, Buffer.from(signed), object, signature),
      },
    }),
  },
  {
    name: 'remembers-tokens-by-signature',
    harm: 'Finds tokens that it has verified before by their signature alone.',
    caughtBy: ['auth-tier1/tampered-refused'],
    platform: 'seed',
    mutate: parts => {
      const seen = new Map<string, string>()
      return withSeams({
        tokenOf(passage) {
          const token = bearerOf(passage)
          const signature = token?.split('.')[2]
          if (!token || !signature) return token
          if (!seen.has(signature)) seen.set(signature, token)
          return seen.get(signature)
        },
      })(parts)
    },
  },
  {
    name: 'wants-bearer-with-a-capital',
    harm: 'Knows the scheme Bearer only with a capital.',
    caughtBy: ['auth-tier1/scheme-case'],
    platform: 'seed',
    mutate: withSeams({
      tokenOf: passage => (passage.header('authorization')?.startsWith('bearer') ? undefined : bearerOf(passage)),
    }),
  },
]

/** Keys are not what the identity provider has. */
export const keys: readonly Mutant[] = [
  {
    name: 'learns-new-keys-late',
    harm: 'Fetches a new key after it has refused the first token by it.',
    caughtBy: ['auth-tier1/new-key-taken'],
    platform: 'seed',
    mutate: withSeams({
      keys(config) {
        const right = keysOf(config)
        const known = new Set<string | undefined>()
        return {
          find(id) {
            const found = right.find(id)
            const early = known.size > 0 && !known.has(id)
            void Promise.resolve(found).then(key => key && known.add(id))
            return early ? undefined : found
          },
        }
      },
    }),
  },
  {
    name: 'keeps-withdrawn-keys',
    harm: 'Adds new keys to those that it knows, and forgets none.',
    caughtBy: ['auth-tier1/withdrawn-key-refused'],
    platform: 'seed',
    mutate: withSeams({
      keys(config) {
        const right = keysOf(config)
        const kept = new Map<string | undefined, NonNullable<Awaited<ReturnType<typeof right.find>>>>()
        return {
          async find(id) {
            const key = kept.get(id) ?? (await right.find(id))
            if (key) kept.set(id, key)
            return key
          },
        }
      },
    }),
  },
  {
    name: 'asks-the-provider-each-time',
    harm: 'Asks the identity provider at each request, and lets nobody in while it is away.',
    caughtBy: ['auth-tier1/provider-away'],
    platform: 'seed',
    mutate: withSeams({
      keys: config => ({
        async find(id) {
          const there = await fetch(config.jwksUrl ?? '').then(
            answer => answer.ok,
            () => false,
          )
          if (!there) throw new NoKeys('it is away')
          return right(config).find(id)
        },
      }),
    }),
  },
]

const configured = new WeakMap<object, ReturnType<typeof keysOf>>()
const right = (config: Parameters<typeof keysOf>[0]) => {
  const known = configured.get(config) ?? keysOf(config)
  configured.set(config, known)
  return known
}
