import { createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  importSPKI,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { CannotJudge } from '../kit/errors.ts'
import type { Issuer } from '../kit/types.ts'

/** How a token is made. */
export interface MintOptions {
  /** The key id in the header; null leaves it out. That of the newest key where nothing is said. */
  readonly kid?: string | null
  /** How long the token holds: seconds from now, negative for one that is over, or null for one without `exp`. 300 where nothing is said. */
  readonly expiresIn?: number | null
  /** More members of the header. */
  readonly header?: Readonly<Record<string, unknown>>
}

/** An identity provider with RS256 keys. */
export interface Idp extends Issuer {
  /** The public keys, as `/jwks` gives them. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>
  /** The newest public key as PEM, for gateways that want a file. */
  publicPem(): Promise<string>
  /** A token signed by the newest key. `iss` and `iat` are put in, unless the claims say otherwise. */
  mint(claims?: JWTPayload, options?: MintOptions): Promise<string>
  /** A new key, which signs from now on. The older ones stay published, unless told otherwise. */
  rotate(options?: { readonly keepOld?: boolean }): Promise<void>
  /** A token that names a key of ours but was signed by another. */
  wrongKeyToken(claims?: JWTPayload, options?: MintOptions): Promise<string>
  /** A token with `alg: none` and no signature. */
  unsignedToken(claims?: JWTPayload): Promise<string>
  /** A token signed by HS256 with the public key as secret: what a gateway accepts that lets the token choose the algorithm. */
  confusedToken(claims?: JWTPayload, options?: MintOptions): Promise<string>
  close(): Promise<void>
}

interface Key {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

const TTL = 300

export interface IdpOptions {
  /** Any free port where nothing is said. */
  readonly port?: number
  readonly host?: string
  /** The private key that signs, as PEM (PKCS 8), so that a gateway knows it before there is a run; else one is made. */
  readonly key?: string
}

/** Starts the identity provider on loopback: `/.well-known/openid-configuration`, `/jwks`, and 404 elsewhere. Keys are made when first needed. */
export async function startIdp({ port = 0, host = '127.0.0.1', key }: IdpOptions = {}): Promise<Idp> {
  let made = 0
  let keys: Promise<readonly Key[]> | undefined
  let foreign: Promise<Key> | undefined
  const another = async () => {
    const n = ++made
    const pair = await keyPair(n)
    // The next one is made while nobody waits for it.
    void keyPair(n + 1)
    return { kid: `key-${n}`, ...pair }
  }
  const all = () => (keys ??= (key === undefined ? another() : givenKey(key)).then(first => [first]))
  const newest = async () => (await all()).at(-1)!
  const jwks = async () => ({ keys: await Promise.all((await all()).map(published)) })

  const server = createServer(async (req, res) => {
    const documents: Record<string, () => unknown> = { '/.well-known/openid-configuration': discovery, '/jwks': jwks }
    const document = documents[req.url ?? '']
    if (!document || req.method !== 'GET') return void res.writeHead(404).end()
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await document()))
  })
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', (e: NodeJS.ErrnoException) =>
        reject(
          new CannotJudge(`The identity provider cannot listen on ${host}:${at} (${e.code}): choose another port.`),
        ),
      )
      server.listen(at, host, resolve)
    })
  await listen(port)
  const bound = (server.address() as AddressInfo).port
  const issuer = `http://${host}:${bound}`
  const discovery = () => ({
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })

  const sign = (claims: JWTPayload, alg: string, kid: string, secret: CryptoKey | Uint8Array, options: MintOptions) =>
    new SignJWT(payload(issuer, claims, options.expiresIn))
      .setProtectedHeader({
        alg,
        typ: 'JWT',
        ...(options.kid !== null && { kid: options.kid ?? kid }),
        ...options.header,
      })
      .sign(secret)

  async function rs512Token(claims: JWTPayload, options: MintOptions) {
    const { kid, privateKey } = await newest()
    return sign(claims, 'RS512', kid, await importPKCS8(await exportPKCS8(privateKey), 'RS512'), options)
  }
  async function embeddedKeyToken(claims: JWTPayload, options: MintOptions) {
    foreign ??= foreignPair().then(pair => ({ kid: 'foreign', ...pair }))
    const jwk = await exportJWK((await foreign).publicKey)
    return idp.wrongKeyToken(claims, { ...options, header: { jwk, ...options.header } })
  }
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  const idp: Idp = {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    jwks,
    token({ kind = 'good', claims = {}, ...options } = {}) {
      if (kind === 'unsigned') return idp.unsignedToken(claims)
      if (kind === 'rs512') return rs512Token(claims, options)
      if (kind === 'embedded-key') return embeddedKeyToken(claims, options)
      const make = { good: idp.mint, 'wrong-key': idp.wrongKeyToken, confused: idp.confusedToken }[kind]
      return make(claims, options)
    },
    publicPem: async () => exportSPKI((await newest()).publicKey),
    async mint(claims = {}, options = {}) {
      const { kid, privateKey } = await newest()
      return sign(claims, 'RS256', kid, privateKey, options)
    },
    async rotate({ keepOld = true } = {}) {
      const old = keepOld ? await all() : []
      keys = another().then(key => [...old, key])
      await keys
    },
    async wrongKeyToken(claims = {}, options = {}) {
      foreign ??= foreignPair().then(pair => ({ kid: 'foreign', ...pair }))
      return sign(claims, 'RS256', (await newest()).kid, (await foreign).privateKey, options)
    },
    unsignedToken: async (claims = {}) => new UnsecuredJWT(payload(issuer, claims)).encode(),
    async confusedToken(claims = {}, options = {}) {
      const { kid, publicKey } = await newest()
      return sign(claims, 'HS256', kid, Buffer.from(await exportSPKI(publicKey)), options)
    },
    stop,
    start: () => (server.listening ? Promise.resolve() : listen(bound)),
    close: stop,
  }
  return idp
}

const newPair = () => generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
type Pair = ReturnType<typeof newPair>

// Making a key takes a tenth of a second and more. All identity providers of a process share theirs: the first key of each
// is the same, and so on; no gateway sees two of them.
const pairs: Pair[] = []
const keyPair = (n: number): Pair => (pairs[n] ??= newPair())
let stranger: Pair | undefined
const foreignPair = (): Pair => (stranger ??= newPair())

/** A key that is there already; its id is made of it, so that every run names it alike. */
async function givenKey(pem: string): Promise<Key> {
  const privateKey = await importPKCS8(pem, 'RS256', { extractable: true })
  const publicPem = createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
  const publicKey = await importSPKI(publicPem, 'RS256', { extractable: true })
  return { kid: (await calculateJwkThumbprint(await exportJWK(publicKey))).slice(0, 16), privateKey, publicKey }
}

/** A private key for `startIdp`, as PEM. */
export async function makeKeyFile(): Promise<string> {
  return exportPKCS8((await newPair()).privateKey)
}

const published = async ({ kid, publicKey }: Key): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
})

function payload(issuer: string, claims: JWTPayload, expiresIn: number | null = TTL): JWTPayload {
  const iat = Math.floor(Date.now() / 1000)
  return { iss: issuer, iat, ...(expiresIn !== null && { exp: iat + expiresIn }), ...claims }
}
