import type { ControlConfig } from '../guards.ts'
import type { Gateway } from '../types.ts'

/** One request to the control plane. */
export interface Call {
  readonly gateway: Gateway
  readonly config: ControlConfig
  readonly method: string
  /** What stands in place of `:name` or `*name` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The first value of a request field. */
  header(name: string): string | undefined
  /** The body as JSON. Throws a Problem where it is none, or larger than 1 MiB. */
  json(): Promise<unknown>
  /** The same, as it came: with every digit of its numbers. */
  text(): Promise<string>
  /** Opens a stream of server-sent events. It ends when the client hangs up or the gateway closes. */
  stream(): EventStream
}

/** A stream of server-sent events. */
export interface EventStream {
  /** Sends one event; its data as JSON. */
  send(event: string, data: unknown): void
  /** Sends one event with this data, which has no line break. */
  sendText(event: string, data: string): void
  /** Fires when the client has hung up or the gateway closes. */
  readonly over: AbortSignal
}

/** A whole answer. */
export interface Reply {
  /** Default 200; 204 where there is no body. */
  readonly status?: number
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, in place of `json`. */
  readonly text?: string
  /** Sent as they are, in place of both. */
  readonly bytes?: Buffer
  /** Default `application/json`, or `text/plain; charset=utf-8` for text. */
  readonly type?: string
  /** They win over the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One operation of the control plane. */
export interface Endpoint {
  /** Names it for those who change it: `reset-session`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/v1/sessions/:id/reset`: each `:name` stands for one segment, a last `*name` for all that follow. */
  readonly path: string
  /** True where no token is asked for. */
  readonly open?: true
  /** Answers; without a reply it has opened a stream. A Problem that it throws is the answer. */
  run(call: Call): Reply | undefined | Promise<Reply | undefined>
}

/** A refusal, in the form of RFC 9457. */
export class Problem extends Error {
  readonly status: number
  /** The last part of `type`: `no-such-session`. */
  readonly kind: string
  readonly title: string
  readonly more: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  /** `detail` says what happened and what to do; `more` are members beside the standard ones. */
  constructor(
    status: number,
    kind: string,
    title: string,
    detail: string,
    { more = {}, headers = {} }: { more?: Problem['more']; headers?: Problem['headers'] } = {},
  ) {
    super(detail)
    this.status = status
    this.kind = kind
    this.title = title
    this.more = more
    this.headers = headers
  }

  /** The body: `application/problem+json`. `instance` is the path that was asked for. */
  body(instance: string): string {
    const { status, title, message: detail } = this
    return JSON.stringify({
      type: `urn:mcp-gateway:problem:${this.kind}`,
      title,
      status,
      detail,
      instance,
      ...this.more,
    })
  }
}
