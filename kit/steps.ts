import { at, type Json, show, tryParse } from './json.ts'
import { behind, reply } from './messages.ts'
import {
  exchange,
  type HeaderOverrides,
  notification,
  type OpenOptions,
  open as openSession,
  type PostOptions,
  post,
  requestText,
  type Session,
  sessionHeaders,
  sessionOf,
  Unjudged,
} from './session.ts'
import type { Act, Exchange, Rig, ServerName, Step } from './types.ts'
import { sendRaw } from './wire.ts'

/** What every sending step can be told. */
export interface SendOptions {
  /** The name by which claims find this exchange. */
  readonly as?: string
  /** Which of several clients sends it; each has its own session. The usual one is `a`. */
  readonly who?: string
  /** The server that it is meant for; the usual one is the first that is behind the gateway. */
  readonly on?: ServerName
  /** The request id, as any JSON value; the usual one counts from 1. */
  readonly id?: unknown
  /** Header fields to set, send several times (a list) or leave out (undefined). */
  readonly headers?: HeaderOverrides
  /** Members of `params._meta`, beside the mark. */
  readonly meta?: object
  /** Members of `params` that no specification knows. */
  readonly extra?: object
  /** What the server does in place of its usual answer. */
  readonly acts?: readonly Act[]
  readonly url?: (session: Session) => string
}

interface Prepared {
  readonly session: Session
  readonly mark: string
  readonly options: PostOptions
}

const prepare = async (rig: Rig, o: SendOptions): Promise<Prepared> => {
  const session = await sessionOf(rig, o.who, o.on)
  const mark = rig.next()
  const hangUp = new AbortController()
  if (o.as !== undefined) rig.memory.set(`hang up ${o.as}`, hangUp)
  const options = {
    label: o.as,
    headers: o.headers,
    acts: o.acts,
    mark,
    abort: hangUp.signal,
    ...(o.url && { url: o.url(session) }),
  }
  return { session, mark, options }
}

/** Sends what `text` makes of the session and the mark. */
const sending = (says: string, o: SendOptions, text: (rig: Rig, p: Prepared) => string | Uint8Array): Step => ({
  says: [says, ...details(o)].join(', '),
  async run(rig) {
    const prepared = await prepare(rig, o)
    await post(rig, prepared.session, text(rig, prepared), prepared.options)
  },
})

function details(o: SendOptions): string[] {
  const headers = Object.entries(o.headers ?? {}).map(([k, v]) =>
    v === undefined ? `without the header ${k}` : `with the header ${k}: ${[v].flat().join(' and ')}`,
  )
  return [
    ...(o.on ? [`on the server ${o.on}`] : []),
    ...(o.who ? [`as client ${o.who}`] : []),
    ...(o.id !== undefined ? [`with the id ${show(stringifyable(o.id), 60)}`] : []),
    ...headers,
    ...(o.meta ? [`with ${show(stringifyable(o.meta), 80)} in _meta`] : []),
    ...(o.acts ? ['which the server answers as the check has it'] : []),
  ]
}
const stringifyable = (value: unknown) => value as Json

const paramsOf = (params: object, o: SendOptions) => ({
  ...params,
  ...o.extra,
  ...(o.meta && { _meta: o.meta }),
})

/** Any request in the session. */
export const request = (method: string, params: object = {}, o: SendOptions = {}): Step =>
  sending(`sends ${method}${Object.keys(params).length ? ` with ${show(stringifyable(params), 80)}` : ''}`, o, (_, p) =>
    requestText(o.id ?? p.session.nextId++, method, paramsOf(params, o), p.mark),
  )

/** Any notification in the session. */
export const notify = (method: string, params: object = {}, o: SendOptions = {}): Step =>
  sending(`sends the notification ${method}`, o, (_, p) => notification(method, paramsOf(params, o), p.mark))

/** `tools/call` of one of the mock servers' tools, by its own name; the gateway's name for it is looked up. */
export const call = (tool: string, args: object = {}, o: SendOptions = {}): Step =>
  sending(`calls the tool ${tool}${argsShown(args)}`, o, (rig, p) => {
    const name = rig.target.names.exposed('tool', p.session.server, tool)
    const params = paramsOf({ name, arguments: { ...args, nonce: p.mark } }, o)
    return requestText(o.id ?? p.session.nextId++, 'tools/call', params, p.mark)
  })

/** `tools/call` that asks for progress under this token. */
export const callWithProgress = (tool: string, args: object, token: unknown, o: SendOptions = {}): Step =>
  call(tool, args, { ...o, meta: { ...o.meta, progressToken: token } })

/** `resources/read` of a mock server's resource, by its own URI. */
export const read = (uri: string, o: SendOptions = {}): Step =>
  sending(`reads the resource ${uri}`, o, (rig, p) => {
    const exposed = rig.target.names.exposed('resource', p.session.server, uri)
    return requestText(o.id ?? p.session.nextId++, 'resources/read', paramsOf({ uri: exposed }, o), p.mark)
  })

/** `prompts/get` of a mock server's prompt, by its own name. */
export const prompt = (name: string, args: object = {}, o: SendOptions = {}): Step =>
  sending(`gets the prompt ${name}${argsShown(args)}`, o, (rig, p) => {
    const exposed = rig.target.names.exposed('prompt', p.session.server, name)
    const params = paramsOf({ name: exposed, arguments: { ...args, nonce: p.mark } }, o)
    return requestText(o.id ?? p.session.nextId++, 'prompts/get', params, p.mark)
  })

const argsShown = (args: object) => (Object.keys(args).length ? ` with ${show(stringifyable(args), 80)}` : '')

/** A body just as given; `{{nonce}}` in it becomes the mark, `{{tool:echo}}` the gateway's name for a tool. */
export const body = (text: string | Uint8Array, says: string, o: SendOptions = {}): Step =>
  sending(says, o, (rig, p) =>
    typeof text === 'string'
      ? text
          .replaceAll('{{nonce}}', p.mark)
          .replace(/\{\{tool:(\w+)\}\}/g, (_, tool) => rig.target.names.exposed('tool', p.session.server, tool))
      : text,
  )

export type Listed = 'tools' | 'resources' | 'resources/templates' | 'prompts'

/** Walks a whole list, page by page, by the cursors as given. Pages are labelled `as`; bounded at 50 pages. */
export const list = (what: Listed, o: SendOptions = {}): Step => ({
  says: [`lists all ${what.replace('/', ' ')}, page by page`, ...details(o)].join(', '),
  async run(rig) {
    let cursor: string | undefined
    for (let page = 0; page < 50; page++) {
      const { session, mark, options } = await prepare(rig, o)
      const params = paramsOf(cursor === undefined ? {} : { cursor }, o)
      const text = requestText(session.nextId++, `${what}/list`, params, mark)
      const answer = await post(rig, session, text, { ...options, label: o.as ?? what })
      const next = at(reply(answer), 'result.nextCursor')
      if (typeof next !== 'string') return
      cursor = next
    }
  },
})

/** Opens a session in the open: with the handshake as the thing to look at. */
export const open = (o: OpenOptions & { readonly as?: string; readonly on?: ServerName } = {}): Step => ({
  says: `opens a session${o.who ? ` as client ${o.who}` : ''}${o.on ? ` with the server ${o.on}` : ''}${o.revision ? ` asking for revision ${o.revision}` : ''}${o.acts ? ', which the server answers as the check has it' : ''}`,
  async run(rig) {
    const { as, on, ...rest } = o
    await openSession(rig, { ...rest, ...(as !== undefined && { label: as }), ...(on && { server: on }) })
  },
})

/** Ends the session with DELETE. */
export const endSession = (o: SendOptions = {}): Step => http('DELETE', 'ends the session with DELETE', {}, o)

/** GET for the stream on which a server sends of its own accord; run it within `start`. */
export const listen = (o: SendOptions = {}): Step =>
  http('GET', 'opens the stream of the session with GET', { Accept: 'text/event-stream' }, o)

/** Any HTTP method in the session, without a body. */
export const http = (method: string, says: string, headers: HeaderOverrides = {}, o: SendOptions = {}): Step => ({
  says: [says, ...details(o)].join(', '),
  async run(rig) {
    const { session, options } = await prepare(rig, o)
    const all = { ...headers, ...o.headers }
    await exchange(rig, session, method, sessionHeaders(rig, session), '', { ...options, headers: all })
  },
})

/** Raw text over a bare connection to the gateway; `{{path}}`, `{{host}}`, `{{session}}` (header lines) and `{{nonce}}` are filled in. */
export const bytes = (text: string, says: string, o: SendOptions = {}): Step => ({
  says,
  async run(rig) {
    const { session, mark } = await prepare(rig, o)
    const { host, pathname, search } = new URL(session.url)
    const lines = sessionHeaders(rig, session).map(([n, v]) => `${n}: ${v}\r\n`)
    const filled = text
      .replaceAll('{{path}}', pathname + search)
      .replaceAll('{{host}}', host)
      .replaceAll('{{session}}', lines.join(''))
      .replaceAll('{{nonce}}', mark)
    const writer = rig.recorder.open({
      side: 'client',
      transport: 'http',
      server: session.server,
      nonce: mark,
      who: session.who,
      ...(o.as !== undefined && { label: o.as }),
      request: { method: 'raw', path: pathname, headers: [], body: Buffer.from(filled) },
    })
    await sendRaw(session.url, filled, writer, { signal: rig.signal })
  },
})

/** Begins a step and goes on at once; `finish` or the end of the check waits for it. */
export const start = (step: Step): Step => ({
  says: `${step.says}, and goes on while it runs`,
  async run(rig) {
    const flights = (rig.memory.get('flights') as Promise<void>[] | undefined) ?? []
    rig.memory.set('flights', flights)
    const flight = step.run(rig)
    // The failure is kept for the one who waits.
    flight.catch(() => {})
    flights.push(flight)
  },
})

/** Waits for everything begun by `start`. */
export const finish = (): Step => ({
  says: 'waits until all of it has ended',
  async run(rig) {
    await Promise.all((rig.memory.get('flights') as Promise<void>[] | undefined) ?? [])
  },
})

/** Runs steps at the same time. */
export const together = (...steps: readonly [Step, ...Step[]]): Step => ({
  says: `at the same time ${steps.map(s => s.says).join('; and ')}`,
  async run(rig) {
    await Promise.all(steps.map(s => s.run(rig)))
  },
})

/** Runs what `make` gives for 0 … n-1, one after the other. */
export const times = (n: number, says: string, make: (i: number) => Step): Step => ({
  says: `${n} times: ${says}`,
  async run(rig) {
    for (let i = 0; i < n; i++) await make(i).run(rig)
  },
})

/** Hangs up on the exchange of that label. */
export const hangUp = (label: string): Step => ({
  says: `hangs up on "${label}"`,
  async run(rig) {
    ;(rig.memory.get(`hang up ${label}`) as AbortController | undefined)?.abort()
  },
})

const labelled = (rig: Rig, label: string): Exchange | undefined =>
  rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === label)

const BOUND_MS = 2000

/** Waits until something is seen, bounded in time; what then is missing is for the claims to say. */
const until = (says: string, ms: number, test: (rig: Rig) => boolean): Step => ({
  says: `waits until ${says}`,
  async run(rig) {
    await rig.recorder.when(() => test(rig), ms, rig.signal)
  },
})

/** Waits until the request of that label is at the server behind. */
export const untilBackend = (label: string, ms = BOUND_MS): Step =>
  until(`"${label}" has reached the server`, ms, rig => partners(rig, label).length > 0)

/** Waits until the client has seen so many events of that label. */
export const untilEvents = (label: string, events: number, ms = BOUND_MS): Step =>
  until(`${events} events of "${label}" are there`, ms, rig => (labelled(rig, label)?.events.length ?? 0) >= events)

/** Waits until the head of the answer of that label is there. */
export const untilHead = (label: string, ms = BOUND_MS): Step =>
  until(`the answer to "${label}" begins`, ms, rig => labelled(rig, label)?.response !== undefined)

/** Waits until the server saw the gateway hang up on that label. */
export const untilGone = (label: string, ms = BOUND_MS): Step =>
  until(`the server sees the connection of "${label}" close`, ms, rig =>
    partners(rig, label).some(e => e.goneAt !== undefined || e.endedAt !== undefined),
  )

/** Waits until a condition on what both sides saw holds, bounded in time. */
export const untilSeen = (
  says: string,
  test: (seen: { client: readonly Exchange[]; backend: readonly Exchange[] }) => boolean,
  ms = BOUND_MS,
): Step => until(says, ms, rig => test(rig.recorder.exchanges(rig.nonce)))

const partners = (rig: Rig, label: string): Exchange[] => {
  const { client, backend } = rig.recorder.exchanges(rig.nonce)
  return behind(
    { client, backend, target: rig.target, revision: rig.revision },
    client.findLast(e => e.label === label),
  )
}

/** Sends `notifications/cancelled` for the request of that label, by the id that it had at the client. */
export const cancel = (label: string, o: SendOptions = {}): Step => ({
  says: `cancels "${label}"`,
  async run(rig) {
    const target = labelled(rig, label)
    if (!target) throw new Unjudged(`there is no exchange "${label}" to cancel`)
    const requestId = at(tryParse(target.request.body), 'id')
    await notify('notifications/cancelled', { requestId, reason: 'the user changed their mind' }, o).run(rig)
  },
})

/** Takes a mock server down: it refuses connections. For checks that run alone. */
export const stopServer = (server?: ServerName): Step => ({
  says: `stops the server${server ? ` ${server}` : ''}`,
  run: rig => rig.servers.stop(server ?? rig.target.servers[0] ?? 'crm'),
})

/** Brings it back on the same port, its sessions lost. */
export const startServer = (server?: ServerName): Step => ({
  says: `starts the server${server ? ` ${server}` : ''} again`,
  run: rig => rig.servers.start(server ?? rig.target.servers[0] ?? 'crm'),
})

/** A step of one's own. */
export const step = (says: string, run: (rig: Rig) => Promise<void>): Step => ({ says, run })
