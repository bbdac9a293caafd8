import type { Evidence, Exchange, Pairs } from '../../kit/types.ts'
import { field, send } from '../../kit/wire.ts'

/** An answer, as far as it is compared. */
export interface Came {
  readonly status: number | undefined
  readonly body: string
  readonly failure?: string
}

/** One request that was sent again. */
export interface Answered {
  readonly exchange: Exchange
  readonly then: Came
  readonly now: Came
  /** Whether the same came: the same status and, but for ids of sessions, the same body. */
  readonly isSame: boolean
}

export interface ResendOptions {
  readonly url: string
  /** In place of what the report hides. */
  readonly headers: Pairs
  /** For one answer, in ms. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** What a report shows in place of a secret. */
const HIDDEN = /«hidden [0-9a-f]{8}»/

/**
 * Sends the client's requests of a check again, in their order. A session that was opened then is another one now: its new id takes
 * the place of the old one. Streams that a client opens by GET have no end, and are left out.
 */
export async function resend({ client }: Evidence, options: ResendOptions): Promise<Answered[]> {
  const sessions = new Map<string, string>()
  const answers: Answered[] = []
  for (const exchange of client) {
    if (exchange.transport !== 'http' || exchange.request.method === 'GET' || exchange.request.method === 'raw')
      continue
    if (options.signal.aborted) break
    const now = await once(exchange, sessions, options)
    const then = {
      status: exchange.response?.status,
      body: exchange.events.length ? exchange.events.map(e => e.data).join('\n\n') : (exchange.response?.body ?? ''),
      ...(exchange.failure !== undefined && { failure: exchange.failure }),
    }
    answers.push({
      exchange,
      then,
      now,
      isSame: then.status === now.status && bare(then.body, sessions) === bare(now.body, sessions),
    })
  }
  return answers
}

async function once(
  { request, response }: Exchange,
  sessions: Map<string, string>,
  options: ResendOptions,
): Promise<Came> {
  const { url, headers: given, timeout, signal } = options
  const over = new AbortController()
  const stop = () => over.abort()
  const timer = setTimeout(stop, timeout)
  signal.addEventListener('abort', stop)
  const chunks: Uint8Array[] = []
  let [status, failure]: [number | undefined, string | undefined] = [undefined, undefined]
  let isStream = false
  await send(
    {
      url: new URL(request.path, url).href,
      method: request.method,
      headers: fieldsOf(request.headers, given, sessions),
      body: Buffer.from(request.body),
    },
    {
      head(code, headers) {
        status = code
        isStream = /^text\/event-stream/i.test(field(headers, 'content-type') ?? '')
        const [old, fresh] = [field(response?.headers ?? [], 'mcp-session-id'), field(headers, 'mcp-session-id')]
        if (old !== undefined && fresh !== undefined) sessions.set(old, fresh)
      },
      chunk: bytes => chunks.push(bytes),
      end() {},
      fail(reason) {
        failure = reason
      },
    },
    { signal: over.signal },
  )
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status, body: isStream ? dataOf(text) : text, ...(failure !== undefined && { failure }) }
}

/** The fields as they were, with new sessions and without what the report hides; what is given takes its place. */
function fieldsOf(headers: Pairs, given: Pairs, sessions: ReadonlyMap<string, string>): Pairs {
  const own = new Set(['content-length', 'host', 'connection', ...given.map(([name]) => name.toLowerCase())])
  const kept = headers.flatMap(([name, value]) => {
    if (own.has(name.toLowerCase()) || HIDDEN.test(value)) return []
    return [[name, sessions.get(value) ?? value] as const]
  })
  return [...kept, ...given]
}

/** What the events of a stream hold. */
const dataOf = (text: string): string =>
  text
    .split(/\r?\n\r?\n/)
    .flatMap(block => {
      const lines = block.split(/\r?\n/).filter(line => line.startsWith('data:'))
      return lines.length ? [lines.map(line => line.slice(5).replace(/^ /, '')).join('\n')] : []
    })
    .join('\n\n')

/** Without ids of sessions, and cut as the report cuts. */
function bare(body: string, sessions: ReadonlyMap<string, string>): string {
  let text = body.slice(0, KEPT)
  for (const [old, fresh] of sessions) text = text.replaceAll(old, '*').replaceAll(fresh, '*')
  return text
}

const KEPT = 4096
