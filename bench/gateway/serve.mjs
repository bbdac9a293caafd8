// One gateway in a process of its own. Its configuration is the first argument; `bare` as the second leaves it nothing but
// the way of a request. Told `memory` it answers with what it holds; told `stop`, or by SIGTERM, it closes in good order.

import { startGateway } from '../../dist/reference-gateway/gateway.js'
import { parts } from '../../dist/reference-gateway/parts.js'

const BARE = ['route', 'hop-by-hop', 'relay']
const [, , config, form] = process.argv
const chosen = form === 'bare' ? parts.filter(({ name }) => BARE.includes(name)) : parts
const running = await startGateway(JSON.parse(config), chosen)
const stop = async () => {
  await running.close()
  process.exit()
}
process.on('message', message => {
  if (message === 'stop') return void stop()
  globalThis.gc?.()
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  process.send({ rss, held: heapUsed + external + arrayBuffers })
})
process.once('SIGTERM', () => void stop())
process.on('disconnect', () => process.exit())
process.send({ port: running.port })
