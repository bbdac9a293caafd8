import { at, isObject, type Json, type JsonObject, stringify, tryParse } from './json.ts'
import type { Evidence, Exchange } from './types.ts'

interface Read {
  readonly events: number
  readonly size: number
  readonly found: JsonObject[]
}

// Claims look at the same exchange again and again, and 2 MB of JSON are not read twice.
const requests = new WeakMap<Exchange, { readonly found: Json | undefined }>()
const answers = new WeakMap<Exchange, Read>()

/** The JSON-RPC message or batch that the request carried; undefined where the body is no JSON. Not to be changed. */
export function sent(exchange: Exchange): Json | undefined {
  const known = requests.get(exchange) ?? { found: tryParse(exchange.request.body) }
  requests.set(exchange, known)
  return known.found
}

/** Every JSON-RPC message of the answer so far, in the order in which they came; batches are taken apart. Not to be changed. */
export function messages(exchange: Exchange): JsonObject[] {
  const { events, response } = exchange
  const size = response?.size ?? 0
  const known = answers.get(exchange)
  if (known?.events === events.length && known.size === size) return known.found
  const texts = events.length ? events.filter(e => e.hasData && e.data !== '').map(e => e.data) : [response?.body ?? '']
  const found = texts
    .map(tryParse)
    .flatMap(m => (Array.isArray(m) ? m : [m]))
    .filter(isObject)
  answers.set(exchange, { events: events.length, size, found })
  return found
}

/** Whether a message answers a request. */
export const isReply = (message: JsonObject): boolean =>
  Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error')

/** The message that answers the request: by its id where one has it, else the only one that answers anything. */
export function reply(exchange: Exchange): JsonObject | undefined {
  const replies = messages(exchange).filter(isReply)
  const id = stringify(at(sent(exchange), 'id') ?? null)
  return replies.find(r => stringify(r['id'] ?? null) === id) ?? replies[0]
}

/** The notifications of the answer, in order; of one method, where given. */
export const notifications = (exchange: Exchange, method?: string): JsonObject[] =>
  messages(exchange).filter(m => typeof m['method'] === 'string' && (method === undefined || m['method'] === method))

/** The exchange of that label at the client; the last one where no label is given. */
export function clientExchange(evidence: Evidence, label?: string): Exchange | undefined {
  return label === undefined ? evidence.client.at(-1) : evidence.client.findLast(e => e.label === label)
}

/** What reached the servers of an exchange of the client: nothing, one, or several where the gateway repeated itself. */
export const behind = (evidence: Evidence, exchange: Exchange | undefined): Exchange[] =>
  exchange === undefined ? [] : evidence.backend.filter(e => e.nonce === exchange.nonce)
