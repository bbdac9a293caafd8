import { createPublicKey, type KeyObject } from 'node:crypto'
import { isObject } from './token.ts'

/** Keys that may be used for RS256, by their ids; those without an id under a number of their own. */
export type KeySet = ReadonlyMap<string, Key>

export interface Key {
  /** What tells it from another: two fetches of the same key have the same. */
  readonly print: string
  readonly object: KeyObject
}

/** Shorter ones can be broken (RFC 7518, 3.3). */
const LEAST_BITS = 2048

/** The keys in a JWK set. Throws where the text is none; entries that are no such key are passed over. */
export function readKeySet(text: string): KeySet {
  const set: unknown = JSON.parse(text)
  if (!isObject(set) || !Array.isArray(set['keys'])) throw new Error('it is no JWK set')
  const keys = new Map<string, Key>()
  set['keys'].forEach((jwk: unknown, n) => {
    const object = isObject(jwk) && isForRs256(jwk) ? keyOf(jwk) : undefined
    if (!object || !isObject(jwk)) return
    const id = typeof jwk['kid'] === 'string' ? jwk['kid'] : ` ${n}`
    if (!keys.has(id)) keys.set(id, { print: `${jwk['n']}.${jwk['e']}`, object })
  })
  return keys
}

/** The one key in a PEM text: a public key or a certificate. Throws, with one sentence, where there is none. */
export function readPem(text: string): KeySet {
  let object: KeyObject
  try {
    object = createPublicKey(text)
  } catch {
    throw new Error('auth: the PEM text holds no public key; it must begin with -----BEGIN PUBLIC KEY-----.')
  }
  if (/PRIVATE KEY/.test(text)) throw new Error('auth: the PEM text holds a private key; give the public one.')
  if (!isLongEnough(object)) throw new Error(`auth: the key must be RSA, with at least ${LEAST_BITS} bits.`)
  return new Map([[' 0', { print: text, object }]])
}

function isForRs256(jwk: Readonly<Record<string, unknown>>): boolean {
  const { kty, alg, use, key_ops: operations } = jwk
  if (kty !== 'RSA') return false
  if (alg !== undefined && alg !== 'RS256') return false
  if (use !== undefined && use !== 'sig') return false
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
}

function keyOf({ n, e }: Readonly<Record<string, unknown>>): KeyObject | undefined {
  if (typeof n !== 'string' || typeof e !== 'string') return undefined
  try {
    const object = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
    return isLongEnough(object) ? object : undefined
  } catch {
    return undefined
  }
}

function isLongEnough({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  return type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_BITS
}
