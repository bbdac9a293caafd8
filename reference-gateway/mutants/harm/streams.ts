import { field, isEventStream } from '../../fields.ts'
import type { Hop } from '../../hop.ts'
import { through } from '../../outlet.ts'
import { Blocks } from '../../sse.ts'
import type { Head } from '../../types.ts'
import type { Mutate } from '../mutant.ts'
import { addLast } from './list.ts'
import type { Match } from './match.ts'
import { holdsFor } from './match.ts'
import { lengthless, wrapAnswer, wrapReply } from './replies.ts'

/** What is done to the blocks of one event stream; made anew for each stream. */
export interface BlockEdit {
  /** What passes in place of this block (its text, with the blank line that ends it). `n` counts from 1. */
  block(block: string, n: number): readonly string[]
  /** What passes before the stream ends: blocks that were kept back. */
  end?(): readonly string[]
}

/** Edits event streams block by block on their way to the client: comments, order, number, framing. */
export const editEvents = (match: Match | undefined, make: () => BlockEdit): Mutate =>
  wrapReply(match, out => {
    const blocks = new Blocks()
    const edit = make()
    let n = 0
    let on = false
    const pass = (texts: readonly string[]) => texts.length > 0 && out.chunk(Buffer.from(texts.join('')))
    return through(out, {
      head(head) {
        on = isEventStream(head.fields)
        out.head(on ? lengthless(head) : head)
      },
      chunk(bytes) {
        if (on) pass(blocks.push(bytes).flatMap(block => edit.block(block.toString('utf8'), ++n)))
        else out.chunk(bytes)
      },
      end() {
        const rest = blocks.end()
        if (rest.length > 0) out.chunk(rest)
        pass(edit.end?.() ?? [])
        out.end()
      },
    })
  })

/** Collects the whole answer, and passes it on when it has ended. */
export const bufferWhole = (match?: Match): Mutate =>
  wrapReply(match, out => {
    const chunks: Buffer[] = []
    let held: Head | undefined
    return through(out, {
      head(head) {
        held = head
      },
      chunk(bytes) {
        chunks.push(bytes)
      },
      end() {
        if (held) out.head(held)
        for (const bytes of chunks) out.chunk(bytes)
        out.end()
      },
    })
  })

/** Holds the head back until the first byte of the body comes. */
export const holdHead = (match?: Match): Mutate =>
  wrapReply(match, out => {
    let held: Head | undefined
    const release = () => {
      if (held) out.head(held)
      held = undefined
    }
    return {
      head(head) {
        held = head
      },
      chunk(bytes) {
        release()
        out.chunk(bytes)
      },
      end() {
        release()
        out.end()
      },
      fail(failure) {
        release()
        out.fail(failure)
      },
    }
  })

/** Passes all on, and then leaves the answer open. */
export const neverEnd = (match?: Match): Mutate =>
  wrapReply(match, out => through(out, { head: head => out.head(lengthless(head)), end() {} }))

/** Passes so many bytes of the body on, and then ends the answer as if that were all. */
export const truncateAt = (bytes: number, match?: Match): Mutate =>
  wrapReply(match, out => {
    let left = bytes
    return through(out, {
      head: head => out.head(lengthless(head)),
      chunk(chunk) {
        if (left > 0) out.chunk(chunk.subarray(0, left))
        left -= chunk.length
      },
    })
  })

/** Decodes each chunk for itself, so that a character whose bytes came in two chunks is lost. */
export const decodeEachChunk = (match?: Match): Mutate =>
  wrapAnswer(match, out =>
    through(out, {
      head: head => out.head(lengthless(head)),
      chunk: bytes => out.chunk(Buffer.from(bytes.toString('utf8'))),
    }),
  )

/** Sends a request that failed once more, whatever it may have done already. */
export const retryAfterFailure = (match?: Match): Mutate =>
  addLast(() => {
    const second = new WeakSet<Hop>()
    return {
      name: 'harm',
      answer: (hop, out) =>
        through(out, {
          fail(failure) {
            if (second.has(hop) || !holdsFor(match, hop.passage)) return out.fail(failure)
            const again = hop.again()
            second.add(again)
            void hop.passage.gateway.send(again, hop.out ?? out)
          },
        }),
    }
  })

/** Follows a redirect of a backend itself; the client sees only where it led. */
export const followRedirects = (match?: Match): Mutate =>
  addLast({
    name: 'harm',
    answer(hop, out) {
      let followed = false
      return through(out, {
        head(head) {
          const to = field(head.fields, 'location')
          followed = to !== undefined && head.status >= 300 && head.status < 400 && holdsFor(match, hop.passage)
          if (!followed || to === undefined) return out.head(head)
          const next = hop.again()
          const url = new URL(to, hop.backend.origin + hop.path)
          next.path = url.pathname + url.search
          void hop.passage.gateway.send(next, hop.out ?? out)
        },
        chunk: bytes => !followed && out.chunk(bytes),
        end: () => !followed && out.end(),
      })
    },
  })
