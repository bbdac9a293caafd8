import { createHash } from 'node:crypto'
import type { Passage } from '../passage.ts'

/** Longer ids would fill the memory. */
const LONGEST = 128

/**
 * By what requests belong together: the session's id, else who sends them. An id that is very long, or that could be taken
 * for such a key, is hashed.
 */
export function keyOf(passage: Passage): string {
  const id = passage.header('mcp-session-id')
  return id ? keyOfId(id) : ownerOf(passage)
}

/** The key of a session with this id. */
export function keyOfId(id: string): string {
  if (id.length <= LONGEST && !/^(?:subject|address|session|overflow):/.test(id)) return id
  return `session:${createHash('sha256').update(id).digest('hex')}`
}

/**
 * Who sends a request: `subject:` and the subject of the verified token; where it has none, or there is no token,
 * `address:` and the client's address.
 */
export function ownerOf({ identity, address }: Passage): string {
  return identity?.subject ? `subject:${identity.subject}` : `address:${address}`
}
