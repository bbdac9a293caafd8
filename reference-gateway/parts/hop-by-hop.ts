import { without } from '../fields.ts'
import { through } from '../outlet.ts'
import type { Fields, Part } from '../types.ts'

/** Fields about one connection (RFC 9110, 7.6.1), and those that the next connection gets anew. */
const HOP_BY_HOP = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
]
const REQUEST_ONLY = ['host', 'expect']

/** Lets the fields of one connection, and those that `Connection` names, go no further. All others pass as they are. */
export const hopByHop: Part = {
  name: 'hop-by-hop',
  forward(hop) {
    hop.fields = endToEnd(hop.fields, REQUEST_ONLY)
  },
  answer(_hop, out) {
    return through(out, { head: head => out.head({ ...head, fields: endToEnd(head.fields, []) }) })
  },
}

function endToEnd(fields: Fields, more: readonly string[]): Fields {
  const names = new Set([...HOP_BY_HOP, ...more])
  for (const [name, value] of fields) {
    if (name.toLowerCase() === 'connection') for (const named of value.split(',')) names.add(named.trim().toLowerCase())
  }
  return without(fields, names)
}
