import { get, getString, valid } from '../json.ts'
import { code, errorMessage, kindOf, messagesIn } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { initialize, REVISIONS } from './initialize.ts'
import { Line } from './line.ts'
import { within } from './lists.ts'
import { request } from './methods.ts'
import { tell } from './notices.ts'
import type { Session } from './session.ts'
import { Stream } from './stream.ts'

/** With more sessions than this, the one unused for longest is ended. */
const MOST_SESSIONS = 10_000

/** The aggregating endpoint: one MCP server before all backends. It keeps the sessions, and reads HTTP. */
export class Endpoint {
  private readonly sessions = new Map<string, Session>()

  /** Answers one HTTP request. */
  async serve(passage: Passage): Promise<void> {
    if (passage.method === 'POST') return this.post(passage)
    if (passage.method !== 'GET' && passage.method !== 'DELETE') {
      const message = errorMessage(undefined, code.invalid, 'Only POST, GET and DELETE are allowed here.')
      return passage.answer(405, message, [['Allow', 'POST, GET, DELETE']])
    }
    if (passage.method === 'GET' && !accepts(passage, 'text/event-stream')) {
      return refuse(passage, 406, 'The Accept header must allow text/event-stream.')
    }
    const session = this.sessionOf(passage, undefined)
    if (!session) return
    if (passage.method === 'GET') return listen(session, passage)
    this.sessions.delete(session.id)
    session.stream?.close()
    const ended = Promise.all(session.connections.map(one => one.end(passage)))
    await within(passage.gateway.settings.timeouts.gatherMs, ended, '').catch(() => {})
    passage.answer(200)
  }

  /** The client of a GET stream has hung up. */
  gone(passage: Passage): void {
    const session = this.sessions.get(passage.header('mcp-session-id') ?? '')
    if (session?.stream?.passage !== passage) return
    session.stream.stop()
    session.stream = undefined
  }

  /** Stops all that would happen later. */
  close(): void {
    for (const { stream } of this.sessions.values()) stream?.stop()
  }

  private async post(passage: Passage): Promise<void> {
    if (!accepts(passage, 'application/json') && !accepts(passage, 'text/event-stream')) {
      return refuse(passage, 406, 'The Accept header must allow application/json and text/event-stream.')
    }
    const body = decode(await passage.body.bytes())
    if (body === undefined || !valid(body)) {
      return passage.answer(400, errorMessage(undefined, code.parse, 'Parse error: the body is not JSON.'))
    }
    const batch = body.trimStart()[0] === '['
    const messages = messagesIn(body)
    if (!messages) return refuse(passage, 400, 'Invalid Request: the batch is too long.')
    const kinds = messages.map(kindOf)
    const id = batch ? undefined : goodId(body)
    if (messages.length === 0 || !messages.every(wellFormed)) {
      return refuse(passage, 400, 'Invalid Request: this is no JSON-RPC message.', id)
    }
    if (!batch && kinds[0] === 'request' && getString(body, 'method') === 'initialize') return this.begin(passage, body)
    const session = this.sessionOf(passage, id)
    if (!session) return
    if (batch && session.revision !== '2025-03-26') {
      return refuse(passage, 400, `Invalid Request: there are no batches in ${session.revision}.`)
    }
    const requests = messages.filter((_, index) => kinds[index] === 'request')
    const line = new Line(passage, requests.length, batch)
    const work = messages.map((message, index) => {
      if (kinds[index] === 'request') return request(session, passage, message, line)
      return tell(session, passage, message, kinds[index]!)
    })
    await Promise.all(work)
    if (requests.length === 0) passage.answer(202)
  }

  private async begin(passage: Passage, message: string): Promise<void> {
    const id = get(message, 'id')
    if (passage.header('mcp-session-id') !== undefined) {
      if (!this.sessionOf(passage, id)) return
      return refuse(passage, 400, 'This session is initialized already.', id)
    }
    const { session, response: text } = await initialize(passage, message)
    if (!session) return passage.answer(getString(message, 'params.protocolVersion') === undefined ? 200 : 502, text)
    const [oldest] = this.sessions.values()
    if (oldest && this.sessions.size >= MOST_SESSIONS) {
      this.sessions.delete(oldest.id)
      oldest.stream?.close()
      for (const connection of oldest.connections) void connection.end(passage)
    }
    this.sessions.set(session.id, session)
    passage.answer(200, text, [['Mcp-Session-Id', session.id]])
  }

  /** The session that a request names; where there is none, the request is answered with the reason. */
  private sessionOf(passage: Passage, id: string | undefined): Session | undefined {
    const revision = passage.header('mcp-protocol-version')
    const name = passage.header('mcp-session-id')
    const session = this.sessions.get(name ?? '')
    if (revision !== undefined && !REVISIONS.includes(revision)) {
      const said = `Unsupported MCP-Protocol-Version: ${revision}. Supported: ${REVISIONS.join(', ')}.`
      refuse(passage, 400, said, id)
      return undefined
    }
    if (name === undefined) refuse(passage, 400, 'The Mcp-Session-Id header is missing.', id)
    else if (!session) passage.answer(404, errorMessage(id, NO_SESSION, 'Session not found.'))
    else {
      // Used last: the order of the map is the order of use.
      this.sessions.delete(session.id)
      this.sessions.set(session.id, session)
    }
    return session
  }
}

/** The code that servers commonly give for an unknown session. */
const NO_SESSION = -32001

function listen(session: Session, passage: Passage): void {
  session.stream?.close()
  session.stream = undefined
  session.stream = new Stream(session, passage)
}

function refuse(passage: Passage, status: number, message: string, id?: string): void {
  passage.answer(status, errorMessage(id, code.invalid, message))
}

function accepts(passage: Passage, type: string): boolean {
  const accept = passage.header('accept')
  const [main] = type.split('/')
  if (accept === undefined) return true
  const types = accept.split(',').map(one => one.split(';')[0]?.trim().toLowerCase())
  return types.some(one => one === type || one === '*/*' || one === `${main}/*`)
}

/** A message of JSON-RPC 2.0 as MCP narrows it: ids are strings or numbers, parameters have names. */
function wellFormed(message: string): boolean {
  if (kindOf(message) === 'other' || getString(message, 'jsonrpc') !== '2.0') return false
  const method = get(message, 'method') ?? '""'
  const idFits = goodId(message) !== undefined || get(message, 'id') === undefined
  return idFits && method[0] === '"' && (get(message, 'params') ?? '{')[0] === '{'
}

/** The raw id of a message, where it is a string or a number. */
function goodId(message: string): string | undefined {
  const id = get(message, 'id')
  return id !== undefined && /^["\d-]/.test(id) ? id : undefined
}

/** The text of a body; undefined where it is no UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
