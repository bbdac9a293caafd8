import { document, result } from '../../kit/acts.ts'
import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { open } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { HOST, SERVER } from './documents.ts'

const common = {
  pack: 'syncseries',
  level: 'MUST',
  spec: platform('envelope'),
  needs: ['header-routing', 'http-backend', 'http-proxy'],
} as const

/** The host of the documents shakes hands with their server, in the oldest revision, by POST. */
const hello = open({ ...HOST, on: 'crm', as: 'hello', acts: document(result(SERVER)), uninitialized: true })

/** The handshake of the documents. */
export const handshake: readonly Check[] = [
  check({
    ...common,
    id: 'dialect/handshake-to-the-letter',
    title: 'passes a handshake in 2024-11-05 on as host and server agree on it',
    why: 'Hosts of the platform still speak the oldest revision; told of a newer one they hang up.',
    steps: [hello],
    claims: [
      backend('hello').message('params.protocolVersion', '2024-11-05'),
      client('hello').status(200),
      client('hello').result('protocolVersion', '2024-11-05'),
      client('hello').result('capabilities', SERVER.capabilities),
      unchanged('hello').result(),
    ],
  }),
  check({
    ...common,
    id: 'dialect/host-described',
    title: 'tells the server the name, version and capabilities of the host that shakes hands',
    why: 'The server asks the host for its roots and for samples only where it was told that the host has them.',
    steps: [hello],
    claims: [
      backend('hello').message('params.clientInfo', HOST.clientInfo),
      backend('hello').message('params.capabilities', HOST.capabilities),
    ],
  }),
]
