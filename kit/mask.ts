import { createHash, randomBytes } from 'node:crypto'
import type { Pairs } from './types.ts'

const SECRET_FIELDS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
])

/** Hides secrets: the same one gives the same mask within a run, so that "unchanged" can still be seen. */
export class Mask {
  readonly #salt = randomBytes(8)
  readonly #known = new Map<string, string>()

  /** Hides this text from now on, wherever it stands. Texts under 6 characters would hide ordinary words, so they are left. */
  add(secret: string): void {
    if (secret.length >= 6) this.#known.set(secret, this.#sign(secret))
  }

  /** Replaces every known secret. */
  text(text: string): string {
    let out = text
    for (const [secret, sign] of this.#known) if (out.includes(secret)) out = out.replaceAll(secret, sign)
    return out
  }

  /** Hides the values of fields that carry credentials; a scheme like `Bearer` stays readable. */
  headers(headers: Pairs): Pairs {
    return headers.map(([name, value]) => {
      if (!SECRET_FIELDS.has(name.toLowerCase())) return [name, this.text(value)] as const
      const [, scheme = '', secret = ''] = /^(\S+ )?(.*)$/s.exec(value) ?? []
      return [name, scheme + this.#sign(secret)] as const
    })
  }

  #sign(secret: string): string {
    return `«hidden ${createHash('sha256').update(this.#salt).update(secret).digest('hex').slice(0, 8)}»`
  }
}
