import { setMaxListeners } from 'node:events'
import { credentials, identify } from './credentials.ts'
import { at, type Json, parse, stringify } from './json.ts'
import { reply } from './messages.ts'
import { keepPace, paced } from './pacer.ts'
import { route } from './routing.ts'
import type { Act, Exchange, Pairs, Revision, Rig, ServerName, Way } from './types.ts'
import { field, send } from './wire.ts'

export const NONCE = 'mcp-conformance/nonce'
export const MARKER = 'mcp-conformance/marker'
export const CLIENT_INFO = { name: 'mcp-conformance', version: '1' }

/** What one client holds of one conversation. */
export interface Session {
  readonly who: string
  readonly server: ServerName
  readonly url: string
  readonly routing: Pairs
  /** How its requests come to the gateway, where that is not the usual way. */
  readonly way?: Way
  /** Undefined where none was issued. */
  readonly id: string | undefined
  readonly revision: Revision
  /** The next request id; counted from 1 in every session, so that all sessions use the same ids. */
  nextId: number
}

/** Thrown where a step's prerequisite is missing: the check ends as `error`, with this reason. */
export class Unjudged extends Error {}

/** Overrides of header fields: a value sets, a list sends the field several times, undefined leaves it out. */
export type HeaderOverrides = Readonly<Record<string, string | readonly string[] | undefined>>

export interface PostOptions {
  readonly label?: string | undefined
  readonly who?: string
  readonly method?: string
  readonly url?: string
  readonly headers?: HeaderOverrides | undefined
  readonly acts?: readonly Act[] | undefined
  readonly mark?: string
  /** Hangs up when it fires. */
  readonly abort?: AbortSignal
  /** Reads nothing of the answer's body until this has resolved. */
  readonly readsFrom?: Promise<unknown> | undefined
}

/** Fields of a request in the usual order, with the overrides put in. */
export function withOverrides(headers: Pairs, overrides: HeaderOverrides = {}): Pairs {
  const set = new Map(Object.entries(overrides).map(([k, v]) => [k.toLowerCase(), { name: k, value: v }]))
  const several = (name: string, value: string | readonly string[] | undefined): Pairs =>
    value === undefined ? [] : typeof value === 'string' ? [[name, value]] : value.map(v => [name, v] as const)
  const kept = headers.flatMap(([name, value]) => {
    const override = set.get(name.toLowerCase())
    if (!override) return [[name, value] as const]
    set.delete(name.toLowerCase())
    return several(override.name, override.value)
  })
  return [...kept, ...[...set.values()].flatMap(({ name, value }) => several(name, value))]
}

/** The fields that a client of this session sends with everything. */
export function sessionHeaders(rig: Rig, session: Session): Pairs {
  return [
    ...(session.id === undefined ? [] : [['Mcp-Session-Id', session.id] as const]),
    ...(session.revision >= '2025-06-18' ? [['MCP-Protocol-Version', session.revision] as const] : []),
    ...session.routing,
    ...credentials(rig, session.who),
  ]
}

const JSON_HEADERS: Pairs = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]

/** POSTs a body in a session and waits for the whole answer. */
export function post(rig: Rig, session: Session, body: string | Uint8Array, options: PostOptions = {}) {
  return exchange(rig, session, 'POST', [...JSON_HEADERS, ...sessionHeaders(rig, session)], body, options)
}

/** Any HTTP request in a session. */
export async function exchange(
  rig: Rig,
  session: Session,
  method: string,
  headers: Pairs,
  body: string | Uint8Array,
  { label, headers: overrides, acts, mark = rig.next(), abort, readsFrom, url = session.url }: PostOptions,
): Promise<Exchange> {
  if (acts) rig.stage(mark, acts)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const all = withOverrides(headers, overrides)
  if (method === 'POST') await keepPace(rig, session, field(all, 'mcp-session-id'))
  const writer = rig.recorder.open({
    side: 'client',
    transport: 'http',
    server: session.server,
    nonce: mark,
    who: session.who,
    ...(label !== undefined && { label }),
    request: { method, path: pathOf(url), headers: all, body: bytes },
  })
  const signal = abort ? either(rig.signal, abort) : rig.signal
  const aborted = () => (abort?.aborted ? 'the kit hung up, as planned' : `no whole answer within ${rig.timeout} ms`)
  await send({ url, method, headers: all, body: bytes }, writer, { ...session.way, signal, aborted, readsFrom })
  return writer.exchange
}

/** Fires when one of the two does. */
function either(a: AbortSignal, b: AbortSignal): AbortSignal {
  // It came with Node 20.3.
  if ('any' in AbortSignal) return AbortSignal.any([a, b])
  const both = new AbortController()
  const stop = () => both.abort()
  setMaxListeners(0, a, b)
  for (const signal of [a, b]) {
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  }
  return both.signal
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export interface OpenOptions {
  readonly who?: string
  readonly server?: ServerName
  readonly label?: string
  readonly revision?: Revision
  readonly capabilities?: unknown
  readonly clientInfo?: unknown
  readonly headers?: HeaderOverrides | undefined
  readonly acts?: readonly Act[] | undefined
  /** Another way to the gateway, and another address of it, for all that this client sends. */
  readonly way?: Way
  readonly at?: string
  /** Leaves `notifications/initialized` out. */
  readonly uninitialized?: boolean
}

/** Shakes hands. Gives the session as far as it came about, and the exchange that answered `initialize`. */
export async function open(rig: Rig, options: OpenOptions = {}): Promise<{ session: Session; answer: Exchange }> {
  const { who = 'a', server = rig.target.servers[0] ?? 'crm', label, revision = rig.revision, way } = options
  const { url, headers: routing } = route(options.at ?? rig.target.url, rig.target.routing, server)
  const bare: Session = { who, server, url, routing, ...(way && { way }), id: undefined, revision, nextId: 1 }
  await identify(rig, who)
  const mark = rig.next()
  const answer = await exchange(
    rig,
    bare,
    'POST',
    [...JSON_HEADERS, ...routing, ...credentials(rig, who)],
    stringify({
      jsonrpc: '2.0',
      id: bare.nextId++,
      method: 'initialize',
      params: {
        protocolVersion: revision,
        capabilities: options.capabilities ?? {},
        clientInfo: options.clientInfo ?? CLIENT_INFO,
        _meta: { [NONCE]: mark },
      },
    }),
    { label: label ?? `initialize of ${who}`, mark, headers: options.headers, acts: options.acts },
  )
  const id = field(answer.response?.headers ?? [], 'mcp-session-id')
  const agreed = at(reply(answer), 'result.protocolVersion')
  const session: Session = { ...bare, id, revision: (typeof agreed === 'string' ? agreed : revision) as Revision }
  rig.memory.set(sessionKey(rig, who, server), session)
  if (agreed !== undefined && !options.uninitialized) {
    const initialized = rig.next()
    await post(rig, session, notification('notifications/initialized', {}, initialized), {
      mark: initialized,
      label: `initialized of ${who}`,
    })
  }
  return { session, answer }
}

/** A client keeps one session for each address: an aggregating gateway gets one for all servers. */
export const sessionKey = (rig: Rig, who: string, server: ServerName): string => {
  const { url, headers } = route(rig.target.url, rig.target.routing, server)
  return `session ${who} ${url} ${headers.flat().join(' ')}`
}

/**
 * The session of this client with this server; opened where there is none yet, once for all who ask at the same time.
 * Throws `Unjudged` where that fails.
 */
export async function sessionOf(rig: Rig, who = 'a', server: ServerName = rig.target.servers[0] ?? 'crm') {
  if (!rig.target.servers.includes(server)) {
    throw new Unjudged(`the server ${server} is not reached through this gateway`)
  }
  const key = sessionKey(rig, who, server)
  const as = (session: Session) => (session.server === server ? session : towards(session, server))
  const known = rig.memory.get(key) as Session | undefined
  if (known) return as(known)
  const opening =
    (rig.memory.get(`opening ${key}`) as ReturnType<typeof open> | undefined) ?? open(paced(rig), { who, server })
  rig.memory.set(`opening ${key}`, opening)
  const { session, answer } = await opening
  rig.memory.delete(`opening ${key}`)
  if (at(reply(answer), 'result.protocolVersion') === undefined) {
    throw new Unjudged(`no session could be opened first: ${describe(answer)}`)
  }
  return as(session)
}

/** A session that one endpoint offers for several servers, as it is used for one of them: its ids are counted on. */
const towards = (session: Session, server: ServerName): Session => ({
  ...session,
  server,
  get nextId() {
    return session.nextId
  },
  set nextId(id) {
    session.nextId = id
  },
})

/** What came of an exchange, in a few words. */
export function describe(e: Exchange): string {
  if (e.failure !== undefined) return e.failure
  const error = at(reply(e), 'error')
  const what = e.response ? `status ${e.response.status}` : 'no answer'
  return error === undefined
    ? what
    : `${what} with the error ${stringify(at(error, 'code') ?? null)} ${stringify(at(error, 'message') ?? null)}`
}

/** The text of a notification that carries the mark. */
export const notification = (method: string, params: object, mark: string): string =>
  stringify({ jsonrpc: '2.0', method, params: marked(params, mark) })

/** The text of a request that carries the mark; an id that must stand just as written is made by `raw`. */
export const requestText = (id: unknown, method: string, params: object, mark: string): string =>
  stringify({ jsonrpc: '2.0', id, method, params: marked(params, mark) })

type Params = { readonly _meta?: object }
const marked = (params: Params, mark: string) => ({ ...params, _meta: { [NONCE]: mark, ...params._meta } })

/** A value that stands in requests just as written: `raw('9007199254740993')`. Throws on what is no JSON. */
export const raw = (text: string): Json => parse(text)
