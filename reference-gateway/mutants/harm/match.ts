import { field } from '../../fields.ts'
import type { Passage } from '../../passage.ts'

/** Which traffic is harmed: all that is given must hold. A bare pattern is `message` where messages are edited, else `request`. */
export interface When {
  /** Tested on the message that is to be edited: one message, not a whole batch or stream. */
  readonly message?: RegExp
  /** Tested on the body that the client sent. */
  readonly request?: RegExp
  /** Tested on method and path: `POST /crm/mcp`. */
  readonly http?: RegExp
  /** Tested on the client's header fields, one `Name: value` a line. */
  readonly fields?: RegExp
  /** Any other condition. */
  readonly also?: (passage: Passage) => boolean
}

/** A condition: see `When`. */
export type Match = RegExp | When

/** The body that the client sent, so far as it has come. */
export function requestText(passage: Passage): string {
  return passage.body.now()?.toString('utf8') ?? ''
}

/** True where all but `message` holds. */
export function holdsFor(match: Match | undefined, passage: Passage): boolean {
  if (!match) return true
  const when = match instanceof RegExp ? { request: match } : match
  return (
    tests(when.http, () => `${passage.method} ${passage.path}`) &&
    tests(when.fields, () => passage.fields.map(([name, value]) => `${name}: ${value}`).join('\n')) &&
    tests(when.request, () => requestText(passage)) &&
    (when.also?.(passage) ?? true)
  )
}

/** The condition for the message itself, and the one for the passage. */
export function forMessage(match: Match): { message: RegExp; when: When } {
  const when = match instanceof RegExp ? { message: match } : match
  return { message: when.message ?? /(?:)/, when }
}

/** A copy of the pattern that remembers no position, so that each test begins anew. */
function tests(pattern: RegExp | undefined, text: () => string): boolean {
  return pattern === undefined || text().search(pattern) !== -1
}

/** The client's session id as it sent it. */
export function sessionOf(passage: Passage): string | undefined {
  return field(passage.fields, 'mcp-session-id')
}
