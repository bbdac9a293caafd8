import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { ControlConfig } from '../guards.ts'
import { Problem } from './endpoint.ts'

/**
 * A page on a name of its own that it lets point here would have this as its own origin: only addresses, `localhost` and
 * configured names are answered.
 */
export function checkHost({ headers }: IncomingMessage, { host, allowedNames = [] }: ControlConfig): void {
  const name = nameIn(headers.host ?? '')
  const known = name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0
  if (known || [host, ...allowedNames].some(one => one?.toLowerCase() === name || one === '*')) return
  const detail = `This is not ${JSON.stringify(name)}: call it by its address, or name it in control.allowedNames.`
  throw new Problem(421, 'wrong-host', 'Misdirected request', detail)
}

/** `localhost` of `localhost:8888`, `::1` of `[::1]:8888`. */
function nameIn(host: string): string {
  const [, inBrackets, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return (inBrackets ?? plain).toLowerCase()
}

/**
 * A page of another origin is refused before the token is looked at, unless it is on the list; one on the list is told
 * that it may read the answer.
 */
export function checkOrigin(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins = [] }: ControlConfig,
): void {
  const { origin, host } = headers
  if (allowedOrigins.length > 0) response.setHeader('Vary', 'Origin')
  if (origin === undefined || origin === `http://${host}`) return
  if (!allowedOrigins.includes(origin) && !allowedOrigins.includes('*')) {
    const detail = `Pages of ${origin} may not call: allow it by control.allowedOrigins.`
    throw new Problem(403, 'foreign-origin', 'Foreign origin', detail)
  }
  response.setHeader('Access-Control-Allow-Origin', origin)
}

/** What a page of an allowed origin is told before it calls. */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Max-Age': '600',
}

/** Compares the token in constant time. */
export function checkToken({ authorization }: IncomingHttpHeaders, token: string): void {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (given !== undefined && timingSafeEqual(hash(given), hash(token))) return
  const detail =
    given === undefined
      ? 'The administrator’s token is missing: send it as Authorization: Bearer.'
      : 'This is not the administrator’s token.'
  throw new Problem(401, 'unauthorized', 'Unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
