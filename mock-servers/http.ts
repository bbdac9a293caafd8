import { randomUUID } from 'node:crypto'
import { type Json, parse } from '../kit/json.ts'
import type { Pairs } from '../kit/types.ts'
import { STREAM } from './acts.ts'
import { Answering, accepted, dated, event, formOf, typed } from './answering.ts'
import type { McpServer } from './mcp.ts'
import type { WholeReply } from './reply.ts'
import { rolesIn } from './roles.ts'
import { classify, errorText, Fault, INVALID_REQUEST, type Incoming, PARSE_ERROR, type Request } from './rpc.ts'
import { LATEST, newSession, REVISIONS, type Session } from './session.ts'
import { rawAt } from './slice.ts'
import type { HttpRequest } from './tap.ts'

const SESSIONS_KEPT = 5000
const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Ids that clients of the SyncSeries platform make up for themselves: `rate-session-175525`. No server issues such. */
const OF_THE_DIALECT = /^[a-z]+-session-[\w-]+$/

/** Why a request is refused: a status, and a JSON-RPC error without an id. */
class Refusal extends Error {
  readonly status: number
  readonly fault: Fault
  readonly id: string
  readonly headers: Pairs
  constructor(status: number, code: number, message: string, { id = 'null', headers = [] as Pairs } = {}) {
    super(message)
    this.status = status
    this.fault = new Fault(code, message)
    this.id = id
    this.headers = headers
  }
}

/** Streamable HTTP in front of a server: 2025-03-26 to 2025-11-25, to the letter. */
export class HttpEndpoint {
  readonly #server: McpServer
  readonly #stateless: boolean
  readonly #sessions = new Map<string, Session>()
  readonly #streams = new Map<Session, Set<WholeReply>>()

  constructor(server: McpServer, { stateless = false }: { readonly stateless?: boolean } = {}) {
    this.#server = server
    this.#stateless = stateless
  }

  async answer(request: HttpRequest, reply: WholeReply): Promise<void> {
    try {
      if (request.path.split('?')[0] !== '/mcp')
        return reply.whole(404, typed('text/plain'), 'Not found: the endpoint is /mcp\n')
      const origin = request.field('origin')
      if (origin !== undefined && !LOOPBACK.test(origin))
        throw new Refusal(403, INVALID_REQUEST, `Forbidden origin: ${origin}`)
      checkVersion(request)
      switch (request.method) {
        case 'POST':
          return await this.#post(request, reply)
        case 'GET':
          return this.#get(request, reply)
        case 'DELETE':
          return this.#delete(request, reply)
        default:
          throw notAllowed(this.#stateless)
      }
    } catch (e) {
      if (!(e instanceof Refusal)) throw e
      reply.whole(e.status, [...typed('application/json'), ...e.headers], errorText(e.id, e.fault))
    }
  }

  async #post(request: HttpRequest, reply: WholeReply): Promise<void> {
    const accept = request.field('accept') ?? ''
    if (!lists(accept, 'application/json') || !lists(accept, 'text/event-stream')) {
      throw new Refusal(406, INVALID_REQUEST, 'Not acceptable: Accept lists application/json and text/event-stream')
    }
    if (!lists(request.field('content-type') ?? '', 'application/json')) {
      throw new Refusal(415, INVALID_REQUEST, 'Unsupported media type: Content-Type is application/json')
    }
    const { value, text } = json(request.body)
    if (Array.isArray(value)) return this.#batch(value, text, request, reply)
    const message = classify(value, text)
    if (message.kind === 'invalid') throw new Refusal(400, INVALID_REQUEST, `Invalid request: ${message.why}`, message)
    if (message.kind === 'request' && message.method === 'initialize') return this.#initialize(message, reply)
    const session = this.#session(request)
    if (message.kind !== 'request') {
      if (message.kind === 'notification') this.#server.heed(message.method, message.params, session)
      return accepted(reply)
    }
    const answering = new Answering(reply, formOf(message))
    const answer = await this.#server.answer(message, {
      session,
      outlet: answering,
      roles: rolesIn(request.field('authorization')),
    })
    answering.finish(answer === undefined ? [] : [answer], answer ?? '')
  }

  async #batch(values: readonly Json[], text: string, request: HttpRequest, reply: WholeReply): Promise<void> {
    const session = this.#session(request)
    if (session.version !== '2025-03-26')
      throw new Refusal(400, INVALID_REQUEST, `Invalid request: ${session.version} has no batches`)
    if (values.length === 0) throw new Refusal(400, INVALID_REQUEST, 'Invalid request: the batch is empty')
    const messages = values.map((value, i) => classify(value, rawAt(text, [i]) ?? ''))
    if (messages.some(m => m.kind === 'request' && m.method === 'initialize')) {
      throw new Refusal(400, INVALID_REQUEST, 'Invalid request: initialize is never part of a batch')
    }
    const roles = rolesIn(request.field('authorization'))
    const answering = new Answering(reply, undefined)
    const one = async (message: Incoming): Promise<string | undefined> => {
      if (message.kind === 'request') return this.#server.answer(message, { session, outlet: answering, roles })
      if (message.kind === 'notification') this.#server.heed(message.method, message.params, session)
      if (message.kind !== 'invalid') return undefined
      return errorText(message.id, new Fault(INVALID_REQUEST, `Invalid request: ${message.why}`))
    }
    const answers = (await Promise.all(messages.map(one))).filter(answer => answer !== undefined)
    if (!messages.some(m => m.kind === 'request' || m.kind === 'invalid')) return accepted(reply)
    answering.finish(answers, `[${answers.join(',')}]`)
  }

  #initialize(message: Request, reply: WholeReply): void {
    const { session, text } = this.#server.initialize(message, this.#stateless ? undefined : randomUUID())
    const issued: Pairs = session?.id === undefined ? [] : [['Mcp-Session-Id', session.id]]
    if (session) this.#keep(session)
    new Answering(reply, formOf(message), issued).finish([text], text)
  }

  #get(request: HttpRequest, reply: WholeReply): void {
    if (this.#stateless) throw notAllowed(true)
    if (!lists(request.field('accept') ?? '', 'text/event-stream')) {
      throw new Refusal(406, INVALID_REQUEST, 'Not acceptable: Accept lists text/event-stream')
    }
    const session = this.#session(request)
    reply.head(200, dated(STREAM))
    const send = (message: string) => reply.write(Buffer.from(event(message)))
    const streams = this.#streams.get(session) ?? new Set()
    this.#streams.set(session, streams.add(reply))
    session.outlets.add(send)
    reply.gone.addEventListener('abort', () => {
      session.outlets.delete(send)
      streams.delete(reply)
    })
  }

  #delete(request: HttpRequest, reply: WholeReply): void {
    if (this.#stateless) throw notAllowed(true)
    const session = this.#session(request)
    this.#sessions.delete(session.id ?? '')
    for (const { stop } of session.running) stop.abort()
    for (const stream of this.#streams.get(session) ?? []) stream.end()
    this.#streams.delete(session)
    reply.whole(200, dated([]), '')
  }

  #keep(session: Session): Session {
    if (session.id === undefined) return session
    this.#sessions.set(session.id, session)
    if (this.#sessions.size > SESSIONS_KEPT) this.#sessions.delete(this.#sessions.keys().next().value!)
    return session
  }

  /** The session of a request; in a stateless server a new one each time. */
  #session(request: HttpRequest): Session {
    const named = request.field('mcp-protocol-version')
    if (this.#stateless) return newSession(undefined, REVISIONS.find(r => r === named) ?? '2025-03-26')
    const id = request.field('mcp-session-id')
    if (id === undefined) throw new Refusal(400, INVALID_REQUEST, 'Bad request: Mcp-Session-Id is missing')
    const session = this.#sessions.get(id) ?? (OF_THE_DIALECT.test(id) ? this.#keep(newSession(id, LATEST)) : undefined)
    if (!session) throw new Refusal(404, -32001, 'Session not found: initialize again')
    return session
  }
}

const notAllowed = (stateless: boolean): Refusal =>
  new Refusal(405, INVALID_REQUEST, 'Method not allowed', {
    headers: [['Allow', stateless ? 'POST' : 'GET, POST, DELETE']],
  })

/** Whether a header lists this media type, by its own name. */
const lists = (header: string, type: string): boolean =>
  header.split(',').some(item => item.split(';')[0]?.trim().toLowerCase() === type)

function checkVersion(request: HttpRequest): void {
  const version = request.field('mcp-protocol-version')
  if (version === undefined || REVISIONS.some(r => r === version)) return
  throw new Refusal(
    400,
    INVALID_REQUEST,
    `Bad request: MCP-Protocol-Version "${version}" is not one of ${REVISIONS.join(', ')}`,
  )
}

function json(body: Buffer): { value: Json; text: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return { value: parse(text), text }
  } catch (e) {
    throw new Refusal(400, PARSE_ERROR, `Parse error: ${e instanceof Error ? e.message : String(e)}`)
  }
}
