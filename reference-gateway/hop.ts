import type { Pool } from 'undici'
import type { Body } from './body.ts'
import { field, pairs, without } from './fields.ts'
import type { Passage } from './passage.ts'
import type { Backend, Failure, Fields, Outlet } from './types.ts'

/** What the HTTP client sees to itself, or cannot send. */
const NOT_OURS = new Set(['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'])

/** One request to a backend on behalf of a passage. Parts may change all that is not readonly before it is sent. */
export class Hop {
  readonly passage: Passage
  readonly backend: Backend
  method: string
  /** Path and query at the backend. */
  path: string
  fields: Fields
  body: Body
  /** Ms until a connection must stand; 0 for no limit. */
  connectMs = 0
  /** Ms from then until the head of the answer must be there; 0 for no limit. */
  firstByteMs = 0
  /** Called where it is given up. */
  onAbort: (() => void) | undefined
  /** Where its answer is to go in the end: set when it is sent, before parts wrap it. */
  out: Outlet | undefined
  private controller: { abort(reason: Error): void } | undefined
  private timer: NodeJS.Timeout | undefined
  private over = false

  constructor(passage: Passage, backend: Backend, method: string, path: string, fields: Fields, body: Body) {
    this.passage = passage
    this.backend = backend
    this.method = method
    this.path = path
    this.fields = fields
    this.body = body
    passage.hops.add(this)
  }

  /** The same request once more, not sent yet. Wants the body to be whole. */
  again(): Hop {
    return new Hop(this.passage, this.backend, this.method, this.path, [...this.fields], this.body)
  }

  /** Gives the request up: the connection to the backend closes, and nothing more reaches the outlet. */
  abort(): void {
    if (this.over) return
    this.finish()
    this.controller?.abort(new Error('given up'))
    this.onAbort?.()
  }

  /** Forgets a request that was never sent. */
  discard(): void {
    this.finish()
  }

  /** Sends it. Parts call `gateway.send` instead, so that the other parts have their say. */
  dispatch(pool: Pool, out: Outlet): void {
    if (this.over) return
    const { passage } = this
    passage.sentAt ??= performance.now()
    const whole = this.body.now()
    const fields = without(this.fields, NOT_OURS)
    const length = field(this.fields, 'content-length')
    if (whole === undefined && length !== undefined) fields.push(['Content-Length', length])
    let connected = false
    let started = false
    const fail = (failure: Failure) => {
      if (this.over) return
      passage.heardAt = performance.now()
      this.finish()
      out.fail(failure)
    }
    this.wait(this.connectMs, () => fail({ kind: 'silent', message: this.says('takes no connection') }))
    pool.dispatch(
      {
        method: this.method,
        path: this.path,
        headers: fields.flat(),
        body: whole ? (whole.length > 0 ? whole : null) : this.body.stream(),
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart: controller => {
          this.controller = controller
          if (this.over) {
            controller.abort(new Error('given up'))
            return
          }
          connected = true
          this.wait(this.firstByteMs, () => {
            fail({ kind: 'silent', message: this.says(`sent no answer within ${this.firstByteMs} ms`) })
            controller.abort(new Error('given up'))
          })
        },
        onResponseStart: (controller, status, _parsed, reason) => {
          if (this.over || status < 200) return
          this.wait(0, () => {})
          started = true
          const raw = (controller.rawHeaders ?? []) as (Buffer | string)[]
          const head = { status, fields: pairs(raw.map(latin1)), ...(reason ? { reason } : {}) }
          out.head(head)
        },
        onResponseData: (controller, bytes) => {
          if (this.over) return
          out.chunk(bytes)
          if (passage.full) {
            controller.pause()
            passage.drained(() => controller.resume())
          }
        },
        onResponseEnd: () => {
          if (this.over) return
          passage.heardAt = performance.now()
          this.finish()
          out.end()
        },
        onResponseError: (_controller, error) => fail(this.failure(error, connected, started)),
      },
    )
  }

  private wait(ms: number, then: () => void): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (ms <= 0) return
    // On a busy machine the timer may be due while the answer waits in the socket: that is read before it counts as late.
    this.timer = setTimeout(() => {
      const due = this.timer
      setImmediate(() => {
        if (!this.over && this.timer === due) then()
      })
    }, ms)
  }

  private finish(): void {
    this.over = true
    clearTimeout(this.timer)
    this.passage.hops.delete(this)
  }

  private says(what: string): string {
    return `The server ${JSON.stringify(this.backend.name)} ${what}.`
  }

  private failure(error: Error & { code?: string }, connected: boolean, started: boolean): Failure {
    if (started) return { kind: 'cut', message: this.says('broke off in the middle of its answer') }
    if (!connected) {
      const refused = error.code === 'ECONNREFUSED'
      return { kind: 'refused', message: this.says(refused ? 'refused the connection' : 'could not be reached') }
    }
    if (error.name === 'HTTPParserError' || error.code === 'UND_ERR_HEADERS_OVERFLOW') {
      return { kind: 'garbage', message: this.says('answered with something that is not HTTP') }
    }
    return { kind: 'reset', message: this.says('closed the connection before it answered') }
  }
}

function latin1(value: Buffer | string): string {
  return typeof value === 'string' ? value : value.toString('latin1')
}
