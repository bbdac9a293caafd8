import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'

/** Small gateways that do one thing wrong, on loopback, for what the command line says of them. */

export interface Faulty {
  readonly url: string
  readonly port: number
  /** Resolves with the first request. */
  readonly asked: Promise<void>
  close(): Promise<void>
}

/** A server that answers everything like this. */
export async function answering(listener: RequestListener): Promise<Faulty> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asked = new Promise<void>(resolve => server.once('request', () => resolve()))
  return {
    asked,
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A gateway in front of a server at this port that relays all but calls of tools; those, `instead` answers. */
export const relaying = (port: number, instead?: (res: ServerResponse, body: string) => void): Promise<Faulty> =>
  answering((req, res) => {
    void bodyOf(req).then(body => {
      if (instead && body.includes('"tools/call"')) return instead(res, body)
      const { method, url: path } = req
      const up = request({ host: '127.0.0.1', port, method, path, headers: req.headers }, answer => {
        res.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
        answer.pipe(res)
      })
      up.on('error', () => res.destroy())
      res.on('close', () => up.destroy())
      up.end(body)
    })
  })

/** A port that nobody listens at, now. */
export async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** The id of a JSON-RPC request. */
export const idOf = (body: string): unknown => (JSON.parse(body) as { id?: unknown }).id

/** An answer to `initialize` that agrees on this revision. */
export const helloText = (body: string, protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: idOf(body),
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd-gw', version: '1' } },
  })

export async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
