/** A JSON Web Token, taken apart; nothing of it is verified. */
export interface Token {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  /** What the signature is about. */
  readonly signed: string
  readonly signature: Buffer
}

const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Takes a token apart. Undefined where it is none: three parts of base64url, the first two JSON objects. */
export function readToken(text: string): Token | undefined {
  if (!SHAPE.test(text)) return undefined
  const [head = '', payload = '', end = ''] = text.split('.')
  const header = objectIn(head)
  const claims = objectIn(payload)
  const signature = bytesIn(end)
  return header && claims && signature && { header, claims, signature, signed: `${head}.${payload}` }
}

/** Only the one proper spelling, so that no two texts are the same token. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesIn(text)
  if (!bytes) return undefined
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
