import { now } from './recorder.ts'
import type { Limits, Rig, Target } from './types.ts'

/** Keeps the kit below the rate that a gateway allows, so that its guard disturbs no check that is about something else. */
export interface Pacer {
  /** Takes the next place of this key; gives how long it is until then, in ms. */
  place(key: string): number
}

/** How much longer than the window requests are kept apart, in ms: they do not arrive just as they were sent. */
const SPARE_MS = 50
/** With more keys than this, those are forgotten that have sent nothing for a window. */
const MOST_KEYS = 1000

const pacers = new WeakMap<Limits, Pacer>()

/**
 * The one pacer for limits that a target declares; undefined where it declares no rate. Whoever looks at the gateway before
 * it is judged has the same one: what was sent then counts at the gateway, too.
 */
export function pacerOf({ limits }: Pick<Target, 'limits'>): Pacer | undefined {
  const { rps, window = 1 } = limits
  if (rps === undefined) return undefined
  const pacer = pacers.get(limits) ?? createPacer(rps, window)
  pacers.set(limits, pacer)
  return pacer
}

/** `window` in seconds. */
export function createPacer(rps: number, window: number): Pacer {
  const lanes = new Map<string, number[]>()
  const apart = window * 1000 + SPARE_MS
  return {
    place(key) {
      if (lanes.size > MOST_KEYS) {
        for (const [one, times] of lanes) if ((times.at(-1) ?? 0) + apart < now()) lanes.delete(one)
      }
      const sent = lanes.get(key) ?? []
      lanes.set(key, sent)
      // The moment when the request `rps` places ahead has left the window.
      const free = Math.max(now(), (sent.at(-rps) ?? Number.NEGATIVE_INFINITY) + apart)
      sent.push(free)
      if (sent.length > rps) sent.shift()
      return free - now()
    },
  }
}

/** The same rig for steps that are about the rate itself: they send when they want. */
export function unpaced(rig: Rig): Rig {
  const { pace, ...rest } = rig
  if (pace) rig.memory.set('pace', pace)
  return rest
}

/** The same rig for what such steps need first: a session that is not there yet is opened within the rate. */
export function paced(rig: Rig): Rig {
  const pace = rig.pace ?? (rig.memory.get('pace') as Rig['pace'])
  return pace ? { ...rig, pace } : rig
}

/** Waits for the place of a request with this session id, where the target limits its rate. */
export async function keepPace(rig: Rig, { who, id: issued }: { who: string; id: string | undefined }, id?: string) {
  if (!rig.pace) return
  if (id !== undefined) await rig.pace(id)
  // Who has no session, or an id that was never issued, may be counted by the owner of its token, else by its address.
  if (id === undefined || id !== issued) await rig.pace(rig.issuer ? `${rig.nonce} ${who}` : 'no session')
}
