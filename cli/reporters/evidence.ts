import type { Evidence, Exchange, Pairs, SseEvent } from '../../kit/types.ts'

/** How much of a body, and of the data of an event, a report keeps, in characters. */
export const KEPT = 4096
/** How many events of an exchange a report keeps. */
export const EVENTS_KEPT = 200

/** One exchange as the JSON report has it. Times are in ms since the first exchange of the check. */
export interface ExchangeWritten {
  readonly side: string
  readonly transport: string
  readonly server: string
  readonly nonce: string
  readonly label?: string
  readonly who?: string
  readonly at: number
  readonly request: { method: string; path: string; headers: Pairs; body: string; size: number; cut?: true }
  readonly response?: {
    status: number
    headers: Pairs
    at: number
    body: string
    size: number
    utf8: boolean
    cut?: true
  }
  readonly events: readonly object[]
  readonly moreEvents?: number
  readonly endedAt?: number
  readonly goneAt?: number
  readonly held?: number
  readonly failure?: string
}

/** Both sides of a check, small enough to keep: long bodies are cut, and `cut` says so. */
export function writeEvidence({ client, backend }: Evidence): {
  client: ExchangeWritten[]
  backend: ExchangeWritten[]
} {
  const all = [...client, ...backend]
  const start = Math.min(...all.map(e => e.at))
  const since = (at: number) => Math.round((at - start) * 1000) / 1000
  return { client: client.map(e => write(e, since)), backend: backend.map(e => write(e, since)) }
}

function write(e: Exchange, since: (at: number) => number): ExchangeWritten {
  const { request, response } = e
  return {
    side: e.side,
    transport: e.transport,
    server: e.server,
    nonce: e.nonce,
    ...(e.label !== undefined && { label: e.label }),
    ...(e.who !== undefined && { who: e.who }),
    at: since(e.at),
    request: { method: request.method, path: request.path, headers: request.headers, ...body(request) },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers,
        at: since(response.at),
        utf8: response.utf8,
        ...body(response),
      },
    }),
    events: e.events.slice(0, EVENTS_KEPT).map(event => writeEvent(event, since)),
    ...(e.events.length > EVENTS_KEPT && { moreEvents: e.events.length - EVENTS_KEPT }),
    ...(e.endedAt !== undefined && { endedAt: since(e.endedAt) }),
    ...(e.goneAt !== undefined && { goneAt: since(e.goneAt) }),
    ...(e.held !== undefined && { held: e.held }),
    ...(e.failure !== undefined && { failure: e.failure }),
  }
}

function body({ body: text, size }: { readonly body: string; readonly size: number }) {
  return { body: text.slice(0, KEPT), size, ...(text.length > KEPT && { cut: true as const }) }
}

function writeEvent(
  { at, event, data, id, retry, hasData, comments }: SseEvent,
  since: (at: number) => number,
): object {
  return {
    at: since(at),
    ...(event && { event }),
    data: data.slice(0, KEPT),
    ...(data.length > KEPT && { cut: true, length: data.length }),
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry }),
    ...(!hasData && { hasData }),
    ...(comments.length && { comments }),
  }
}
