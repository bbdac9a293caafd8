import { Body } from '../body.ts'
import { field, without } from '../fields.ts'
import { Hop } from '../hop.ts'
import { get, getString, object, put } from '../json.ts'
import { kindOf } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Backend, Fields } from '../types.ts'
import { type Finds, reader } from './reader.ts'
import type { Session } from './session.ts'

/** Client fields that mean the connection to the gateway, or that the gateway sets itself. */
const REPLACED = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
])

/** What a backend said of itself in `initialize`. */
export interface Welcome {
  readonly capabilities: string
  readonly instructions: string | undefined
  readonly revision: string | undefined
  /** Undefined for a backend without sessions. */
  readonly sessionId: string | undefined
}

/** A backend that could not be asked, or gave no answer. */
export class Unanswered extends Error {}

/** What one client session has with one backend: one session there, opened when it is needed. */
export class Connection {
  readonly backend: Backend
  private readonly session: Session
  private opening: Promise<Welcome> | undefined
  private current: Welcome | undefined
  private confirmed: Promise<void> | undefined
  private lastOwnId = 0

  constructor(backend: Backend, session: Session) {
    this.backend = backend
    this.session = session
  }

  /** What the backend said of itself, while its session is open. */
  get welcome(): Welcome | undefined {
    return this.current
  }

  /** Opens the backend's session, once however many ask. Rejects with Unanswered. */
  open(passage: Passage): Promise<Welcome> {
    this.opening ??= this.initialize(passage).then(
      welcome => {
        this.session.opened(this)
        return welcome
      },
      error => {
        this.opening = undefined
        throw error
      },
    )
    return this.opening
  }

  /** Sends `notifications/initialized`, once for each session of the backend. */
  confirm(passage: Passage, message: string): Promise<void> {
    this.confirmed ??= this.tell(passage, message)
    return this.confirmed
  }

  /** Asks with an id of the gateway's own, and gives back the response. Rejects with Unanswered. */
  ask(passage: Passage, method: string, params: string | undefined, ms: number): Promise<string> {
    const id = this.ownId()
    return this.response(id, ms, async (finds, sent) => {
      await this.send(passage, request(id, method, params), finds, sent)
    })
  }

  /** An id, raw, that no other request of the gateway has at this backend. */
  private ownId(): string {
    this.lastOwnId++
    return `"g:${this.lastOwnId}"`
  }

  /**
   * Posts a message, and tells what is found in the answer. Where the backend has lost its session, opens a new one
   * and posts it there: the old one cannot have run it. Rejects with Unanswered where no session can be opened.
   */
  async send(passage: Passage, message: string, finds: Finds, sent: (hop: Hop) => void = () => {}): Promise<void> {
    const welcome = await this.open(passage)
    let stale = false
    const first: Finds = {
      head: (status, stream, head) => {
        stale = status === 404 && welcome.sessionId !== undefined
        if (!stale) finds.head?.(status, stream, head)
      },
      message: (text, block) => stale || finds.message(text, block),
      other: block => finds.other?.(block),
      done: failure => {
        if (!stale) return finds.done(failure)
        this.forget(welcome)
        this.open(passage).then(
          anew => sent(this.post(passage, message, anew, finds)),
          error => finds.done({ kind: 'reset', message: error.message }),
        )
      },
    }
    sent(this.post(passage, message, welcome, first))
  }

  /** Posts a notification or a response, and waits until the backend has taken it, or has not. */
  async tell(passage: Passage, message: string): Promise<void> {
    const welcome = this.current
    if (!welcome) return
    await new Promise<void>(resolve => this.post(passage, message, welcome, { message() {}, done: () => resolve() }))
  }

  /** Opens the backend's own stream. */
  listen(passage: Passage, lastEventId: string | undefined, finds: Finds): void {
    if (!this.current) return
    const fields = this.fields(passage, this.current)
    fields.push(['Accept', 'text/event-stream'])
    if (lastEventId !== undefined) fields.push(['Last-Event-ID', lastEventId])
    this.hop(passage, 'GET', fields, '', finds)
  }

  /** Ends the backend's session. */
  async end(passage: Passage): Promise<void> {
    const welcome = this.current
    if (!welcome?.sessionId) return
    this.forget(welcome)
    await new Promise<void>(resolve => {
      this.hop(passage, 'DELETE', this.fields(passage, welcome), '', { message() {}, done: () => resolve() })
    })
  }

  private forget(welcome: Welcome): void {
    if (this.current !== welcome) return
    this.current = undefined
    this.opening = undefined
    this.confirmed = undefined
  }

  private async initialize(passage: Passage): Promise<Welcome> {
    const params = put(this.session.params, 'protocolVersion', JSON.stringify(this.session.revision))
    const id = this.ownId()
    let sessionId: string | undefined
    const text = await this.response(id, 0, async (finds, sent) => {
      const head: Finds['head'] = (_status, _stream, { fields }) => {
        sessionId = field(fields, 'mcp-session-id')
      }
      sent(this.post(passage, request(id, 'initialize', params), undefined, { ...finds, head }))
    })
    if (get(text, 'result') === undefined) throw new Unanswered(`The server "${this.backend.name}" refuses to begin.`)
    const welcome = {
      capabilities: get(text, 'result.capabilities') ?? '{}',
      instructions: getString(text, 'result.instructions'),
      revision: getString(text, 'result.protocolVersion'),
      sessionId,
    }
    const { initialized } = this.session
    this.current = welcome
    if (initialized !== undefined) await this.confirm(passage, initialized)
    return welcome
  }

  /** The response to what `start` sends under this id, in so many ms (0: as long as it takes). */
  private response(
    id: string,
    ms: number,
    start: (finds: Finds, sent: (hop: Hop) => void) => Promise<void>,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      let hop: Hop | undefined
      const fail = (message = `The server "${this.backend.name}" gave no response.`) => {
        clearTimeout(timer)
        reject(new Unanswered(message))
      }
      const late = () => {
        fail(`The server "${this.backend.name}" sent no answer within ${ms} ms.`)
        hop?.abort()
      }
      const timer = ms > 0 ? setTimeout(late, ms) : undefined
      const finds: Finds = {
        message: text => {
          const of = get(text, 'id')
          if (kindOf(text) !== 'response' || (of !== id && of !== 'null')) return this.session.aside(this, text)
          clearTimeout(timer)
          resolve(text)
        },
        done: failure => fail(failure?.message),
      }
      start(finds, sent => {
        hop = sent
      }).catch(error => fail(error.message))
    })
  }

  private post(passage: Passage, message: string, welcome: Welcome | undefined, finds: Finds): Hop {
    const fields = this.fields(passage, welcome)
    fields.push(['Content-Type', 'application/json'], ['Accept', 'application/json, text/event-stream'])
    return this.hop(passage, 'POST', fields, message, finds)
  }

  private hop(passage: Passage, method: string, fields: Fields, message: string, finds: Finds): Hop {
    // A server that has moved is asked where it is now: it does not know the session, and gets a new one.
    const backend = passage.gateway.routes.named(this.backend.name) ?? this.backend
    const hop = new Hop(passage, backend, method, backend.path, fields, Body.of(message))
    hop.onAbort = () => finds.done({ kind: 'reset', message: 'The client has hung up.' })
    void passage.gateway.send(hop, reader(finds))
    return hop
  }

  private fields(passage: Passage, welcome: Welcome | undefined): Fields {
    const fields = without(passage.fields, REPLACED)
    // Without this field any packing would do, and messages have to be looked into here.
    fields.push(['Accept-Encoding', 'identity'])
    if (welcome?.sessionId !== undefined) fields.push(['Mcp-Session-Id', welcome.sessionId])
    if (welcome?.revision !== undefined) fields.push(['MCP-Protocol-Version', welcome.revision])
    return fields
  }
}

function request(id: string, method: string, params: string | undefined): string {
  const members: [string, string][] = [
    ['jsonrpc', '"2.0"'],
    ['id', id],
    ['method', JSON.stringify(method)],
  ]
  if (params !== undefined) members.push(['params', params])
  return object(members)
}
