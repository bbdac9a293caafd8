import type { Writable } from 'node:stream'
import { SseParser } from '../kit/sse.ts'
import type { Pairs, Writer } from '../kit/types.ts'
import { isStream, type Reply } from './reply.ts'

/**
 * An answer over stdio. What acts write for HTTP becomes lines: each event with data is a message, a body that is
 * no stream is one message. There is no head to send and no connection to cut.
 */
export class StdioReply implements Reply {
  begun = false
  streaming = false
  ended = false
  /** Fires when the input has ended. */
  readonly gone: AbortSignal
  readonly #output: Writable
  readonly #writer: Writer
  readonly #body: Uint8Array[] = []
  readonly #events = new SseParser(e => {
    if (e.data !== '') this.message(e.data)
  })

  constructor(output: Writable, writer: Writer, gone: AbortSignal) {
    this.#output = output
    this.#writer = writer
    this.gone = gone
  }

  /** Sends a message as a line. Line breaks between its tokens become spaces: inside of strings there are none. */
  message(text: string): void {
    if (this.ended) return
    const line = text.replace(/[\r\n]/g, ' ')
    this.#writer.message(line)
    this.#output.write(`${line}\n`)
  }

  head(_status: number, headers: Pairs): void {
    this.begun = true
    this.streaming = isStream(headers)
  }

  write(bytes: Uint8Array): void {
    if (this.streaming) this.#events.push(bytes, 0)
    else this.#body.push(bytes)
  }

  raw(text: string): void {
    if (this.ended) return
    this.begun = true
    this.#writer.message(text)
    this.#output.write(text)
  }

  async reset(): Promise<void> {
    this.#writer.fail('the server gave no answer, as planned')
    this.ended = true
  }

  end(): void {
    if (this.ended) return
    const body = Buffer.concat(this.#body).toString('utf8')
    if (body !== '') this.message(body)
    this.ended = true
    this.#writer.end()
  }

  held(events: number): void {
    this.#writer.held(events)
  }
}
