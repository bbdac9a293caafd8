import { verify as verifySignature } from 'node:crypto'
import type { Key } from './jwks.ts'
import type { Keys } from './keys.ts'
import { readToken, type Token } from './token.ts'

/** What is decided about a token, one question each. */
export interface Judgement {
  /** Whether the header asks for what is done here: RS256, and no extension. */
  header(header: Token['header']): boolean
  /** Whether the signature is by this key. */
  signature(token: Token, key: Key): boolean
  /** Whether it holds now, in seconds since the epoch. */
  time(claims: Token['claims'], now: number): boolean
}

/** By how many seconds `nbf` may lie ahead, as clocks differ. `exp` has none. */
const AHEAD_S = 2

export const judgement: Judgement = {
  header: ({ alg, crit }) => alg === 'RS256' && crit === undefined,
  signature: ({ signed, signature }, { object }) =>
    verifySignature('RSA-SHA256', Buffer.from(signed), object, signature),
  time: ({ exp, nbf }, now) =>
    typeof exp === 'number' && exp > now && (nbf === undefined || (typeof nbf === 'number' && nbf <= now + AHEAD_S)),
}

/** How much verified tokens may fill, in characters and in number. */
const MOST_CHARS = 8 * 1024 * 1024
const MOST = 10_000

export interface VerifierOptions {
  readonly keys: Keys
  readonly judgement: Judgement
  /** Where given, `iss` and `aud` must have it. */
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
  /** The time in ms. */
  readonly now: () => number
}

/**
 * Verifies tokens. One that was verified is remembered, so that the next request with it costs a look-up: never beyond
 * its own time, and never beyond that of its key, which is looked up each time.
 */
export class Verifier {
  private readonly options: VerifierOptions
  private readonly known = new Map<
    string,
    { readonly claims: Token['claims']; readonly key: Key; readonly id?: string }
  >()
  private chars = 0

  constructor(options: VerifierOptions) {
    this.options = options
  }

  /** The claims of a good token; undefined for any other. Rejects with `NoKeys` where that can't be told. */
  async verify(text: string): Promise<Token['claims'] | undefined> {
    const { keys, judgement: judge, now } = this.options
    const seen = this.known.get(text)
    if (seen) {
      const key = await keys.find(seen.id)
      if (key?.print === seen.key.print && judge.time(seen.claims, now() / 1000)) return seen.claims
      this.forget(text)
      return undefined
    }
    const token = readToken(text)
    if (!token || !judge.header(token.header)) return undefined
    const { kid } = token.header
    if (kid !== undefined && typeof kid !== 'string') return undefined
    // Before the keys are asked for: a token that is over is not worth a fetch.
    if (!judge.time(token.claims, now() / 1000) || !this.isForUs(token.claims)) return undefined
    const key = await keys.find(kid)
    if (!key || !judge.signature(token, key)) return undefined
    this.remember(text, { claims: token.claims, key, ...(kid !== undefined && { id: kid }) })
    return token.claims
  }

  private isForUs({ iss, aud }: Token['claims']): boolean {
    const { issuer, audience } = this.options
    if (issuer !== undefined && iss !== issuer) return false
    return audience === undefined || aud === audience || (Array.isArray(aud) && aud.includes(audience))
  }

  /** The oldest make room. */
  private remember(text: string, entry: { claims: Token['claims']; key: Key; id?: string }): void {
    if (!this.known.has(text)) this.chars += text.length
    this.known.set(text, entry)
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST && this.chars <= MOST_CHARS) return
      this.forget(oldest)
    }
  }

  private forget(text: string): void {
    if (this.known.delete(text)) this.chars -= text.length
  }
}
