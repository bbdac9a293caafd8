import { at, stringify } from '../../kit/json.ts'
import { behind, clientExchange, reply, sent } from '../../kit/messages.ts'
import { callWithProgress, type SendOptions, start, untilSeen } from '../../kit/steps.ts'
import type { Evidence, Exchange, Step } from '../../kit/types.ts'

/** Begins a call that works until it is cancelled, or its time is up. */
export const startLongTask = (ms: number, o: SendOptions & { readonly as: string }): Step =>
  start(callWithProgress('long_task', { wait_ms: ms }, `long ${o.as}`, o))

/** What the server has of the exchange with that label. */
const atServer = (seen: Pick<Evidence, 'client' | 'backend'>, label: string): Exchange | undefined => {
  const evidence = seen as Evidence
  return behind(evidence, clientExchange(evidence, label))[0]
}

/** Waits until the server works on the call of that label: from then on it can be cancelled. */
export const untilWorking = (label: string): Step =>
  untilSeen(`the server works on "${label}"`, seen => {
    const e = atServer(seen, label)
    return e !== undefined && (e.response !== undefined || e.events.length > 0)
  })

/** Waits until the server is done with the call of that label, one way or the other. */
export const untilDone = (label: string): Step =>
  untilSeen(`the server is done with "${label}"`, seen => {
    const e = atServer(seen, label)
    return e?.endedAt !== undefined || e?.goneAt !== undefined || e?.failure !== undefined
  })

/** The cancellations that reached servers, so far as they can be known as this check's. */
export const cancellations = (evidence: Evidence): Exchange[] =>
  evidence.backend.filter(e => at(sent(e), 'method') === 'notifications/cancelled')

/** The id, as JSON, by which the server knows the call of that label. */
export const idAtServer = (evidence: Evidence, label: string): string | undefined => {
  const e = atServer(evidence, label)
  return e && stringify(at(sent(e), 'id') ?? null)
}

/** How the server ended the call of that label: only one that was told to stop ends without an answer. */
export function endOf(evidence: Evidence, label: string): 'stopped' | string {
  const e = atServer(evidence, label)
  if (e === undefined) return 'the call did not reach the server'
  if (e.goneAt !== undefined) return 'the connection to the server was closed, and nobody told it to stop'
  if (e.endedAt === undefined) return 'it still works'
  return reply(e) === undefined ? 'stopped' : 'it worked to the end'
}
