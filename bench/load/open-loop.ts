import type { Sample, Way } from '../types.ts'

export interface OpenLoopOptions {
  /** Calls a second. */
  readonly rate: number
  readonly seconds: number
  readonly from: number
  readonly signal?: AbortSignal | undefined
}

/** What came of calls that were sent at a fixed rate, whether or not answers kept up. */
export interface OpenLoop {
  /** Calls that were sent. */
  readonly sent: number
  /** Calls that were due while every connection was taken: never sent, and reported. */
  readonly dropped: number
  readonly failed: number
  /** Calls a second that really left. */
  readonly achieved: number
  /** From when a call was due until its answer was whole, in µs: waiting for a slow one before counts. */
  readonly us: Float64Array
  /** From when it was sent, in µs, for comparison. */
  readonly serviceUs: Float64Array
}

/**
 * Sends at a fixed rate, each call when it is due, over as many connections as there are ways. A closed loop waits for a slow
 * answer before it sends the next call, and so leaves out just the calls that would have been slow.
 */
export async function openLoop(
  ways: readonly Way[],
  { rate, seconds, from, signal }: OpenLoopOptions,
): Promise<OpenLoop> {
  const total = Math.round(rate * seconds)
  const every = 1000 / rate
  const free = [...ways]
  const us: number[] = []
  const serviceUs: number[] = []
  const underWay = new Set<Promise<void>>()
  let dropped = 0
  let failed = 0
  const began = performance.now() + every
  const send = async (way: Way, n: number, due: number) => {
    const sample: Sample = await way.call(from + n).catch(cause => ({ us: Number.NaN, fault: String(cause) }))
    free.push(way)
    if (sample.fault !== undefined) failed++
    else {
      us.push((performance.now() - due) * 1000)
      serviceUs.push(sample.us)
    }
  }
  for (let n = 0; n < total && !signal?.aborted; n++) {
    const due = began + n * every
    await until(due)
    const way = free.shift()
    if (!way) {
      dropped++
      continue
    }
    const sending = send(way, n, due)
    underWay.add(sending)
    void sending.then(() => underWay.delete(sending))
  }
  const ended = performance.now()
  await Promise.all(underWay)
  const sent = total - dropped
  return {
    sent,
    dropped,
    failed,
    achieved: Math.round((sent / (ended - began + every)) * 1000),
    us: Float64Array.from(us),
    serviceUs: Float64Array.from(serviceUs),
  }
}

/** Timers are late by up to a millisecond or so: the rest is spent in turns of the event loop, so that answers are read. */
const COARSE_MS = 2

async function until(due: number): Promise<void> {
  const left = due - performance.now()
  if (left > COARSE_MS) await new Promise(resolve => setTimeout(resolve, left - COARSE_MS))
  while (performance.now() < due) await new Promise(resolve => setImmediate(resolve))
}
