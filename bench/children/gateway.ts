// The reference gateway as it is measured: in a process of its own. Is sent its configuration; tells its address.

import { startGateway } from '../../reference-gateway/gateway.ts'
import type { Config } from '../../reference-gateway/types.ts'

process.once('message', async config => {
  try {
    const gateway = await startGateway(config as Config)
    process.on('SIGTERM', () => void gateway.close().then(() => process.exit()))
    process.send?.({ url: gateway.url })
  } catch (cause) {
    process.send?.({ fault: (cause as Error).message })
    process.exitCode = 1
    process.disconnect?.()
  }
})
process.on('disconnect', () => process.exit())
