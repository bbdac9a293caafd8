import { Body } from '../../body.ts'
import type { Hop } from '../../hop.ts'
import { edit as editJson, get, valid, values } from '../../json.ts'
import { through } from '../../outlet.ts'
import type { Passage } from '../../passage.ts'
import type { Fields, Outlet } from '../../types.ts'
import type { Mutate } from '../mutant.ts'
import { addFirst, addLast } from './list.ts'
import { forMessage, holdsFor, type Match, requestText } from './match.ts'

/** Makes another message of one; undefined leaves it as it is. `backend` is the name of the one it goes to. */
export type EditRequest = (message: string, passage: Passage, backend: string) => string | undefined

/** New values of a field: none drops it, several repeat it. */
export type FieldChange = string | undefined | ((values: string[]) => string | string[] | undefined)

/** Edits the client's message as it comes in, before any part has seen it. */
export const editRequest = (match: Match, edit: EditRequest): Mutate =>
  addFirst({
    name: 'harm',
    async receive(passage) {
      const edited = editBody(await passage.body.text(), passage, '', match, edit)
      if (edited !== undefined) passage.body = Body.of(edited)
      return undefined
    },
  })

/** Edits a message on its way to a backend, after all parts have. In `path` and `header` mode the same as `editRequest`. */
export const editForward = (match: Match, edit: EditRequest): Mutate =>
  addLast({
    name: 'harm',
    async forward(hop) {
      const edited = editBody(await hop.body.text(), hop.passage, hop.backend.name, match, edit)
      if (edited !== undefined) hop.body = Body.of(edited)
    },
  })

/** Changes a header field of what goes to the backends. */
export const requestField = (name: string, change: FieldChange, match?: Match): Mutate =>
  addLast({
    name: 'harm',
    async forward(hop) {
      await hop.passage.body.bytes()
      if (holdsFor(match, hop.passage)) hop.fields = changeField(hop.fields, name, change)
    },
  })

/** Answers the client itself; nothing goes to a backend. `body` may be made from what the client sent. */
export const refuse = (
  match: Match,
  status: number,
  body: string | ((request: string) => string) = '',
  fields: Fields = [],
): Mutate =>
  addFirst({
    name: 'harm',
    async receive(passage) {
      await passage.body.bytes()
      if (!holdsFor(match, passage)) return undefined
      passage.answer(status, typeof body === 'string' ? body : body(requestText(passage)), [...fields])
      return true
    },
  })

/** Accepts with 202 and tells no backend. */
export const swallow = (match: Match): Mutate => refuse(match, 202)

/** Never answers, and tells no backend. */
export const hang = (match: Match): Mutate =>
  addFirst({
    name: 'harm',
    async receive(passage) {
      await passage.body.bytes()
      return holdsFor(match, passage)
    },
  })

/** Sends the request to the backend a second time, and throws the second answer away. */
export const sendTwice = (match: Match): Mutate =>
  addLast(() => {
    const copies = new WeakSet<Hop>()
    return {
      name: 'harm',
      async forward(hop) {
        await hop.body.bytes()
        if (copies.has(hop) || !holdsFor(match, hop.passage)) return
        const copy = hop.again()
        copies.add(copy)
        await hop.passage.gateway.send(copy, nowhere)
      },
    }
  })

/** Answers later requests with the body that the first one got, as if nothing could have changed; the id is theirs. */
export const cacheReplies = (match: Match): Mutate =>
  addFirst(() => {
    let cached: string | undefined
    return {
      name: 'harm',
      async receive(passage) {
        const request = await passage.body.text()
        if (cached === undefined || !holdsFor(match, passage)) return undefined
        passage.answer(
          200,
          editJson(cached, 'id', raw => get(request, 'id') ?? raw),
        )
        return true
      },
      reply(passage, out) {
        const chunks: Buffer[] = []
        return through(out, {
          chunk(bytes) {
            chunks.push(bytes)
            out.chunk(bytes)
          },
          end() {
            if (cached === undefined && holdsFor(match, passage)) cached = Buffer.concat(chunks).toString('utf8')
            out.end()
          },
        })
      },
    }
  })

/** An outlet into which answers vanish. */
export const nowhere: Outlet = { head() {}, chunk() {}, end() {}, fail() {} }

/** The fields with one of them changed: at its first place, or at the end where there was none. */
export function changeField(fields: Fields, name: string, change: FieldChange): Fields {
  const is = (key: string) => key.toLowerCase() === name.toLowerCase()
  const old = fields.filter(([key]) => is(key)).map(([, value]) => value)
  const made = typeof change === 'function' ? change(old) : change
  const added = (made === undefined ? [] : [made].flat()).map((value): [string, string] => [name, value])
  if (old.length === 0) return [...fields, ...added]
  return fields.flatMap(pair => (is(pair[0]) ? added.splice(0) : [pair]))
}

function editBody(
  text: string,
  passage: Passage,
  backend: string,
  match: Match,
  edit: EditRequest,
): string | undefined {
  const { message, when } = forMessage(match)
  if (!holdsFor(when, passage)) return undefined
  const one = (raw: string) => (raw.search(message) === -1 ? raw : (edit(raw, passage, backend) ?? raw))
  const isBatch = text.trimStart()[0] === '[' && valid(text)
  const edited = isBatch && values(text).length > 0 ? editJson(text, '*', one) : one(text)
  return edited === text ? undefined : edited
}
