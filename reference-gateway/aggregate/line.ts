import type { Passage } from '../passage.ts'
import { eventOf } from '../sse.ts'
import type { Fields } from '../types.ts'

/** The head fields of an event stream that the gateway opens itself. */
export const STREAM: Fields = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'no-cache'],
  ['X-Accel-Buffering', 'no'],
]

/**
 * The answer to a client's POST while it is made: one JSON body, or an event stream as soon as a backend opens one.
 * It ends when as many requests as were posted are finished.
 */
export class Line {
  private readonly passage: Passage
  private readonly batch: boolean
  private unfinished: number
  private readonly responses: string[] = []
  private streaming = false

  constructor(passage: Passage, requests: number, batch: boolean) {
    this.passage = passage
    this.unfinished = requests
    this.batch = batch
  }

  /** Makes the answer an event stream, whose head goes out at once. */
  stream(): void {
    if (this.streaming) return
    this.streaming = true
    this.passage.out.head({ status: 200, fields: [...STREAM] })
    for (const response of this.responses.splice(0)) this.block(eventOf(response))
  }

  /** Writes a block of an event stream. */
  block(block: string): void {
    this.stream()
    this.passage.out.chunk(Buffer.from(block))
  }

  /** Puts a response into the answer, in whatever form the answer has. */
  respond(response: string): void {
    if (this.streaming) this.block(eventOf(response))
    else this.responses.push(response)
  }

  /** One request is finished, with or without a response. */
  finish(): void {
    this.unfinished--
    if (this.unfinished > 0) return
    // No response at all is what a cancelled request gets: an event stream can say that, a JSON body can't.
    if (this.responses.length === 0) this.stream()
    if (this.streaming) this.passage.out.end()
    else this.passage.answer(200, this.batch ? `[${this.responses.join(',')}]` : this.responses[0])
  }
}
