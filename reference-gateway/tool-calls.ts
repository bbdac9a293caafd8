import { isUtf8 } from 'node:buffer'
import { hasBody, isEncoded } from './fields.ts'
import { entries, valid } from './json.ts'
import { code, errorMessage, kindOf, messagesIn } from './jsonrpc.ts'
import type { Passage } from './passage.ts'

/** One message of a request's body, as far as guards of tools want to know it. */
export interface Message {
  /** Its raw id; undefined for what asks for no answer. */
  readonly id: string | undefined
  readonly isRequest: boolean
  /**
   * Where it is a `tools/call`, with or without an id: all that could be meant by its `params`, raw. A list of them is none
   * that the protocol has.
   */
  readonly params?: readonly string[]
  /** The name of the tool, as far as there is one. */
  readonly tool?: string | undefined
}

/** Whether a request may hold calls: by POST, or by what a generous server might take for it. */
export const mayCall = ({ method, fields }: Passage): boolean => method === 'POST' || hasBody(fields)

/**
 * Reads the messages of a body that has come in whole. Servers differ in which of two equal members they take, and some
 * take `Method` for `method`: what any of them could take for a call of a tool is one here. Undefined where the body can't
 * be looked into.
 */
export function messagesOf(body: Buffer): readonly Message[] | undefined {
  const text = body.toString('utf8')
  if (!isUtf8(body) || !valid(text)) return undefined
  return messagesIn(text)?.map(messageOf)
}

/** Whether some server could take a raw message for one of this method. */
export const mayBe = (message: string, method: string): boolean => strings(members(message, 'method')).includes(method)

/** The raw values of an object's members of this name, in whatever case; none where the text is no object. */
export function members(object: string, name: string): string[] {
  if (object.trimStart()[0] !== '{') return []
  return entries(object)
    .filter(([key]) => fold(key) === name)
    .map(([, raw]) => raw)
}

/** By way of upper case, as servers written in Go do: the long ſ is an s, too. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()

/** The strings among raw values, decoded. */
export const strings = (raws: readonly string[]): string[] =>
  raws.filter(raw => raw[0] === '"').map(raw => JSON.parse(raw) as string)

function messageOf(text: string): Message {
  const id = members(text, 'id').at(-1)
  const known = { id, isRequest: kindOf(text) === 'request' }
  if (!mayBe(text, 'tools/call')) return known
  const params = members(text, 'params')
  return { ...known, params, tool: strings(params.flatMap(raw => members(raw, 'name'))).at(-1) }
}

/**
 * Refuses a body that can't be looked into and may be a call of a tool all the same: packed, too long a batch, or no JSON but
 * such as a generous server might read. False where it is certainly none.
 */
export function refuseUnread(passage: Passage, body: Buffer): boolean {
  const packed = isEncoded(passage.fields)
  if (!packed && !/call|\\u|\0/i.test(body.toString('latin1'))) return false
  const said = packed ? 'The body is packed, and cannot be looked into.' : 'The body is not JSON, or too long a batch.'
  passage.answer(packed ? 415 : 400, errorMessage(undefined, code.parse, said))
  return true
}
