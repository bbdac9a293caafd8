import type { ServerResponse } from 'node:http'
import type { Pairs, Writer } from '../kit/types.ts'

/** What a server answers through. All of it is recorded before it is on its way. */
export interface Reply {
  /** Sends the status line and the headers at once. */
  head(status: number, headers: Pairs): void
  write(bytes: Uint8Array): void
  /** Writes past the protocol, straight to the wire. */
  raw(text: string): void
  /** Cuts the connection once all that was written has left. */
  reset(): Promise<void>
  end(): void
  /** The peer did not see what was to come before this gate. */
  held(events: number): void
  /** Whether the head has been sent. */
  readonly begun: boolean
  /** Whether that head announced a stream of events. */
  readonly streaming: boolean
  readonly ended: boolean
  /** Fires when the peer hangs up before the end. */
  readonly gone: AbortSignal
}

/** Sends a whole answer: head and body in one go. */
export interface WholeReply extends Reply {
  whole(status: number, headers: Pairs, body: string): void
}

/** An answer over HTTP. Nothing is added to the headers but what HTTP needs to frame the body. */
export class HttpReply implements WholeReply {
  begun = false
  streaming = false
  ended = false
  readonly #res: ServerResponse
  readonly #writer: Writer
  readonly #onHead: (headers: Pairs) => void
  readonly #gone = new AbortController()
  /** Something was written past HTTP, so HTTP can't end it any more. */
  #past = false

  constructor(res: ServerResponse, writer: Writer, onHead: (headers: Pairs) => void) {
    this.#res = res
    this.#writer = writer
    this.#onHead = onHead
    res.sendDate = false
    res.on('close', () => {
      if (this.ended) return
      this.ended = true
      writer.gone()
      this.#gone.abort()
    })
  }

  get gone(): AbortSignal {
    return this.#gone.signal
  }

  head(status: number, headers: Pairs): void {
    if (this.ended || this.begun) return
    this.#start(status, headers)
    this.#res.flushHeaders()
  }

  whole(status: number, headers: Pairs, body: string): void {
    if (this.ended) return
    const bytes = Buffer.from(body)
    if (!this.begun) this.#start(status, [...headers, ['Content-Length', String(bytes.length)]])
    if (bytes.length > 0) this.#writer.chunk(bytes)
    this.ended = true
    this.#writer.end()
    this.#res.end(bytes)
  }

  write(bytes: Uint8Array): void {
    if (this.ended || bytes.length === 0) return
    this.#writer.chunk(bytes)
    if (this.#past) this.#res.socket?.write(bytes)
    else this.#res.write(bytes)
  }

  raw(text: string): void {
    if (this.ended) return
    let body = text
    if (!this.begun) {
      const { status, headers, rest } = headIn(text)
      this.begun = true
      this.#writer.head(status, headers)
      body = rest
    }
    this.#past = true
    if (body !== '') this.#writer.chunk(Buffer.from(body))
    this.#res.socket?.write(text)
  }

  async reset(): Promise<void> {
    const { socket } = this.#res
    if (this.ended || !socket) return
    await new Promise<void>(resolve => {
      socket.once('close', () => resolve())
      socket.write('', () => resolve())
    })
    if (this.ended) return
    this.ended = true
    this.#writer.fail('the server reset the connection, as planned')
    socket.resetAndDestroy()
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    this.#writer.end()
    if (this.#past) this.#res.socket?.end()
    else this.#res.end()
  }

  held(events: number): void {
    this.#writer.held(events)
  }

  #start(status: number, headers: Pairs): void {
    this.begun = true
    this.streaming = isStream(headers)
    this.#onHead(headers)
    this.#writer.head(status, headers)
    this.#res.writeHead(status, headers.flat())
  }
}

/** What a head that was written by hand says. */
function headIn(text: string): { status: number; headers: Pairs; rest: string } {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...fields] = text.slice(0, end < 0 ? text.length : end).split('\r\n')
  const headers = fields.map(field => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()] as const
  })
  return { status: Number(line.split(' ')[1]) || 0, headers, rest: end < 0 ? '' : text.slice(end + 4) }
}

/** Whether these headers announce a stream of events. */
export const isStream = (headers: Pairs): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /^text\/event-stream\b/i.test(value))
