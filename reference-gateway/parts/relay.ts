import { Hop } from '../hop.ts'
import type { Part } from '../types.ts'

/** Sends the request on to its backend, and the answer back, both as they are. */
export const relay: Part = {
  name: 'relay',
  async receive(passage) {
    const { backend, method, query, fields, body } = passage
    if (!backend) return
    const path = backend.path.includes('?') ? backend.path + query.replace('?', '&') : backend.path + query
    await passage.gateway.send(new Hop(passage, backend, method, path, [...fields], body), passage.out)
    return true
  },
}
