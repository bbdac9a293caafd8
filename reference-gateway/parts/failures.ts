import { field, isEncoded, isEventStream } from '../fields.ts'
import { code, errorMessage, requestIds } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { eventOf } from '../sse.ts'
import type { Failure, Head, Outlet, Part } from '../types.ts'
import { WholeEvents } from '../whole-events.ts'

/**
 * A failed backend becomes a JSON-RPC error with the request's id: as the whole answer where none has begun, as the
 * last event of a stream that has not carried the response yet. Any other answer that broke off stays visibly broken.
 */
export const failures: Part = {
  name: 'failures',
  reply: (passage, out) => new Excuse(passage, out),
}

class Excuse implements Outlet {
  private readonly passage: Passage
  private readonly out: Outlet
  private started = false
  private events: WholeEvents | undefined

  constructor(passage: Passage, out: Outlet) {
    this.passage = passage
    this.out = out
  }

  head(head: Head): void {
    this.started = true
    const canAdd = !isEncoded(head.fields) && field(head.fields, 'content-length') === undefined
    if (this.passage.method === 'POST' && isEventStream(head.fields) && canAdd) this.events = new WholeEvents()
    this.out.head(head)
  }

  chunk(bytes: Buffer): void {
    const ready = this.events ? this.events.push(bytes) : bytes
    if (ready.length > 0) this.out.chunk(ready)
  }

  end(): void {
    const rest = this.events?.end()
    if (rest && rest.length > 0) this.out.chunk(rest)
    this.out.end()
  }

  fail(failure: Failure): void {
    this.passage.body.bytes().then(
      body => this.excuse(failure, body.toString('utf8')),
      () => this.out.fail(failure),
    )
  }

  private excuse(failure: Failure, request: string): void {
    const ids = requestIds(request)
    const excuses = ids.map(id => errorMessage(id, code.internal, failure.message))
    if (!this.started) {
      const status = failure.kind === 'silent' ? 504 : 502
      const text =
        ids.length > 1
          ? `[${excuses.join(',')}]`
          : (excuses[0] ?? errorMessage(undefined, code.internal, failure.message))
      const fields: Head['fields'] = [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(Buffer.byteLength(text))],
      ]
      this.out.head({ status, fields })
      this.out.chunk(Buffer.from(text))
      this.out.end()
    } else if (this.events && !this.events.torn && ids.length > 0) {
      const open = excuses.filter((_, index) => !this.events!.carried(ids[index]!))
      for (const excuse of open) this.out.chunk(Buffer.from(eventOf(excuse)))
      this.out.end()
    } else this.out.fail(failure)
  }
}
