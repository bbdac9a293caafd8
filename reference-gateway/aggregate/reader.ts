import { field, isEventStream } from '../fields.ts'
import { valid, values } from '../json.ts'
import { Blocks, dataOf } from '../sse.ts'
import type { Failure, Head, Outlet } from '../types.ts'

/** What is found in a backend's answer. */
export interface Finds {
  /** Its head, before anything else. */
  head?(status: number, stream: boolean, head: Head): void
  /** A JSON-RPC message; with the block it stood in, where the answer is a stream. */
  message(text: string, block?: string): void
  /** A block of a stream without a message: a comment, a lone id. */
  other?(block: string): void
  /** The end: a failure where it was none. */
  done(failure?: Failure): void
}

/** Reads messages out of a backend's answer, JSON or event stream. */
export function reader(finds: Finds): Outlet {
  let blocks: Blocks | undefined
  let isJson = false
  const chunks: Buffer[] = []
  return {
    head(head) {
      if (isEventStream(head.fields)) blocks = new Blocks()
      isJson = /json/i.test(field(head.fields, 'content-type') ?? 'json')
      finds.head?.(head.status, blocks !== undefined, head)
    },
    chunk(bytes) {
      if (!blocks) {
        chunks.push(bytes)
        return
      }
      for (const block of blocks.push(bytes)) {
        const text = block.toString('utf8')
        const data = dataOf(text)
        if (data && valid(data)) for (const message of messagesIn(data)) finds.message(message, text)
        else finds.other?.(text)
      }
    },
    end() {
      const text = Buffer.concat(chunks).toString('utf8')
      if (isJson && valid(text)) for (const message of messagesIn(text)) finds.message(message)
      finds.done()
    },
    fail: failure => finds.done(failure),
  }
}

function messagesIn(text: string): string[] {
  return text.trimStart()[0] === '[' ? values(text) : [text]
}
