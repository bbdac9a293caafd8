import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** A body had more bytes than allowed. */
export class TooLarge extends Error {}

/**
 * The body of a request. It is kept while it passes, so that a request that failed can still be asked for its id,
 * and sent on before it is whole.
 */
export class Body {
  /** More bytes than this are refused. */
  limit = Number.POSITIVE_INFINITY
  /** Called once when there are. */
  onTooLarge?: () => void
  private readonly source: IncomingMessage | undefined
  private readonly kept: Buffer[] = []
  private size = 0
  private whole = true
  private flowing = false
  private problem: Error | undefined

  constructor(source?: IncomingMessage) {
    this.source = source
    if (source) this.whole = false
  }

  /** A body made here. */
  static of(content: string | Buffer): Body {
    const body = new Body()
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (bytes.length > 0) body.keep(bytes)
    return body
  }

  /** The whole body, where all of it has come already; else undefined. Takes what lies ready in the socket. */
  now(): Buffer | undefined {
    if (!this.whole && !this.flowing && this.source) {
      for (let bytes = this.source.read(); bytes !== null; bytes = this.source.read()) this.keep(bytes)
      this.whole = this.source.complete
    }
    if (!this.whole || this.problem) return undefined
    if (this.kept.length > 1) this.kept.splice(0, this.kept.length, Buffer.concat(this.kept))
    return this.kept[0] ?? Buffer.alloc(0)
  }

  /** The whole body, as soon as all of it has come. Rejects with TooLarge, or when the client hangs up midway. */
  async bytes(): Promise<Buffer> {
    const ready = this.now()
    if (ready) return ready
    this.flow()
    await new Promise<void>((resolve, reject) => {
      const settle = () => (this.problem ? reject(this.problem) : this.whole && resolve())
      settle()
      this.source?.on('end', settle).on('close', settle)
      this.source?.resume()
    })
    return this.bytes()
  }

  /** The whole body as text. What is no UTF-8 becomes U+FFFD. */
  async text(): Promise<string> {
    return (await this.bytes()).toString('utf8')
  }

  /** The body as a stream that asks the client for more only as fast as it is read. */
  stream(): Readable {
    const source = this.source
    const out = new Readable({ read: () => source?.resume() })
    for (const bytes of this.kept) out.push(bytes)
    if (this.whole || !source) {
      out.push(null)
      return out
    }
    source.on('data', bytes => {
      if (!out.destroyed && !this.problem && !out.push(bytes)) source.pause()
    })
    source.on('end', () => !out.destroyed && out.push(null))
    source.on('close', () => !this.whole && out.destroy(this.problem))
    this.flow()
    return out
  }

  private keep(bytes: Buffer): void {
    if (this.problem) return
    this.size += bytes.length
    if (this.size > this.limit) {
      this.problem = new TooLarge(`The body has more than ${this.limit} bytes.`)
      this.kept.length = 0
      this.onTooLarge?.()
    } else this.kept.push(bytes)
  }

  private flow(): void {
    if (this.flowing || !this.source) return
    this.flowing = true
    if (this.source.closed) this.problem ??= new Error('The client hung up before its request was whole.')
    this.source.on('data', bytes => this.keep(bytes))
    this.source.on('end', () => {
      this.whole = true
    })
    this.source.on('close', () => {
      if (!this.whole) this.problem ??= new Error('The client hung up before its request was whole.')
    })
  }
}
