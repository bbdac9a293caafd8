import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { rfc9112, spec } from '../spec.ts'

const FOREIGN = { Origin: 'http://evil.example' }

/** A name or address, and a port that one can connect to. */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]+)(:(?!0+$)\d{1,5})?$/i

/** Who is called, and who calls. */
export const edge: readonly Check[] = [
  check({
    id: 'forwarding/one-valid-host',
    title: 'MUST send servers one valid Host',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9112('3.2'),
    needs: ['http-backend'],
    why: 'Servers and their load balancers find the site by it, and refuse requests with none, two, or a broken one.',
    steps: [call('burst_target')],
    claims: [backend().header('Host', AUTHORITY)],
  }),
  check({
    id: 'forwarding/foreign-origin-refused',
    title: 'MUST NOT serve web pages of a foreign origin',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'security-warning'),
    catalogue: ['http.origin-validated', 'security.dns-rebinding'],
    why: 'Any page that the user opens can call the tools, by a name of its own that it points at this machine.',
    steps: [call('burst_target', {}, { headers: FOREIGN })],
    claims: [client().status(400, 499)],
  }),
  check({
    id: 'forwarding/foreign-origin-403',
    title: 'MUST answer 403 to an origin that it does not accept',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'security-warning'),
    catalogue: ['http.origin-invalid-403'],
    since: '2025-11-25',
    why: 'With another status the client looks for the fault in its request, or starts a new session for nothing.',
    steps: [call('burst_target', {}, { headers: FOREIGN })],
    claims: [client().status(403)],
  }),
]
