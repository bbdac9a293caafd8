import type { SseEvent } from './types.ts'

const LF = 10
const CR = 13

/**
 * Splits a byte stream into server-sent events, as the HTML standard says: lines end with LF, CR or CRLF, a block ends
 * with an empty line, a byte order mark at the start is dropped, a block cut off by the end of the stream is no event.
 * Unlike a browser it also gives blocks without data (comments, lone ids), for a gateway may have lost them.
 */
export class SseParser {
  readonly #onEvent: (event: SseEvent) => void
  #rest: Uint8Array[] = []
  #afterCr = false
  #first = true
  #block: string[] = []

  constructor(onEvent: (event: SseEvent) => void) {
    this.#onEvent = onEvent
  }

  /** Takes the next bytes, which came at that time; a line, a UTF-8 character or a CRLF may be split anywhere between two calls. */
  push(chunk: Uint8Array, at: number): void {
    let from = this.#afterCr && chunk[0] === LF ? 1 : 0
    if (chunk.length) this.#afterCr = false
    // Each is looked for only when the last one found is passed: long lines are not searched twice.
    let lf = chunk.indexOf(LF, from)
    let cr = chunk.indexOf(CR, from)
    while (lf >= 0 || cr >= 0) {
      const end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf
      this.#line(chunk.subarray(from, end), at)
      from = end + 1
      if (end === cr && chunk[from] === LF) from++
      this.#afterCr = end === cr && from === chunk.length && chunk[from - 1] === CR
      if (lf >= 0 && lf < from) lf = chunk.indexOf(LF, from)
      if (cr >= 0 && cr < from) cr = chunk.indexOf(CR, from)
    }
    if (from < chunk.length) this.#rest.push(chunk.slice(from))
  }

  /** Whether bytes are left over that never became an event. */
  get unfinished(): boolean {
    return this.#block.length > 0 || this.#rest.length > 0
  }

  #line(tail: Uint8Array, at: number): void {
    const bytes = this.#rest.length ? Buffer.concat([...this.#rest, tail]) : tail
    this.#rest = []
    let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    if (this.#first && text.startsWith('\uFEFF')) text = text.slice(1)
    this.#first = false
    if (text !== '') {
      this.#block.push(text)
      return
    }
    if (this.#block.length) this.#onEvent(toEvent(this.#block, at))
    this.#block = []
  }
}

function toEvent(lines: readonly string[], at: number): SseEvent {
  const data: string[] = []
  const comments: string[] = []
  let event = ''
  let id: string | undefined
  let retry: string | undefined
  for (const line of lines) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (colon === 0) comments.push(value)
    else if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry') retry = value
  }
  return {
    at,
    event,
    data: data.join('\n'),
    hasData: data.length > 0,
    comments,
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry }),
  }
}
