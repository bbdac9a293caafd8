import { edit, get, getString } from '../json.ts'
import type { Kind } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { ownId } from './ids.ts'
import { within } from './lists.ts'
import type { Session } from './session.ts'

/** Passes on a notification or a response of the client. Waits for the backends to take it, but not for silent ones. */
export async function tell(session: Session, passage: Passage, message: string, kind: Kind): Promise<void> {
  const told = kind === 'response' ? response(session, passage, message) : notice(session, passage, message)
  await within(passage.gateway.settings.timeouts.gatherMs, told, '').catch(() => {})
}

/** To the backend that it is for, or to all. */
async function notice(session: Session, passage: Passage, message: string): Promise<void> {
  const method = getString(message, 'method')
  if (method === 'notifications/initialized') {
    session.initialized ??= message
    await Promise.all(session.connections.map(one => one.welcome && one.confirm(passage, message)))
    return
  }
  if (method === 'notifications/cancelled') {
    const flight = session.flights.get(get(message, 'params.requestId') ?? '')
    if (!flight) return
    flight.cancelled = true
    await flight.connection.tell(
      passage,
      edit(message, 'params.requestId', () => flight.upstreamId),
    )
    return
  }
  if (method === 'notifications/progress') {
    const own = ownId(get(message, 'params.progressToken') ?? '')
    if (own)
      await session.to(own.backend)?.tell(
        passage,
        edit(message, 'params.progressToken', () => own.id),
      )
    return
  }
  await Promise.all(session.connections.map(one => one.tell(passage, message)))
}

/** To the backend that asked. */
async function response(session: Session, passage: Passage, message: string): Promise<void> {
  const own = ownId(get(message, 'id') ?? '')
  if (own)
    await session.to(own.backend)?.tell(
      passage,
      edit(message, 'id', () => own.id),
    )
}
