import { isObject, type Json, JsonNumber, type JsonObject, stringify } from '../kit/json.ts'
import { rawAt } from './slice.ts'

/** The codes of JSON-RPC, and that of MCP for a resource that is not there. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const RESOURCE_NOT_FOUND = -32002

/** An answer that is an error. Code, message and data go out as they are. */
export class Fault extends Error {
  override name = 'Fault'
  readonly code: unknown
  readonly data: unknown
  /** The message as it is to be written: text, or JSON to be sent verbatim. */
  readonly says: unknown
  constructor(code: unknown, message: unknown, data?: unknown) {
    super(String(message))
    this.code = code
    this.says = message
    this.data = data
  }
}

/** A message that wants an answer. */
export interface Request {
  readonly kind: 'request'
  /** The id as raw JSON, just as it came. */
  readonly id: string
  readonly method: string
  readonly params: JsonObject
  /** The text of the whole message. */
  readonly text: string
}

/** A message that wants none. */
export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** One message that came in. */
export type Incoming =
  | Request
  | Notification
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: string; readonly why: string }

/** Says what a message is. `text` is the message as it stood on the wire. */
export function classify(value: Json, text: string): Incoming {
  if (!isObject(value)) return { kind: 'invalid', id: 'null', why: 'a message is a JSON object' }
  const hasId = Object.hasOwn(value, 'id')
  const idFits = typeof value['id'] === 'string' || value['id'] instanceof JsonNumber
  const id = idFits ? (rawAt(text, ['id']) ?? 'null') : 'null'
  const invalid = (why: string): Incoming => ({ kind: 'invalid', id, why })
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" is "2.0"')
  if (!Object.hasOwn(value, 'method')) {
    const answers = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
    return answers && hasId
      ? { kind: 'response' }
      : invalid('a message has a "method", or an "id" with "result" or "error"')
  }
  const { method, params = {} } = value
  if (typeof method !== 'string') return invalid('"method" is a string')
  if (!isObject(params)) return invalid('"params" is an object')
  if (!hasId) return { kind: 'notification', method, params }
  if (!idFits) return invalid('"id" is a string or a number')
  return { kind: 'request', id, method, params, text }
}

/** The text of an answer; the id is raw JSON. */
export const answerText = (id: string, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${stringify(result)}}`

/** The text of an answer that is an error; the id is raw JSON. */
export const errorText = (id: string, { code, says, data }: Fault): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${stringify({ code, message: says, data })}}`

/** The text of a notification. */
export const noticeText = (method: string, params?: unknown): string =>
  stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })

/** The raw JSON of a request's id and of its progress token, for the texts of acts; null where there is none. */
export function placeholders(text: string): { readonly id: string; readonly token: string } {
  return {
    id: rawAt(text, ['id']) ?? 'null',
    token: rawAt(text, ['params', '_meta', 'progressToken']) ?? 'null',
  }
}
