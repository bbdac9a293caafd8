// A server that answers each POST at once with the same 1 KB: what stands behind the gateways in the benchmark.

import { createServer } from 'node:http'

const text = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: 'x'.repeat(900) }], isError: false },
})
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
  })
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit())
