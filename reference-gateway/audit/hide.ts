import { endOfValue } from '../json.ts'

/** What stands in a record in place of a secret. */
export const HIDDEN = '[hidden]'

/** Names of members that hold secrets, in small letters and without `_` and `-`; names that end so, too. */
const SECRETS = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'privatekey',
  'secretkey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'idtoken',
  'bearertoken',
  'authorization',
  'credential',
  'credentials',
]
/** Names that hold one only where they are the whole name: there are page tokens and progress tokens. */
const WHOLE = ['token', 'jwt', 'cookie']

/** A shorter text is no secret: hiding it would hide ordinary words. */
const SHORTEST = 8

/** Tells whether a member of this name holds a secret; `more` are names beside the usual ones. */
export function secretNames(more: readonly string[] = []): (name: string) => boolean {
  const bare = (name: string) => name.toLowerCase().replace(/[-_]/g, '')
  const ends = [...SECRETS, ...more.map(bare)]
  return name => {
    const known = bare(name)
    return WHOLE.includes(known) || ends.some(end => known.endsWith(end))
  }
}

/** The text without this secret. */
export function hideText(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < SHORTEST ? text : text.replaceAll(secret, HIDDEN)
}

/**
 * Raw JSON, with the values of secret members hidden, and every string that holds the secret without it, also where it
 * is written in escapes. All else stays as it was written. Wants valid JSON.
 */
export function hideJson(raw: string, isSecret: (name: string) => boolean, secret: string | undefined): string {
  const pieces: string[] = []
  let kept = 0
  const put = (from: number, to: number, text: string) => {
    pieces.push(raw.slice(kept, from), text)
    kept = to
  }
  for (let at = raw.indexOf('"'); at !== -1; at = raw.indexOf('"', at)) {
    const end = endOfValue(raw, at)
    const literal = raw.slice(at, end)
    const text = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
    const clean = hideText(text, secret)
    if (clean !== text) put(at, end, JSON.stringify(clean))
    const value = valueOfMember(raw, end)
    at = end
    if (value !== undefined && isSecret(text)) {
      at = endOfValue(raw, value)
      put(value, at, JSON.stringify(HIDDEN))
    }
  }
  return pieces.length === 0 ? raw : pieces.join('') + raw.slice(kept)
}

/** Where the value begins, if the string that ends here is the name of a member. */
function valueOfMember(raw: string, end: number): number | undefined {
  let at = end
  while (' \t\r\n'.includes(raw[at] ?? 'x')) at++
  if (raw[at] !== ':') return undefined
  at++
  while (' \t\r\n'.includes(raw[at] ?? 'x')) at++
  return at
}
