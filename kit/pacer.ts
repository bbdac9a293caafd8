import { now } from './recorder.ts'
import type { Rig, Target } from './types.ts'

/** Keeps the kit below the rate that a gateway allows, so that its guard disturbs no check that is about something else. */
export interface Pacer {
  /** Takes the next place of this key; gives how long it is until then, in ms. */
  place(key: string): number
}

/** How much longer than the window requests are kept apart, in ms: they do not arrive just as they were sent. */
const SPARE_MS = 50

const pacers = new WeakMap<Target, Pacer>()

/** The one pacer of a target; undefined where it declares no rate. */
export function pacerOf(target: Target): Pacer | undefined {
  const { rps, window = 1 } = target.limits
  if (rps === undefined) return undefined
  const pacer = pacers.get(target) ?? createPacer(rps, window)
  pacers.set(target, pacer)
  return pacer
}

/** `window` in seconds. */
export function createPacer(rps: number, window: number): Pacer {
  const lanes = new Map<string, number[]>()
  const apart = window * 1000 + SPARE_MS
  return {
    place(key) {
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
  const { pace: _, ...rest } = rig
  return rest
}
