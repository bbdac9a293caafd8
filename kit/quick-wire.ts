import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AnswerReader } from './quick-reader.ts'
import type { Pairs } from './types.ts'

/** A whole answer and when it was there, in µs after the request was handed to the system. */
export interface Answer {
  readonly us: number
  readonly status: number
  /** The status line and the fields. */
  readonly head: string
  readonly body: Buffer
  /** When each event of a stream was there. */
  readonly eventsUs: readonly number[]
}

/** One kept connection with one request at a time on it, made to be measured: nothing is parsed that is not needed. */
export interface QuickWire {
  /** Rejects where the connection breaks, or no whole answer comes within the time. A new one is opened for the next request. */
  send(request: Buffer): Promise<Answer>
  close(): void
}

export interface QuickWireOptions {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** How long an answer may take, in ms. */
  readonly timeout?: number
}

/** How long an answer may take where nothing is said, in ms. */
const PATIENCE_MS = 30_000

/** A request as it goes over the wire; the body's length is that of every request of its kind. */
export const requestBytes = (url: URL, headers: Pairs, body: string): Buffer =>
  Buffer.from(
    `POST ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${headers
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/** Opens it with the first request. */
export function openQuickWire(url: URL, options: QuickWireOptions = {}): QuickWire {
  const { timeout = PATIENCE_MS } = options
  let socket: Socket | undefined
  let settle: { resolve(answer: Answer): void; reject(cause: Error): void } | undefined
  let start = 0n
  let pieces: Buffer[] = []
  let eventsUs: number[] = []
  let isOpenEvent = false
  const sinceStart = () => Number(process.hrtime.bigint() - start) / 1000
  let reader: AnswerReader

  // An event is there with its blank line; a line that ends a piece and one that begins the next make one as well.
  function countEvents(bytes: Buffer): void {
    let at: number | undefined
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === 13) continue
      if (byte === 10 && isOpenEvent) {
        at ??= sinceStart()
        eventsUs.push(at)
        isOpenEvent = false
      } else isOpenEvent = byte === 10
    }
  }

  function done(us: number): void {
    const { status, closes, text } = reader.head!
    const answer = { us, status, head: text, body: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), eventsUs }
    if (closes) drop()
    settle?.resolve(answer)
    settle = undefined
  }

  function fail(cause: Error): void {
    drop()
    settle?.reject(cause)
    settle = undefined
  }

  function drop(): void {
    socket?.destroy()
    socket = undefined
  }

  async function open(): Promise<Socket> {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const { ca, cert, key } = options
    const isTls = url.protocol === 'https:'
    const opened: Socket = isTls
      ? connectTls({ host, port, servername: host, ...(ca && { ca }), ...(cert && { cert, key }) })
      : connect({ host, port, noDelay: true })
    opened.setNoDelay(true)
    await once(opened, isTls ? 'secureConnect' : 'connect')
    reader = new AnswerReader(bytes => {
      pieces.push(bytes)
      if (reader.head?.isStream) countEvents(bytes)
    })
    opened.on('data', bytes => {
      if (opened !== socket) return
      try {
        if (reader.push(bytes)) done(sinceStart())
      } catch (cause) {
        fail(cause as Error)
      }
    })
    opened.on('error', cause => opened === socket && fail(cause))
    opened.on('close', () => {
      if (opened !== socket) return
      socket = undefined
      if (settle && reader.ended()) done(sinceStart())
      else fail(new Error('the connection was closed before the answer was whole'))
    })
    return opened
  }

  return {
    async send(request) {
      socket ??= await open()
      const answered = new Promise<Answer>((resolve, reject) => {
        settle = { resolve, reject }
      })
      reader.next()
      pieces = []
      eventsUs = []
      isOpenEvent = false
      const late = setTimeout(() => fail(new Error(`no whole answer came within ${timeout} ms`)), timeout)
      start = process.hrtime.bigint()
      socket.write(request)
      try {
        return await answered
      } finally {
        clearTimeout(late)
      }
    },
    close() {
      drop()
    },
  }
}
