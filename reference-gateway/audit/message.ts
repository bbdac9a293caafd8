import { entries, get, getString, object, valid, values } from '../json.ts'
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
  const method = getString(message, 'method')
  if (method === undefined) return UNREAD
  const isCall = method === 'tools/call'
  return {
    method,
    tool: (isCall && getString(message, 'params.name')) || null,
    arguments: (isCall ? get(message, 'params.arguments') : paramsOf(message)) ?? null,
    id: get(message, 'id'),
  }
}

function paramsOf(message: string): string | undefined {
  const params = get(message, 'params')
  if (params?.[0] !== '{') return params
  const all = entries(params)
  const kept = all.filter(([key]) => key !== '_meta')
  return kept.length === all.length ? params : object(kept)
}
