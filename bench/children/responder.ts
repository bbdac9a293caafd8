// What stands behind the gateway while latencies are measured: it answers as the mock servers do, in microseconds, and
// records nothing. Is sent the servers' names with their ports; tells where they listen.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerName } from '../../kit/types.ts'
import { Answers } from '../answers.ts'

async function listen(name: ServerName, port: number, host: string): Promise<number> {
  const answers = new Answers(name)
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => serve(answers, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return (server.address() as AddressInfo).port
}

function serve(answers: Answers, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') {
    request.resume()
    response.writeHead(request.method === 'DELETE' ? 200 : 405, { 'Content-Length': 0 }).end()
    return
  }
  const pieces: Buffer[] = []
  request.on('data', (bytes: Buffer) => pieces.push(bytes))
  request.on('end', () => answers.answer(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), response))
}

interface Needs {
  readonly ports: Readonly<Partial<Record<ServerName, number>>>
  readonly host: string
}

process.once('message', async needs => {
  const { ports, host } = needs as Needs
  try {
    const open: Partial<Record<ServerName, number>> = {}
    for (const [name, port] of Object.entries(ports) as [ServerName, number][])
      open[name] = await listen(name, port, host)
    process.send?.({ ports: open })
  } catch (cause) {
    process.send?.({ fault: (cause as Error).message })
    process.exitCode = 1
    process.disconnect?.()
  }
})
process.on('disconnect', () => process.exit())
