/** What an answer is, once its head is there. */
export interface AnswerHead {
  readonly status: number
  readonly isStream: boolean
  /** True where the connection ends with this answer. */
  readonly closes: boolean
  /** The status line and the fields. */
  readonly text: string
}

const CRLF = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const EMPTY = Buffer.alloc(0)

/**
 * Reads HTTP/1.1 answers off one connection, one after the other, with as little work as the end of an answer needs: a length,
 * chunks, or the end of the connection. Throws on what is no HTTP.
 */
export class AnswerReader {
  head: AnswerHead | undefined
  private readonly onBody: (bytes: Buffer) => void
  private rest: Buffer = EMPTY
  private body: 'length' | 'chunks' | 'close' = 'length'
  /** Bytes of the body, or of this chunk with its CRLF, that are still to come; −1 where a chunk's size comes next. */
  private missing = 0
  private isLastChunk = false

  /** `onBody` gets the bytes of the body as they come, without the framing of chunks. */
  constructor(onBody: (bytes: Buffer) => void) {
    this.onBody = onBody
  }

  /** Makes ready for the next answer. */
  next(): void {
    this.head = undefined
    this.isLastChunk = false
  }

  /** Takes what came; true where the answer is whole now. */
  push(bytes: Buffer): boolean {
    let all = this.rest.length ? Buffer.concat([this.rest, bytes]) : bytes
    this.rest = EMPTY
    while (!this.head) {
      const end = all.indexOf(HEAD_END)
      if (end < 0) {
        this.rest = all
        return false
      }
      this.readHead(all.toString('latin1', 0, end))
      all = all.subarray(end + HEAD_END.length)
    }
    return this.body === 'chunks' ? this.chunks(all) : this.plain(all)
  }

  /** What the end of the connection means: true where the answer was whole by that. */
  ended(): boolean {
    return this.head !== undefined && this.body === 'close'
  }

  private readHead(text: string): void {
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1])
    if (!status) throw new Error(`what came is no answer in HTTP/1.1: ${JSON.stringify(text.slice(0, 60))}`)
    if (status < 200) return
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    const isChunked = /\r\ntransfer-encoding: *[^\r]*chunked/i.test(text)
    const isEmpty = status === 204 || status === 304
    this.body = isChunked ? 'chunks' : length !== undefined || isEmpty ? 'length' : 'close'
    this.missing = isChunked ? -1 : isEmpty ? 0 : Number(length ?? 0)
    this.head = {
      status,
      text,
      isStream: /\r\ncontent-type: *text\/event-stream/i.test(text),
      closes: this.body === 'close' || /\r\nconnection: *close/i.test(text) || text.startsWith('HTTP/1.0'),
    }
  }

  private plain(bytes: Buffer): boolean {
    if (bytes.length) this.onBody(bytes)
    if (this.body === 'close') return false
    this.missing -= bytes.length
    return this.missing <= 0
  }

  private chunks(all: Buffer): boolean {
    let from = 0
    while (from < all.length) {
      if (this.missing < 0) {
        const end = all.indexOf(CRLF, from)
        if (end < 0) break
        const size = Number.parseInt(all.toString('latin1', from, end), 16)
        if (Number.isNaN(size)) throw new Error('a chunk of the answer has no size')
        from = end + CRLF.length
        // Fields after the last chunk are not expected: its CRLF ends the answer.
        this.isLastChunk = size === 0
        this.missing = size + CRLF.length
      }
      const taken = Math.min(this.missing, all.length - from)
      const data = Math.min(taken, Math.max(0, this.missing - CRLF.length))
      if (data > 0) this.onBody(all.subarray(from, from + data))
      from += taken
      this.missing -= taken
      if (this.missing > 0) return false
      this.missing = -1
      if (this.isLastChunk) return true
    }
    this.rest = all.subarray(from)
    return false
  }
}
