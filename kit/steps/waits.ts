import { behind } from '../messages.ts'
import type { Exchange, Rig, ServerName, Step } from '../types.ts'

/** The exchange of the client with that label, so far. */
export const labelled = (rig: Rig, label: string): Exchange | undefined =>
  rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === label)

const BOUND_MS = 2000

/** Waits until something is seen, bounded in time; what then is missing is for the claims to say. */
const until = (says: string, ms: number, test: (rig: Rig) => boolean): Step => ({
  says: `waits until ${says}`,
  async run(rig) {
    await rig.recorder.when(() => test(rig), ms, rig.signal)
  },
})

/** Waits until the request of that label is at the server behind. */
export const untilBackend = (label: string, ms = BOUND_MS): Step =>
  until(`"${label}" has reached the server`, ms, rig => partners(rig, label).length > 0)

/** Waits until the client has seen so many events of that label. */
export const untilEvents = (label: string, events: number, ms = BOUND_MS): Step =>
  until(`${events} events of "${label}" are there`, ms, rig => (labelled(rig, label)?.events.length ?? 0) >= events)

/** Waits until the head of the answer of that label is there. */
export const untilHead = (label: string, ms = BOUND_MS): Step =>
  until(`the answer to "${label}" begins`, ms, rig => labelled(rig, label)?.response !== undefined)

/** Waits until the server saw the gateway hang up on that label. */
export const untilGone = (label: string, ms = BOUND_MS): Step =>
  until(`the server sees the connection of "${label}" close`, ms, rig =>
    partners(rig, label).some(e => e.goneAt !== undefined || e.endedAt !== undefined),
  )

/**
 * Waits until the stream stands on which a server (the usual one, where none is named) sends of its own accord. On
 * stdio there is always one. Bounded in time: a gateway may go without.
 */
export const untilStream = (server?: ServerName, ms = 1000): Step =>
  until('the stream of the session stands', ms, rig => {
    const wanted = server ?? rig.target.servers[0]
    return rig.recorder
      .exchanges(rig.nonce)
      .backend.some(
        e =>
          e.server === wanted && (e.transport === 'stdio' || (e.request.method === 'GET' && e.response !== undefined)),
      )
  })

/** Waits until a condition on what both sides saw holds, bounded in time. */
export const untilSeen = (
  says: string,
  test: (seen: { client: readonly Exchange[]; backend: readonly Exchange[] }) => boolean,
  ms = BOUND_MS,
): Step => until(says, ms, rig => test(rig.recorder.exchanges(rig.nonce)))

const partners = (rig: Rig, label: string): Exchange[] => {
  const { client, backend } = rig.recorder.exchanges(rig.nonce)
  return behind(
    { client, backend, target: rig.target, revision: rig.revision },
    client.findLast(e => e.label === label),
  )
}
