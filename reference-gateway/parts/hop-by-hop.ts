import { all, without } from '../fields.ts'
import { through } from '../outlet.ts'
import type { Fields, Part } from '../types.ts'

/** Fields about one connection (RFC 9110, 7.6.1), and those that the next connection gets anew. */
const HOP_BY_HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
])
const OF_REQUESTS = new Set([...HOP_BY_HOP, 'host', 'expect'])

/** Lets the fields of one connection, and those that `Connection` names, go no further. All others pass as they are. */
export const hopByHop: Part = {
  name: 'hop-by-hop',
  forward(hop) {
    hop.fields = endToEnd(hop.fields, OF_REQUESTS)
  },
  answer(_hop, out) {
    return through(out, { head: head => out.head({ ...head, fields: endToEnd(head.fields, HOP_BY_HOP) }) })
  },
}

function endToEnd(fields: Fields, names: ReadonlySet<string>): Fields {
  const named = all(fields, 'connection').flatMap(value => value.split(',').map(name => name.trim().toLowerCase()))
  const isUsual = named.every(name => names.has(name) || name === 'close')
  return without(fields, isUsual ? names : new Set([...names, ...named]))
}
