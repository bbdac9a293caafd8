import { entries, members, object, valid, values } from '../json.ts'
import { truncated } from './cut.ts'

/** What is read of one message of a client. */
export interface Asked {
  readonly method: string | null
  readonly tool: string | null
  /** Raw JSON; of a call of a tool its arguments, else the params without `_meta`. */
  readonly arguments: string | null
  /** Raw JSON; undefined for a notification, and for what is no request. */
  readonly id: string | undefined
}

/** What there is to say where the body was not read. */
export const UNREAD: Asked = { method: null, tool: null, arguments: null, id: undefined }

/** A batch of more messages is not looked into. */
const MOST_OF_BATCH = 1000

/** The messages of a body that ask for something: one, or those of a batch. Never none. */
export function asked(body: string): readonly Asked[] {
  if (!valid(body)) return [UNREAD]
  const messages = body.trimStart()[0] === '[' ? values(body) : [body]
  if (messages.length > MOST_OF_BATCH) return [{ ...UNREAD, arguments: truncated(Buffer.byteLength(body), '') }]
  const found = messages.map(one).filter(({ method }) => method !== null)
  return found.length > 0 ? found : [UNREAD]
}

function one(message: string): Asked {
  const all = members(message)
  const method = stringOf(all.get('method'))
  if (method === undefined) return UNREAD
  const isCall = method === 'tools/call'
  const params = all.get('params')
  const inside = isCall && params !== undefined ? members(params) : undefined
  return {
    method,
    tool: stringOf(inside?.get('name')) || null,
    arguments: (isCall ? inside?.get('arguments') : paramsOf(params)) ?? null,
    id: all.get('id'),
  }
}

/** The string that this raw JSON is; undefined for anything else. */
const stringOf = (raw: string | undefined): string | undefined =>
  raw?.[0] === '"' ? (JSON.parse(raw) as string) : undefined

function paramsOf(params: string | undefined): string | undefined {
  if (params?.[0] !== '{') return params
  const all = entries(params)
  const kept = all.filter(([key]) => key !== '_meta')
  return kept.length === all.length ? params : object(kept)
}
