import type { Evidence, Exchange, Result, SseEvent } from './types.ts'

/** How much of a body a report holds on to, in characters. */
const BODY = 64 * 1024
/** How much of the data of one event, in characters. */
const DATA = 8 * 1024
/** How many events of one exchange. */
const EVENTS = 1000

/** The result with evidence that is small enough to keep until the end of a run, whatever a gateway sent. */
export function keep(result: Result): Result {
  const { evidence } = result
  return evidence ? { ...result, evidence: small(evidence) } : result
}

function small(evidence: Evidence): Evidence {
  const { client, backend } = evidence
  return { ...evidence, client: client.map(exchange), backend: backend.map(exchange) }
}

function exchange(e: Exchange): Exchange {
  const { request, response } = e
  return {
    ...e,
    request: { ...request, body: head(request.body, BODY) },
    ...(response && { response: { ...response, body: head(response.body, BODY) } }),
    events: e.events.slice(0, EVENTS).map(event),
  }
}

const event = (e: SseEvent): SseEvent => ({ ...e, data: head(e.data, DATA), comments: e.comments.slice(0, 10) })

/** A slice of a string holds on to all of it; this is a copy. */
const head = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
