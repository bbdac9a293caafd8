import { field, isEncoded, isEventStream } from '../fields.ts'
import { get, members, valid, values } from '../json.ts'
import { Blocks, dataOf } from '../sse.ts'
import type { Head } from '../types.ts'
import type { Outcome } from './record.ts'

/** So much of an answer is kept until it has ended: of one body its beginning, of a stream its end. */
const KEPT_BYTES = 64 * 1024

/** What came of one request. */
export interface Came {
  readonly outcome: Outcome
  readonly errorCode: number | null
}

const NONE: Came = { outcome: 'none', errorCode: null }
const NOT_READ: Came = { outcome: 'unread', errorCode: null }

/** Looks on while an answer passes, and keeps what is needed to say what came of the request. It holds nothing up. */
export class Watched {
  status: number | null = null
  sessionId: string | undefined
  private kind: 'json' | 'stream' | 'encoded' | 'other' = 'other'
  private chunks: Buffer[] = []
  private size = 0
  private whole = true

  head(head: Head): void {
    this.status = head.status
    this.sessionId = field(head.fields, 'mcp-session-id')
    if (isEncoded(head.fields)) this.kind = 'encoded'
    else if (isEventStream(head.fields)) this.kind = 'stream'
    else if (/json/i.test(field(head.fields, 'content-type') ?? '')) this.kind = 'json'
  }

  chunk(bytes: Buffer): void {
    if (this.kind === 'encoded' || this.kind === 'other') return
    if (this.kind === 'json' && !this.whole) return
    this.chunks.push(bytes)
    this.size += bytes.length
    while (this.size > KEPT_BYTES && this.chunks.length > 0) {
      this.whole = false
      if (this.kind === 'json') {
        this.chunks = []
        return
      }
      this.size -= this.chunks.shift()!.length
    }
  }

  /**
   * What came of the message with this raw id; undefined for a notification. Where it was alone, a response without an
   * id answers it, too. To be asked when the answer has ended.
   */
  outcome(id: string | undefined, alone: boolean): Came {
    if (this.kind === 'encoded') return id === undefined ? NONE : NOT_READ
    const responses = this.responses()
    const mine =
      responses.find(response => id !== undefined && response.get('id') === id) ??
      (alone ? responses.find(withoutId) : undefined)
    if (mine === undefined) return this.whole || id === undefined ? NONE : NOT_READ
    const error = mine.get('error')
    if (error === undefined) {
      const failed = get(mine.get('result') ?? '', 'isError') === 'true'
      return { outcome: failed ? 'tool-error' : 'result', errorCode: null }
    }
    const code = Number(get(error, 'code'))
    return { outcome: 'error', errorCode: Number.isFinite(code) ? code : null }
  }

  private read: readonly Members[] | undefined

  private responses(): readonly Members[] {
    this.read ??= this.texts().flatMap(text => {
      if (!valid(text)) return []
      return (text.trimStart()[0] === '[' ? values(text) : [text]).map(members).filter(isResponse)
    })
    this.chunks = []
    return this.read
  }

  private texts(): readonly string[] {
    const bytes = Buffer.concat(this.chunks)
    if (this.kind === 'json') return this.whole ? [bytes.toString('utf8')] : []
    const blocks = new Blocks()
    // Where the beginning is gone, the first block is the rest of one: it is no JSON, and falls out by itself.
    return blocks.push(bytes).flatMap(block => dataOf(block.toString('utf8')) ?? [])
  }
}

/** The members of a message, raw. */
type Members = ReadonlyMap<string, string>

/** Bodies of the gateway's own that are no JSON-RPC, such as `{"error":"Unauthorized"}`, are none. */
function isResponse(message: Members): boolean {
  if (message.has('method')) return false
  const error = message.get('error')
  return error === undefined ? message.has('result') : get(error, 'code') !== undefined
}

function withoutId(message: Members): boolean {
  const id = message.get('id')
  return id === undefined || id === 'null'
}
