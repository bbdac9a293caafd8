import { createServer } from 'node:net'
import { OTHER_ADDRESS } from '../kit/steps.ts'
import type { Feature, Secure } from '../kit/types.ts'
import { FOREIGN_CERT, FOREIGN_KEY } from '../mock-servers/certificates/foreign.ts'
import { CA, CLIENT_CERT, CLIENT_KEY, SERVER_CERT, SERVER_KEY } from '../mock-servers/certificates/ours.ts'
import { startGateway } from '../reference-gateway/gateway.ts'
import type { Mutant } from '../reference-gateway/mutants/mutant.ts'
import { parts } from '../reference-gateway/parts.ts'
import type { Config } from '../reference-gateway/types.ts'

/** Starts the gateway of the platform once more, by TLS, for clients with a certificate. */
export async function startSecure(config: Config, mutant: Mutant | undefined) {
  const mutual: Config = { ...config, tls: { cert: SERVER_CERT, key: SERVER_KEY, clientCa: CA } }
  const gateway = await startGateway(mutant?.configure?.(mutual) ?? mutual, mutant?.mutate?.(parts) ?? parts)
  const secure: Secure = {
    url: `${gateway.url}/mcp`,
    ca: CA,
    cert: CLIENT_CERT,
    key: CLIENT_KEY,
    foreignCert: FOREIGN_CERT,
    foreignKey: FOREIGN_KEY,
  }
  return { secure, close: () => gateway.close() }
}

/** What can be judged where this machine has the address from which the kit calls as a stranger; macOS has it not. */
export function otherAddress(): Promise<readonly Feature[]> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve([]))
    server.listen(0, OTHER_ADDRESS, () => server.close(() => resolve(['address-list'])))
  })
}
