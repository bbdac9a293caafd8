import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach } from 'vitest'
import { startGateway } from '../reference-gateway/gateway.ts'
import type { Config, Part } from '../reference-gateway/types.ts'

/** One request as a backend of the test saw it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: string
}

export interface TestBackend {
  readonly url: string
  readonly port: number
  readonly seen: Seen[]
  readonly sockets: Set<Socket>
  stop(): Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A raw HTTP server. Its answer is given when the request is whole. */
export async function backend(answer: Answer, port = 0): Promise<TestBackend> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      seen.push({ method: request.method!, url: request.url!, headers: request.rawHeaders, body })
      answer(request, response, body)
    })
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  const stop = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  open.push(async () => void (server.listening && (await stop())))
  return { url: `http://127.0.0.1:${bound}/mcp`, port: bound, seen, sockets, stop }
}

/** A gateway before these backends, closed when the test is over. */
export async function gateway(
  backends: Readonly<Record<string, string | TestBackend>>,
  more: Omit<Config, 'backends'> = {},
  parts?: readonly Part[],
) {
  const addresses = Object.entries(backends).map(([name, one]) => {
    return [name, { url: typeof one === 'string' ? one : one.url, service: `${name}-service` }] as const
  })
  const running = await startGateway({ ...more, backends: Object.fromEntries(addresses) }, parts)
  open.push(() => running.close())
  return running
}

export interface Reply {
  readonly status: number
  readonly headers: readonly string[]
  readonly bytes: Buffer
  readonly text: string
  /** False where the answer broke off. */
  readonly whole: boolean
}

export interface Call {
  readonly method?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string | Buffer
}

/** An exchange that can be watched while it goes on. */
export interface Watched {
  /** The head, as soon as it is there. */
  readonly head: Promise<IncomingMessage>
  /** What has come so far. */
  text(): string
  /** Resolves as soon as the text so far holds this. */
  until(part: string): Promise<void>
  /** The end, clean or not. */
  readonly done: Promise<Reply>
  /** Hangs up. */
  hangUp(): void
}

/** Sends a request as it is given: header case, order and duplicates kept. */
export function watch(url: string, { method = 'POST', headers = [], body }: Call = {}): Watched {
  const chunks: Buffer[] = []
  const waiting = new Set<() => void>()
  const text = () => Buffer.concat(chunks).toString()
  const flat = [['Host', new URL(url).host] as const, ...headers].flat()
  if (body !== undefined && !flat.some(name => /^(content-length|transfer-encoding)$/i.test(name))) {
    flat.push('Content-Length', String(Buffer.byteLength(body)))
  }
  const outgoing = request(url, { method, headers: flat as unknown as Record<string, string>, agent: false })
  const head = new Promise<IncomingMessage>((resolve, reject) => outgoing.on('response', resolve).on('error', reject))
  const done = head.then(
    response =>
      new Promise<Reply>(resolve => {
        response.on('data', chunk => {
          chunks.push(chunk)
          for (const look of waiting) look()
        })
        response.on('error', () => {})
        response.on('close', () => {
          const bytes = Buffer.concat(chunks)
          const { statusCode: status = 0, rawHeaders, complete: whole } = response
          resolve({ status, headers: rawHeaders, bytes, text: bytes.toString(), whole })
        })
      }),
  )
  done.catch(() => {})
  outgoing.end(body)
  return {
    head,
    text,
    done,
    until: part =>
      new Promise(resolve => {
        const look = () => {
          if (!text().includes(part)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    hangUp: () => void outgoing.destroy(),
  }
}

/** Sends a request and waits for the end of its answer. */
export const send = (url: string, call?: Call): Promise<Reply> => watch(url, call).done

/** A JSON-RPC request as text. */
export const rpc = (id: string, method = 'tools/call', params = '{}') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`

/** The value of a header field; undefined where there is none. */
export function header(headers: readonly string[], name: string): string | undefined {
  const index = headers.findIndex((key, at) => at % 2 === 0 && key.toLowerCase() === name)
  return index === -1 ? undefined : headers[index + 1]
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
}
