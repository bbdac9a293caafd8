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
/** By the processor's account, not by gaps of the clock: what this process does by itself, such as collecting garbage, is no theft. */
export function createGauge(): Gauge {
  let last = Number.NEGATIVE_INFINITY
  let wanted = 0
  let got = 0
  return {
    look() {
      const began = performance.now()
      if (began - last < EVERY_MS) return
      const before = process.cpuUsage()
      let now = began
      while (now < began + LOOK_MS) now = performance.now()
      const { user, system } = process.cpuUsage(before)
      wanted += now - began
      got += Math.min(now - began, (user + system) / 1000)
      last = now
    },
    stolen: () => (wanted === 0 ? 0 : 1 - got / wanted),
  }
}

/** From which share of the time on, taken by other programs, a machine is busy. */
const BUSY = 0.03

/** Whether other programs took so much of the machine that times say little. */
export const isBusy = (stolen: number): boolean => stolen > BUSY

/** How much later an upper quantile may come only because another program had its turn, in µs. */
const TURN_US = 10_000

/** What of a delay (µs, at a quantile from 0 to 1) can't be put down to the machine. */
export function blame(us: number, quantile: number, stolen: number): number {
  const turn = isBusy(stolen) && quantile > 0.5 ? TURN_US : 0
  return us * (1 - stolen) ** 2 - turn
}
