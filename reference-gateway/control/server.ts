import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ControlConfig } from '../guards.ts'
import { startMetrics } from '../metrics/metrics.ts'
import type { Gateway } from '../types.ts'
import { checkType, readText } from './body.ts'
import { checkHost, checkOrigin, checkToken, PREFLIGHT } from './door.ts'
import { type Call, type Endpoint, Problem, type Reply } from './endpoint.ts'
import { endpoints as allEndpoints } from './endpoints.ts'
import { allowed, at, forMethod } from './find.ts'
import { openStream } from './stream.ts'

export { allEndpoints as endpoints }

/** A request that is not whole by then is given up. */
const REQUEST_MS = 10_000

/** A control plane that listens. */
export interface RunningControl {
  /** Its origin: `http://127.0.0.1:8888`. */
  readonly url: string
  /** The administrator's bearer token. */
  readonly token: string
  /** True where the token was made here, and must be told once. */
  readonly tokenMade: boolean
  close(): Promise<void>
}

/** What every request is answered with. */
interface House {
  readonly gateway: Gateway
  readonly config: ControlConfig
  readonly token: string
  readonly endpoints: readonly Endpoint[]
  readonly over: AbortSignal
}

/** Starts the control plane of a gateway. Rejects where the port is taken. */
export async function startControl(
  gateway: Gateway,
  config: ControlConfig = {},
  endpoints: readonly Endpoint[] = allEndpoints,
): Promise<RunningControl> {
  const { host = '127.0.0.1', port = 8888, token = randomBytes(24).toString('base64url') } = config
  startMetrics(gateway)
  const over = new AbortController()
  // Each open stream listens to it.
  setMaxListeners(0, over.signal)
  const house: House = { gateway, config, token, endpoints, over: over.signal }
  const patience = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 }
  const server = createServer(patience, (request, response) => {
    answer(house, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    token,
    tokenMade: config.token === undefined,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      over.abort()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(house: House, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  try {
    const reply = await replyTo(house, request, response, path, query)
    if (reply) send(response, reply)
    // A stream has no head without its body: whoever asks for that has it now.
    else if (request.method === 'HEAD') response.end()
  } catch (cause) {
    if (response.headersSent) return void response.destroy()
    const problem =
      cause instanceof Problem
        ? cause
        : new Problem(500, 'failed', 'The gateway failed', 'The gateway failed at this request.')
    const { status, headers } = problem
    send(response, { status, text: problem.body(path), type: 'application/problem+json', headers })
  }
}

async function replyTo(
  { gateway, config, token, endpoints, over }: House,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<Reply | undefined> {
  const { method = '', headers } = request
  checkHost(request, config)
  checkOrigin(request, response, config)
  const there = at(endpoints, path)
  if (method === 'OPTIONS') {
    const Allow = allowed(there)
    const isPage = response.hasHeader('Access-Control-Allow-Origin')
    return { headers: { Allow, ...(isPage && { 'Access-Control-Allow-Methods': Allow, ...PREFLIGHT }) } }
  }
  const { endpoint, params } = forMethod(there, method, path)
  if (!endpoint.open) checkToken(headers, token)
  checkType(request)
  const call: Call = {
    gateway,
    config,
    method,
    params,
    query: new URLSearchParams(query),
    header(name) {
      const value = headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    },
    json: async () => JSON.parse(await readText(request)),
    text: () => readText(request),
    stream: () => openStream(response, over),
  }
  return endpoint.run(call)
}

function send(response: ServerResponse, { status, json, text, bytes, type, headers = {} }: Reply): void {
  const body = bytes ?? Buffer.from(text ?? (json === undefined ? '' : JSON.stringify(json)))
  const kind = type ?? (text === undefined ? 'application/json' : 'text/plain; charset=utf-8')
  response.writeHead(status ?? (body.length === 0 ? 204 : 200), {
    ...(body.length > 0 && { 'Content-Type': kind, 'Content-Length': String(body.length) }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
