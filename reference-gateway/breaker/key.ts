import { createHash } from 'node:crypto'
import type { Passage } from '../passage.ts'

/** Longer ids would fill the memory. */
const LONGEST = 128

/**
 * By what requests belong together: the session's id, else `subject:` and the subject of the verified token, else
 * `address:` and the client's address. An id that is very long, or that could be taken for one of these, is hashed.
 */
export function keyOf(passage: Passage): string {
  const id = passage.header('mcp-session-id')
  if (!id) return passage.identity ? `subject:${passage.identity.subject}` : `address:${passage.address}`
  if (id.length <= LONGEST && !/^(?:subject|address|session):/.test(id)) return id
  return `session:${createHash('sha256').update(id).digest('hex')}`
}
