import { at, tryParse } from '../json.ts'
import { afterwards } from '../rig.ts'
import { Unjudged } from '../session.ts'
import type { Rig, ServerName, Step } from '../types.ts'
import { notify } from './requests.ts'
import type { SendOptions } from './sending.ts'
import { labelled } from './waits.ts'

/** Begins a step and goes on at once; `finish` or the end of the check waits for it. */
export const start = (step: Step): Step => ({
  says: `${step.says}, and goes on while it runs`,
  async run(rig) {
    const flights = (rig.memory.get('flights') as Promise<void>[] | undefined) ?? []
    rig.memory.set('flights', flights)
    const flight = step.run(rig)
    // The failure is kept for the one who waits.
    flight.catch(() => {})
    flights.push(flight)
  },
})

/** Waits for everything begun by `start`. */
export const finish = (): Step => ({
  says: 'waits until all of it has ended',
  async run(rig) {
    await Promise.all((rig.memory.get('flights') as Promise<void>[] | undefined) ?? [])
  },
})

/** Runs steps at the same time. */
export const together = (...steps: readonly [Step, ...Step[]]): Step => ({
  says: `at the same time ${steps.map(s => s.says).join('; and ')}`,
  async run(rig) {
    await Promise.all(steps.map(s => s.run(rig)))
  },
})

/** Runs what `make` gives for 0 … n-1, one after the other. */
export const times = (n: number, says: string, make: (i: number) => Step): Step => ({
  says: `${n} times: ${says}`,
  async run(rig) {
    for (let i = 0; i < n; i++) await make(i).run(rig)
  },
})

/** Hangs up on the exchange of that label. */
export const hangUp = (label: string): Step => ({
  says: `hangs up on "${label}"`,
  async run(rig) {
    ;(rig.memory.get(`hang up ${label}`) as AbortController | undefined)?.abort()
  },
})

/** Reads on where a step of that label `stalls`. */
export const readOn = (label: string): Step => ({
  says: `reads on in the answer to "${label}"`,
  async run(rig) {
    ;(rig.memory.get(`read on ${label}`) as (() => void) | undefined)?.()
  },
})

/** Sends `notifications/cancelled` for the request of that label, by the id that it had at the client. */
export const cancel = (label: string, o: SendOptions = {}): Step => ({
  says: `cancels "${label}"`,
  async run(rig) {
    const target = labelled(rig, label)
    if (!target) throw new Unjudged(`there is no exchange "${label}" to cancel`)
    const requestId = at(tryParse(target.request.body), 'id')
    await notify('notifications/cancelled', { requestId, reason: 'the user changed their mind' }, o).run(rig)
  },
})

/** Takes a mock server down: it refuses connections, until the check is over at the latest. For checks that run alone. */
export const stopServer = (server?: ServerName): Step => ({
  says: `stops the server${server ? ` ${server}` : ''}`,
  async run(rig) {
    const name = server ?? rig.target.servers[0] ?? 'crm'
    await rig.servers.stop(name)
    afterwards(rig, () => rig.servers.start(name))
  },
})

/** Brings it back on the same port, its sessions lost. */
export const startServer = (server?: ServerName): Step => ({
  says: `starts the server${server ? ` ${server}` : ''} again`,
  run: rig => rig.servers.start(server ?? rig.target.servers[0] ?? 'crm'),
})

/** A step of one's own. */
export const step = (says: string, run: (rig: Rig) => Promise<void>): Step => ({ says, run })
