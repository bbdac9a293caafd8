import { field, isEncoded, isEventStream } from '../../fields.ts'
import type { Hop } from '../../hop.ts'
import { valid, values } from '../../json.ts'
import { through } from '../../outlet.ts'
import type { Passage } from '../../passage.ts'
import { Blocks, dataOf, withData } from '../../sse.ts'
import type { Fields, Head, Outlet } from '../../types.ts'
import type { Mutate } from '../mutant.ts'
import { addFirst, addLast } from './list.ts'
import { forMessage, holdsFor, type Match } from './match.ts'
import { changeField, type FieldChange } from './requests.ts'

/** What an edit may know of the message. */
export interface About {
  readonly passage: Passage
  /** In `editAnswer`, the name of the backend that it came from; else empty. */
  readonly backend: string
  /** The how-manieth message of this reply it is, from 1. */
  readonly n: number
}

/** Makes of one message another, several, or none: an empty list. */
export type EditReply = (message: string, about: About) => string | readonly string[]

/** Edits each message on its way to the client, after all parts have: a JSON body, or the data of an event. */
export const editReply = (match: Match, edit: EditReply): Mutate =>
  addFirst({ name: 'harm', reply: (passage, out) => editor(passage, '', out, match, edit) })

/** Edits each message as a backend sent it, before any part has seen it. In `path` and `header` mode as `editReply`. */
export const editAnswer = (match: Match, edit: EditReply): Mutate =>
  addLast({ name: 'harm', answer: (hop, out) => editor(hop.passage, hop.backend.name, out, match, edit) })

/** Changes a header field of what the client gets. */
export const replyField = (name: string, change: FieldChange, match?: Match): Mutate =>
  editHead(match, head => ({ ...head, fields: changeField(head.fields, name, change) }))

/** Changes the status that the client gets. */
export const replyStatus = (change: (status: number) => number, match?: Match): Mutate =>
  editHead(match, head => ({ status: change(head.status), fields: head.fields }))

/** Changes the head that the client gets. */
export const editHead = (match: Match | undefined, change: (head: Head, passage: Passage) => Head): Mutate =>
  wrapReply(match, (out, passage) => through(out, { head: head => out.head(change(head, passage)) }))

/** Wraps the way to the client, where the condition holds by the time the head comes. The last word. */
export const wrapReply = (match: Match | undefined, wrap: (out: Outlet, passage: Passage) => Outlet): Mutate =>
  addFirst({
    name: 'harm',
    reply: (passage, out) => lazily(out, () => (holdsFor(match, passage) ? wrap(out, passage) : out)),
  })

/** Wraps the way back from a backend, where the condition holds: sees the chunks as they came off the wire. */
export const wrapAnswer = (match: Match | undefined, wrap: (out: Outlet, hop: Hop) => Outlet): Mutate =>
  addLast({
    name: 'harm',
    answer: (hop, out) => lazily(out, () => (holdsFor(match, hop.passage) ? wrap(out, hop) : out)),
  })

/** The head without its `Content-Length`: for a body that will have another one. */
export function lengthless(head: Head): Head {
  return { ...head, fields: changeField(head.fields, 'content-length', undefined) }
}

/** Decides only when the first thing comes: until then the client's body may not be whole. */
function lazily(out: Outlet, choose: () => Outlet): Outlet {
  let chosen: Outlet | undefined
  const way = () => {
    chosen ??= choose()
    return chosen
  }
  return {
    head: head => way().head(head),
    chunk: bytes => way().chunk(bytes),
    end: () => way().end(),
    fail: failure => (chosen ?? out).fail(failure),
  }
}

function editor(passage: Passage, backend: string, out: Outlet, match: Match, edit: EditReply): Outlet {
  const { message, when } = forMessage(match)
  let n = 0
  const one = (raw: string): readonly string[] => {
    n++
    return raw.search(message) === -1 ? [raw] : [edit(raw, { passage, backend, n })].flat()
  }
  let asEvents: Outlet | undefined
  return lazily(out, () => {
    if (!holdsFor(when, passage)) return out
    return through(out, {
      head(head) {
        if (isEncoded(head.fields)) return out.head(head)
        if (isEventStream(head.fields)) asEvents = eventEditor(out, one)
        else if (/json/i.test(field(head.fields, 'content-type') ?? '')) asEvents = bodyEditor(out, one)
        return (asEvents ?? out).head(head)
      },
      chunk: bytes => (asEvents ?? out).chunk(bytes),
      end: () => (asEvents ?? out).end(),
      fail: failure => (asEvents ?? out).fail(failure),
    })
  })
}

function eventEditor(out: Outlet, edit: (message: string) => readonly string[]): Outlet {
  const blocks = new Blocks()
  return through(out, {
    head: head => out.head(lengthless(head)),
    chunk(bytes) {
      const made = blocks.push(bytes).flatMap(block => {
        const text = block.toString('utf8')
        const data = dataOf(text)
        if (!data) return [block]
        const edited = edit(data)
        return edited.length === 1 && edited[0] === data
          ? [block]
          : edited.map(each => Buffer.from(withData(text, each)))
      })
      if (made.length > 0) out.chunk(Buffer.concat(made))
    },
    end() {
      const rest = blocks.end()
      if (rest.length > 0) out.chunk(rest)
      out.end()
    },
  })
}

function bodyEditor(out: Outlet, edit: (message: string) => readonly string[]): Outlet {
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
      const whole = Buffer.concat(chunks)
      const text = whole.toString('utf8')
      const edited = text === '' ? '' : editWhole(text, edit)
      const body = edited === text ? whole : Buffer.from(edited)
      out.head({ ...held!, fields: withLength(held!.fields, body.length) })
      if (body.length > 0) out.chunk(body)
      out.end()
    },
    fail(failure) {
      if (held) out.head(held)
      for (const bytes of chunks) out.chunk(bytes)
      out.fail(failure)
    },
  })
}

function editWhole(text: string, edit: (message: string) => readonly string[]): string {
  const isBatch = text.trimStart()[0] === '[' && valid(text)
  const before = isBatch ? values(text) : [text]
  const after = before.flatMap(edit)
  if (after.length === before.length && after.every((message, index) => message === before[index])) return text
  return isBatch || after.length > 1 ? `[${after.join(',')}]` : (after[0] ?? '')
}

function withLength(fields: Fields, length: number): Fields {
  return changeField(fields, 'content-length', old => (old.length > 0 ? String(length) : undefined))
}
