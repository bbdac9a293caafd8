import { at, isObject } from '../kit/json.ts'
import type { Pairs } from '../kit/types.ts'
import { STREAM } from './acts.ts'
import type { Outlet } from './call.ts'
import type { WholeReply } from './reply.ts'
import type { Request } from './rpc.ts'

/** One answer that turns into a stream where something is sent ahead of it. */
export class Answering implements Outlet {
  readonly #reply: WholeReply
  readonly #form: 'json' | 'sse' | undefined
  readonly #headers: Pairs

  constructor(reply: WholeReply, form: 'json' | 'sse' | undefined, headers: Pairs = []) {
    this.#reply = reply
    this.#form = form
    this.#headers = headers
  }

  open(): void {
    if (this.#form !== 'json') this.#reply.head(200, dated([...STREAM, ...this.#headers]))
  }

  send(message: string): void {
    if (this.#form === 'json') return
    this.open()
    this.#reply.write(Buffer.from(event(message)))
  }

  /** Ends the answer: with its messages as events, or as one JSON document. */
  finish(messages: readonly string[], document: string): void {
    if (this.#form === 'sse' || messages.length === 0) this.open()
    if (this.#reply.streaming) {
      for (const message of messages) this.#reply.write(Buffer.from(event(message)))
      this.#reply.end()
    } else this.#reply.whole(200, [...typed('application/json'), ...this.#headers], document)
  }
}

/** The headers of an answer of this type. */
export const typed = (type: string): Pairs => dated([['Content-Type', type]])
/** These headers, and the date: Node's own is switched off, for all that goes out is to be recorded. */
export const dated = (headers: Pairs): Pairs => [...headers, ['Date', new Date().toUTCString()]]

/** The answer to notifications and responses. */
export const accepted = (reply: WholeReply): void => reply.whole(202, dated([]), '')

/** A message as an event; a line break in its JSON becomes a `data:` line of its own. */
export const event = (message: string): string =>
  `event: message\ndata: ${message.replace(/\r\n?|\n/g, '\ndata: ')}\n\n`

/** The form that a request wants its answer in, where it says. */
export function formOf({ params }: Request): 'json' | 'sse' | undefined {
  const args = params['arguments']
  const as = (isObject(args) ? args['as'] : undefined) ?? at(params, ['_meta', 'mcp-conformance/as'])
  return as === 'json' || as === 'sse' ? as : undefined
}
