import { openQuickWire, type QuickWire, type QuickWireOptions, requestBytes } from '../kit/quick-wire.ts'
import { route } from '../kit/routing.ts'
import { CLIENT_INFO } from '../kit/session.ts'
import type { Named, Pairs, Revision, Routing, ServerName, Target } from '../kit/types.ts'

/** Where calls go, and what goes with each. */
export interface Endpoint {
  readonly name: string
  readonly url: URL
  /** With every request, `initialize` included. */
  readonly headers: Pairs
  readonly revision: Revision
  readonly wire: QuickWireOptions
  /** What the endpoint calls a tool or a resource. */
  exposed(kind: Named, own: string): string
}

/** The way through the gateway to this server. `more` are fields such as a token's. */
export function through(
  target: Target,
  server: ServerName,
  revision: Revision,
  more: Pairs = [],
  name = 'through',
): Endpoint {
  const { url, headers } = route(target.url, target.routing, server)
  return {
    name,
    url: new URL(url),
    headers: [...headers, ...target.headers, ...more],
    revision,
    wire: {},
    exposed: (kind, own) => target.names.exposed(kind, server, own),
  }
}

/** The way around the gateway: the server itself, with the same fields, as far as they are no secrets of the gateway's. */
export function direct(
  url: string,
  routing: Routing,
  server: ServerName,
  revision: Revision,
  name = 'direct',
): Endpoint {
  const { headers } = route(url, routing, server)
  return { name, url: new URL(url), headers, revision, wire: {}, exposed: (_kind, own) => own }
}

const JSON_FIELDS: Pairs = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]

/** All fields of a request in a session. */
export const fieldsOf = ({ headers, revision }: Endpoint, session: string | undefined): Pairs => [
  ...JSON_FIELDS,
  ...(revision >= '2025-06-18' ? [['MCP-Protocol-Version', revision] as const] : []),
  ...(session === undefined ? [] : [['Mcp-Session-Id', session] as const]),
  ...headers,
]

/** Shakes hands and gives the session's id; undefined where none is issued. Throws, in one sentence, where it fails. */
export async function handshake(endpoint: Endpoint, wire: QuickWire, id = 1): Promise<string | undefined> {
  const { url, headers, revision } = endpoint
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT_INFO }
  const hello = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })
  const answer = await wire.send(requestBytes(url, [...JSON_FIELDS, ...headers], hello))
  if (answer.status !== 200 || !answer.body.includes('"protocolVersion"')) {
    const text = answer.body.toString('utf8').trim().slice(0, 200)
    throw new Error(`initialize was answered with status ${answer.status}${text ? `: ${text}` : ''}`)
  }
  const session = /\r\nmcp-session-id: *([^\r]*)/i.exec(answer.head)?.[1]?.trim()
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await wire.send(requestBytes(url, fieldsOf(endpoint, session), initialized))
  return session
}

/** So many sessions, each shaken hands for. */
export async function openSessions(endpoint: Endpoint, count: number): Promise<(string | undefined)[]> {
  const wire = openQuickWire(endpoint.url, endpoint.wire)
  try {
    const sessions: (string | undefined)[] = []
    for (let i = 0; i < count; i++) sessions.push(await handshake(endpoint, wire, i + 1))
    return sessions
  } finally {
    wire.close()
  }
}

/** Ends sessions, so that a gateway is not left with them. What comes of it is nobody's concern. */
export async function endSessions(endpoint: Endpoint, sessions: readonly (string | undefined)[]): Promise<void> {
  const wire = openQuickWire(endpoint.url, { ...endpoint.wire, timeout: 1000 })
  try {
    for (const session of sessions) {
      if (session === undefined) continue
      const request = requestBytes(endpoint.url, fieldsOf(endpoint, session), '')
      await wire.send(Buffer.concat([Buffer.from('DELETE'), request.subarray('POST'.length)]))
    }
  } catch {
    // They go by themselves, later.
  } finally {
    wire.close()
  }
}
