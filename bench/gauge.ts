/** How much of the processor other programs take, as seen from here: it decides whether a slow answer is the gateway's fault. */
export interface Gauge {
  /** Takes a look, if the last one was long ago: some ms in which nothing else is done. */
  look(): void
  /** The share of the time, from 0 to 1, in which this process wanted to run and could not. */
  stolen(): number
}

/** How long one look takes: long enough that a busy neighbour gets its turn meanwhile. */
const LOOK_MS = 12
/** How often it is taken at most. */
const EVERY_MS = 250
/** A gap that a busy clock shows without anybody else. */
const USUAL_GAP_MS = 0.3

/** `now` in ms. */
export function createGauge(now: () => number = () => performance.now()): Gauge {
  let last = Number.NEGATIVE_INFINITY
  let wanted = 0
  let lost = 0
  return {
    look() {
      let before = now()
      if (before - last < EVERY_MS) return
      const until = before + LOOK_MS
      const began = before
      while (before < until) {
        const at = now()
        if (at - before > USUAL_GAP_MS) lost += at - before
        before = at
      }
      wanted += before - began
      last = before
    },
    stolen: () => (wanted === 0 ? 0 : lost / wanted),
  }
}
