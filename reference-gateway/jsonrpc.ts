import { get, valid, values } from './json.ts'

/** Codes of JSON-RPC that the gateway answers with itself. */
export const code = { parse: -32700, invalid: -32600, method: -32601, params: -32602, internal: -32603 } as const

/** What a message is; `other` for what is none. */
export type Kind = 'request' | 'notification' | 'response' | 'other'

/** Tells what a message is by its members. Wants valid JSON. */
export function kindOf(message: string): Kind {
  if (message.trimStart()[0] !== '{') return 'other'
  const hasId = get(message, 'id') !== undefined
  if (get(message, 'method') !== undefined) return hasId ? 'request' : 'notification'
  return get(message, 'result') !== undefined || get(message, 'error') !== undefined ? 'response' : 'other'
}

/** An error response. `id` is raw JSON, `null` where there is none to answer to. */
export function errorMessage(id: string | undefined, errorCode: number, message: string, data?: string): string {
  const more = data === undefined ? '' : `,"data":${data}`
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":{"code":${errorCode},"message":${JSON.stringify(message)}${more}}}`
}

/** A longer batch is not looked into: a body may hold a million of messages, and all others would wait meanwhile. */
const MOST_OF_BATCH = 1000

/** The raw messages of a body that is JSON: one, or those of a batch. Undefined where the batch is too long. */
export function messagesIn(body: string): string[] | undefined {
  if (body.trimStart()[0] !== '[') return [body]
  const messages = values(body, MOST_OF_BATCH + 1)
  return messages.length > MOST_OF_BATCH ? undefined : messages
}

/** A successful response. `id` and `result` are raw JSON. */
export function resultMessage(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

/** The raw ids of the requests in a body: one, several in a batch, none where it is no JSON or asks for nothing. */
export function requestIds(body: string): string[] {
  if (!valid(body)) return []
  const messages = body.trimStart()[0] === '[' ? values(body) : [body]
  return messages.filter(message => kindOf(message) === 'request').map(message => get(message, 'id')!)
}
