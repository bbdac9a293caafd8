import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ControlConfig } from '../guards.ts'
import type { Gateway } from '../types.ts'
import { type Call, type Endpoint, Problem, type Reply } from './endpoint.ts'
import { endpoints as allEndpoints } from './endpoints.ts'
import { openStream } from './stream.ts'

export { allEndpoints as endpoints }

const MOST_BYTES = 1024 * 1024

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

/** Starts the control plane of a gateway. Rejects where the port is taken. */
export async function startControl(
  gateway: Gateway,
  config: ControlConfig = {},
  endpoints: readonly Endpoint[] = allEndpoints,
): Promise<RunningControl> {
  const { host = '127.0.0.1', port = 8888, token = randomBytes(24).toString('base64url') } = config
  const over = new AbortController()
  const server = createServer((request, response) => {
    answer(gateway, config, token, endpoints, request, response, over.signal).catch(() => response.destroy())
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

async function answer(
  gateway: Gateway,
  config: ControlConfig,
  token: string,
  endpoints: readonly Endpoint[],
  request: IncomingMessage,
  response: ServerResponse,
  over: AbortSignal,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  try {
    checkOrigin(request, config)
    const { endpoint, params } = find(endpoints, request.method ?? '', path)
    if (!endpoint.open) checkToken(request, token)
    const call: Call = {
      gateway,
      method: request.method ?? '',
      params,
      query: new URLSearchParams(query),
      header: name => {
        const value = request.headers[name.toLowerCase()]
        return Array.isArray(value) ? value[0] : value
      },
      json: () => readJson(request),
      stream: () => openStream(response, over),
    }
    const reply = await endpoint.run(call)
    if (reply) send(response, reply)
  } catch (cause) {
    const problem =
      cause instanceof Problem
        ? cause
        : new Problem(500, 'failed', 'The gateway failed', 'The gateway failed at this request.')
    if (response.headersSent) return void response.destroy()
    send(response, {
      status: problem.status,
      text: problem.body(path),
      type: 'application/problem+json',
      headers: problem.headers,
    })
  }
}

/** A page of another origin must not call with what the browser has: it is refused before the token is looked at. */
function checkOrigin({ headers }: IncomingMessage, { allowedOrigins = [] }: ControlConfig): void {
  const { origin, host } = headers
  if (origin === undefined || origin === `http://${host}` || allowedOrigins.includes(origin)) return
  throw new Problem(
    403,
    'foreign-origin',
    'Foreign origin',
    `Pages of ${origin} may not call: allow it by control.allowedOrigins.`,
  )
}

function checkToken({ headers }: IncomingMessage, token: string): void {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const hash = (text: string) => createHash('sha256').update(text).digest()
  if (given !== undefined && timingSafeEqual(hash(given), hash(token))) return
  throw new Problem(
    401,
    'unauthorized',
    'Unauthorized',
    given === undefined
      ? 'The administrator\u2019s token is missing: send it as Authorization: Bearer.'
      : 'This is not the administrator\u2019s token.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  )
}

function find(endpoints: readonly Endpoint[], method: string, path: string) {
  const there = endpoints.flatMap(endpoint => {
    const params = match(endpoint.path, path)
    return params ? [{ endpoint, params }] : []
  })
  const found = there.find(({ endpoint }) => endpoint.method === method)
  if (found) return found
  if (there.length === 0) throw new Problem(404, 'not-found', 'Not found', `There is nothing at ${path}.`)
  const Allow = [...new Set(there.map(({ endpoint }) => endpoint.method))].join(', ')
  throw new Problem(405, 'method-not-allowed', 'Method not allowed', `At ${path} there is ${Allow}.`, {
    headers: { Allow },
  })
}

function match(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    if (segment.startsWith(':')) {
      try {
        params[segment.slice(1)] = decodeURIComponent(given[i]!)
      } catch {
        return undefined
      }
    } else if (segment !== given[i]) return undefined
  }
  return params
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const bytes of request as AsyncIterable<Buffer>) {
    size += bytes.length
    if (size > MOST_BYTES) {
      throw new Problem(413, 'too-large', 'Too large', `The body has more than ${MOST_BYTES} bytes.`, {
        headers: { Connection: 'close' },
      })
    }
    pieces.push(bytes)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw new Problem(400, 'no-json', 'No JSON', 'The body is no JSON.')
  }
}

function send(response: ServerResponse, { status, json, text, type, headers = {} }: Reply): void {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json))
  const kind = type ?? (text === undefined ? 'application/json' : 'text/plain; charset=utf-8')
  response.writeHead(status ?? (body === '' ? 204 : 200), {
    ...(body !== '' && { 'Content-Type': kind, 'Content-Length': String(Buffer.byteLength(body)) }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
