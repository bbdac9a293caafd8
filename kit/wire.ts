import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Pairs, Way, Writer } from './types.ts'

/** One request, just as it goes out. */
export interface Outgoing {
  readonly url: string
  readonly method: string
  /** Sent in this order, case and number. `Host`, and `Content-Length` for a body, are added where absent. */
  readonly headers: Pairs
  readonly body: Uint8Array
}

/** Who is told what comes back. */
export type Listener = Pick<Writer, 'head' | 'chunk' | 'end' | 'fail'>

export interface WireOptions extends Way {
  readonly signal: AbortSignal
  /** The reason to record when the signal fires; the default says that time was up. */
  readonly aborted?: () => string
  /** Stops reading beyond this many bytes of an answer. */
  readonly maxBytes?: number
  /** Reads nothing of the body until this has resolved, so that the peer meets a full socket. */
  readonly readsFrom?: Promise<unknown> | undefined
}

/** Four times the largest answer that a check asks for. */
const MAX_BYTES = 8 * 1024 * 1024

/** Header fields in wire order from Node's flat list. */
export const pairs = (raw: readonly string[]): Pairs =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const)

/** The value of a field, looked up without regard to case; several are joined with `, `. */
export function field(headers: Pairs, name: string): string | undefined {
  const found = headers.filter(([n]) => n.toLowerCase() === name.toLowerCase()).map(([, v]) => v)
  return found.length ? found.join(', ') : undefined
}

/**
 * Sends bytes as given over a connection of its own and writes down what comes back. It negotiates, repairs and retries
 * nothing, follows no redirect, and never throws for what a gateway does: that goes to the writer.
 */
export function send(out: Outgoing, writer: Listener, options: WireOptions): Promise<void> {
  const { signal, maxBytes = MAX_BYTES, tls, localAddress } = options
  return new Promise(resolve => {
    let request: ClientRequest | undefined
    let done = false
    const finish = (failure?: string) => {
      if (done) return
      done = true
      signal.removeEventListener('abort', stop)
      if (failure !== undefined) writer.fail(failure)
      // A connection that is not used again is closed, so that no later request can meet its end.
      request?.destroy()
      resolve()
    }
    const stop = () => finish(options.aborted?.() ?? 'no whole answer in time')
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)

    const url = new URL(out.url)
    const headers = [...out.headers]
    if (field(headers, 'host') === undefined) headers.unshift(['Host', url.host])
    if (field(headers, 'connection') === undefined) headers.push(['Connection', 'keep-alive'])
    const framed = field(headers, 'content-length') ?? field(headers, 'transfer-encoding')
    if (out.body.length && framed === undefined) headers.push(['Content-Length', String(out.body.length)])
    try {
      const start = url.protocol === 'https:' ? httpsRequest : httpRequest
      const way = { ...tls, ...(localAddress !== undefined && { localAddress }) }
      request = start(url, { method: out.method, headers: headers.flat() as unknown as string[], agent: false, ...way })
    } catch (error) {
      return finish(`the request can't be sent: ${(error as Error).message}`)
    }
    request.on('error', error => finish(explain(error)))
    request.on('response', res => {
      writer.head(res.statusCode!, pairs(res.rawHeaders))
      const read = readBody(res, writer, maxBytes, options.readsFrom)
      read.then(finish)
    })
    request.end(out.body)
  })
}

/** Resolves at the end of the body, with the reason where it did not end well. */
function readBody(
  res: IncomingMessage,
  writer: Listener,
  maxBytes: number,
  from: Promise<unknown> | undefined,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const { stream, encoding } = decoded(res)
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) return resolve(`the answer goes on beyond ${maxBytes} bytes; stopped reading`)
      writer.chunk(chunk)
    }
    if (from) from.then(() => stream.on('data', take))
    else stream.on('data', take)
    stream.on('end', () => {
      if (!res.complete) return resolve('the connection broke off before the end of the answer')
      writer.end()
      resolve(undefined)
    })
    stream.on('error', error =>
      resolve(
        encoding && error !== cut
          ? `the body says ${encoding}, but does not decompress: ${error.message}`
          : explain(error),
      ),
    )
    // A broken connection ends a response with an error; where it is being decompressed, that must reach the decompressor.
    let cut: Error | undefined
    if (stream !== res) {
      res.on('error', error => {
        cut = error
        stream.destroy(error)
      })
    }
    res.on('close', () => {
      if (!res.complete) resolve('the connection broke off before the end of the answer')
    })
  })
}

function decoded(res: IncomingMessage): { stream: Readable; encoding?: string } {
  const encoding = (res.headers['content-encoding'] ?? '').toLowerCase()
  if (encoding === 'gzip' || encoding === 'x-gzip') return { stream: res.pipe(createGunzip()), encoding }
  if (encoding === 'deflate') return { stream: res.pipe(createInflate()), encoding }
  if (encoding === 'br') return { stream: res.pipe(createBrotliDecompress()), encoding }
  return { stream: res }
}

/** What came of it where this machine can't call from the wanted address. */
export const NO_ADDRESS = 'this machine does not have the address to call from'

/** What an error of a socket means, in words. */
export function explain(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection broke off before the end of the answer'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name is not known'
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'the host does not answer'
  if (code === 'EADDRNOTAVAIL') return NO_ADDRESS
  if (code.startsWith('HPE_')) return `the answer is not valid HTTP: ${error.message.replace(/^Parse Error: /, '')}`
  if (code === 'EPROTO') return `TLS failed: ${(error as { reason?: string }).reason ?? 'the peer does not speak it'}`
  if (/CERT|TLS|SSL|SIGNED/.test(code)) return `TLS failed: ${error.message}`
  return error.message || code || 'the connection failed'
}

/**
 * Sends raw text over a bare connection, for requests that are no valid HTTP, and writes down the first answer's status
 * and headers as far as they can be read, and all that follows as its body. With `untilClose` it reads on beyond the
 * first answer until the other side closes: what was asked after it is answered in the same "body".
 */
export function sendRaw(
  address: string,
  text: string,
  writer: Listener,
  { signal, untilClose = false }: Pick<WireOptions, 'signal'> & { readonly untilClose?: boolean },
): Promise<void> {
  return new Promise(resolve => {
    const url = new URL(address)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = url.protocol === 'https:' ? tlsConnect({ host, port, servername: host }) : connect({ host, port })
    let seen = Buffer.alloc(0)
    let headSeen = false
    let missing = Number.POSITIVE_INFINITY
    const finish = (failure?: string) => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      if (failure !== undefined) writer.fail(failure)
      resolve()
    }
    const stop = () => finish('no whole answer in time')
    signal.addEventListener('abort', stop)
    socket.on('error', error => finish(explain(error)))
    const body = (bytes: Buffer) => {
      if (bytes.length) writer.chunk(bytes)
      missing -= bytes.length
      if (missing > 0) return
      writer.end()
      finish()
    }
    socket.on('data', chunk => {
      if (headSeen) return body(chunk)
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n')
      if (end < 0) return
      headSeen = true
      const [first = '', ...lines] = seen.subarray(0, end).toString('latin1').split('\r\n')
      const headers = lines.map(l => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 1).trim()] as const)
      writer.head(Number(first.split(' ')[1]) || 0, headers)
      if (!untilClose) missing = Number(field(headers, 'content-length') ?? Number.POSITIVE_INFINITY)
      body(seen.subarray(end + 4))
    })
    socket.on('close', () => {
      if (headSeen) writer.end()
      finish(headSeen ? undefined : 'the connection was closed without an answer')
    })
    socket.write(text)
  })
}
