import type { Pool } from 'undici'
import { field, isEventStream, pairs } from '../fields.ts'
import { get, valid } from '../json.ts'
import { Blocks, dataOf } from '../sse.ts'
import type { Fields } from '../types.ts'

/** A server that could not be asked: the message says why, as the end of "the server …". */
export class Unasked extends Error {}

/** What a server answered. */
export interface Asked {
  readonly status: number
  readonly fields: Fields
  /** The JSON-RPC message with the wanted id, raw; empty where none was wanted. */
  readonly message: string
}

const MOST_BYTES = 16 * 1024 * 1024

/** One request to a server. With an `id` it waits for the response that has it. Rejects with Unasked. */
export function ask(
  pool: Pool,
  request: {
    readonly method: 'POST' | 'DELETE'
    readonly path: string
    readonly fields: Fields
    readonly body?: string
  },
  id: string | undefined,
  signal: AbortSignal,
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    let stop = () => {}
    let over = false
    const finish = (then: () => void) => {
      if (over) return
      over = true
      signal.removeEventListener('abort', late)
      then()
      stop()
    }
    const fail = (why: string) => finish(() => reject(new Unasked(why)))
    const late = () => fail('took too long')
    if (signal.aborted) return late()
    signal.addEventListener('abort', late, { once: true })
    let answer: Answer | undefined
    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: request.fields.flat(),
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          stop = () => controller.abort(new Error('given up'))
          if (over) stop()
        },
        onResponseStart(controller, status, _parsed) {
          if (status < 200) return
          const raw = (controller.rawHeaders ?? []) as (Buffer | string)[]
          answer = new Answer(status, pairs(raw.map(one => one.toString('latin1'))), id)
        },
        onResponseData(_controller, bytes) {
          const found = answer?.take(bytes)
          if (found !== undefined) finish(() => resolve({ ...answer!, message: found }))
          else if (answer && answer.size > MOST_BYTES) fail('sent an answer without end')
        },
        onResponseEnd() {
          stop = () => {}
          const found = answer?.end()
          if (answer && found !== undefined) finish(() => resolve({ ...answer!, message: found }))
          else fail(`gave no response (status ${answer?.status})`)
        },
        onResponseError: (_controller, error) =>
          fail(
            (error as { code?: string }).code === 'ECONNREFUSED' ? 'refused the connection' : 'could not be reached',
          ),
      },
    )
  })
}

/** An answer as it comes in. */
class Answer {
  readonly status: number
  readonly fields: Fields
  size = 0
  private readonly id: string | undefined
  private readonly blocks: Blocks | undefined
  private readonly pieces: Buffer[] = []

  constructor(status: number, fields: Fields, id: string | undefined) {
    this.status = status
    this.fields = fields
    this.id = id
    this.blocks = isEventStream(fields) ? new Blocks() : undefined
  }

  /** The wanted message, as soon as it is there: a stream may stay open behind it. */
  take(bytes: Buffer): string | undefined {
    this.size += bytes.length
    if (!this.blocks) this.pieces.push(bytes)
    return this.blocks
      ?.push(bytes)
      .map(textOf)
      .find(data => this.isWanted(data))
  }

  /** The wanted message at the end; empty where none was wanted. */
  end(): string | undefined {
    if (this.id === undefined) return ''
    const text = this.blocks ? (textOf(this.blocks.end()) ?? '') : Buffer.concat(this.pieces).toString('utf8')
    return this.isWanted(text) ? text : undefined
  }

  private isWanted(text: string | undefined): text is string {
    return this.id !== undefined && text !== undefined && valid(text) && get(text, 'id') === this.id
  }
}

const textOf = (block: Buffer): string | undefined => dataOf(block.toString('utf8'))

/** The session that a server has opened with this answer. */
export const sessionIn = ({ fields }: Asked): string | undefined => field(fields, 'mcp-session-id')
