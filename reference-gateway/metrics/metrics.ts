import type { Gateway } from '../types.ts'

/** Upper bounds of the histogram, in seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** With more servers than this, the rest are counted together: routes come and go, memory must not grow. */
const MOST_BACKENDS = 500

/** What is counted of one server. */
export interface Counts {
  /** Answers by status; 0 for a client that hung up before there was one. */
  readonly statuses: Map<number, number>
  /** How many took up to each bound, each in one of them only; the last one is for all that took longer. */
  readonly buckets: number[]
  seconds: number
  /** What the gateway added, of so many answers. */
  addedSeconds: number
  added: number
}

/** The numbers of one gateway. */
export class Metrics {
  readonly backends = new Map<string, Counts>()
  readonly refusals = new Map<string, number>()
  /** Requests under way. */
  inFlight = 0

  /** Counts an answer; `seconds` where its time is of interest, `added` where the gateway added to it. */
  answered(backend: string, status: number, seconds: number | undefined, added: number | undefined): void {
    const counts = this.of(backend)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (added !== undefined) {
      counts.added++
      counts.addedSeconds += added
    }
    if (seconds === undefined) return
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++
    counts.buckets[bucket]!++
    counts.seconds += seconds
  }

  refused(kind: string): void {
    this.refusals.set(kind, (this.refusals.get(kind) ?? 0) + 1)
  }

  private of(backend: string): Counts {
    const name = this.backends.has(backend) || this.backends.size < MOST_BACKENDS ? backend : 'others'
    const known = this.backends.get(name)
    if (known) return known
    const buckets: number[] = Array(BOUNDS.length + 1).fill(0)
    const made: Counts = { statuses: new Map(), buckets, seconds: 0, addedSeconds: 0, added: 0 }
    this.backends.set(name, made)
    return made
  }
}

const all = new WeakMap<Gateway, Metrics>()

/** Begins to count for a gateway: from then on its part `metrics` does. */
export function startMetrics(gateway: Gateway): Metrics {
  const known = all.get(gateway) ?? new Metrics()
  all.set(gateway, known)
  return known
}

/** The numbers of a gateway; undefined where nobody asked for them. */
export const metricsOf = (gateway: Gateway): Metrics | undefined => all.get(gateway)
