import type { IncomingMessage, ServerResponse } from 'node:http'
import { Body } from './body.ts'
import { field, pairs } from './fields.ts'
import type { Hop } from './hop.ts'
import { refusalBody } from './problem.ts'
import type { Backend, Failure, Fields, Gateway, Head, Identity, Mode, Outlet, Refusal } from './types.ts'

const MOST_FOR_AN_ID = 1024 * 1024

/** One request of a client on its way through the gateway, and the way back to that client. */
export class Passage {
  readonly gateway: Gateway
  readonly method: string
  /** The path of the request line, without the query. */
  readonly path: string
  /** The query with its `?`; empty where there is none. */
  readonly query: string
  /** The header fields as they came. Parts may change them: what is there at the end is forwarded. */
  fields: Fields
  /** The body. Parts may put another one in its place: `passage.body = Body.of(text)`. */
  body: Body
  /** Set by the router. */
  mode?: Mode
  /** Set by the router where one backend answers the whole request. */
  backend?: Backend
  /** The address of the client; the IPv4 form of a mapped one. */
  readonly address: string
  /** Set by the part that verifies tokens. */
  identity?: Identity
  /** When its head was there, by `performance.now()`. */
  readonly startedAt = performance.now()
  /** When the first request was sent to a server for it, and when the last answer of one had ended, likewise. */
  sentAt?: number
  heardAt?: number
  /** The part that sees to the answer. */
  servedBy?: string
  /** True from when the client has hung up. */
  gone = false
  /** What is under way to backends for this passage. */
  readonly hops = new Set<Hop>()
  private readonly response: ServerResponse
  private way: Outlet | undefined

  constructor(gateway: Gateway, request: IncomingMessage, response: ServerResponse) {
    const url = (request.url ?? '').replace(/^https?:\/\/[^/]*/i, '')
    const mark = url.indexOf('?')
    this.gateway = gateway
    this.method = request.method ?? ''
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.query = mark === -1 ? '' : url.slice(mark)
    this.address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    this.fields = pairs(request.rawHeaders)
    this.body = new Body(request)
    this.response = response
    response.on('error', () => {})
    response.once('close', () => {
      if (response.writableFinished) return
      this.gone = true
      for (const part of gateway.parts) part.gone?.(this)
    })
  }

  /** The first value of a request field. */
  header(name: string): string | undefined {
    return field(this.fields, name)
  }

  /** The way back to the client, through the `reply` hooks of all parts. */
  get out(): Outlet {
    if (!this.way) {
      let way: Outlet = socketOutlet(this.response)
      for (const part of this.gateway.parts) if (part.reply) way = part.reply(this, way)
      this.way = way
    }
    return this.way
  }

  /**
   * Ms of the gateway's own until now: before the first request to a server, and after the last answer of one. What
   * passes meanwhile is the servers' time. Undefined where nothing was sent to a server.
   */
  addedMs(now = performance.now()): number | undefined {
    if (this.sentAt === undefined) return undefined
    return this.sentAt - this.startedAt + (this.heardAt === undefined ? 0 : now - this.heardAt)
  }

  /** True from when the head of an answer has been sent. */
  get started(): boolean {
    return this.response.headersSent
  }

  /** Answers the client with a whole answer of the gateway's own: JSON, unless a content type is given. */
  answer(status: number, body = '', fields: Fields = []): void {
    const all: Fields = [...fields]
    if (body && field(fields, 'content-type') === undefined) all.push(['Content-Type', 'application/json'])
    all.push(['Content-Length', String(Buffer.byteLength(body))])
    this.out.head({ status, fields: all })
    if (body) this.out.chunk(Buffer.from(body))
    this.out.end()
  }

  /**
   * Refuses the request, in the form that the configuration says. The form `jsonrpc` wants the request's id, and so
   * waits for the body to be whole.
   */
  async refuse(refusal: Refusal): Promise<void> {
    const { status, seed, fields = [] } = refusal
    if (this.gateway.settings.errors === 'seed') return this.answer(status, JSON.stringify(seed), [...fields])
    // Who is refused is not trusted with more memory than a request with an id needs.
    this.body.limit = Math.min(this.body.limit, MOST_FOR_AN_ID)
    const body = await this.body.text().catch(() => '')
    this.answer(status, refusalBody(refusal, body), [...fields])
  }

  /** Gives up all that is under way to backends for this passage. */
  abort(): void {
    for (const hop of this.hops) hop.abort()
  }

  /** True while the client takes no more: who writes on anyway fills the memory. */
  get full(): boolean {
    return !this.gone && this.response.writableNeedDrain
  }

  /** Calls back once, when the client takes more again or has hung up. */
  drained(then: () => void): void {
    const once = () => {
      this.response.off('drain', once).off('close', once)
      then()
    }
    this.response.on('drain', once).on('close', once)
  }
}

/** Where all ways back to the client end: the socket. */
function socketOutlet(response: ServerResponse): Outlet {
  let written = false
  return {
    head(head: Head) {
      if (response.headersSent) return
      const flat = head.fields.flat()
      if (head.reason !== undefined && /^[\t\x20-\x7e]+$/.test(head.reason)) {
        response.writeHead(head.status, head.reason, flat)
      } else response.writeHead(head.status, flat)
      // Node keeps a head until there is a body to go with it, and a stream may have none for hours.
      setImmediate(() => !written && response.flushHeaders())
    },
    chunk(bytes: Buffer) {
      written = true
      if (!response.writableEnded && !response.destroyed) response.write(bytes)
    },
    end() {
      written = true
      response.end()
    },
    // Without its proper end, the client can see that something is missing.
    fail(_failure: Failure) {
      response.destroy()
    },
  }
}
