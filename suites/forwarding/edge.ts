import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { describe } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { rfc9112, spec } from '../spec.ts'

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
    title: 'MUST refuse web pages of a foreign origin, from 2025-11-25 on with 403',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'security-warning'),
    catalogue: ['http.origin-validated', 'http.origin-invalid-403', 'security.dns-rebinding'],
    why: 'Any page that the user opens can call the tools, by a name of its own that it points at this machine.',
    steps: [call('burst_target', {}, { headers: { Origin: 'http://evil.example' } })],
    claims: [
      client().holds('the request is refused with the status that the revision asks for', (e, { revision }) => {
        const status = e.response?.status ?? 0
        const right = revision >= '2025-11-25' ? status === 403 : status >= 400 && status < 500
        return right ? undefined : describe(e)
      }),
    ],
  }),
]
