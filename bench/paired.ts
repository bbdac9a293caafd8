import { quantile } from '../kit/statistics.ts'
import type { Sample, Way } from './types.ts'

/** What was measured: for each way all that came, in the order in which it was sent; only rounds in which nothing failed. */
export interface Measured {
  readonly samples: readonly (readonly Sample[])[]
  /** Rounds that were thrown away, as a call in them failed. */
  readonly failed: number
  readonly faults: ReadonlyMap<string, Map<string, number>>
}

export interface PairedOptions {
  readonly random: () => number
  /** The number of the first call: no two calls of a run have the same. */
  readonly from: number
  readonly signal?: AbortSignal | undefined
  /** Called before each round: in between nothing is measured. */
  readonly between?: (() => void) | undefined
  /** Called after each round. */
  readonly step?: (() => void) | undefined
}

/** With more failed rounds than this in a row nothing will come of it. */
const HOPELESS = 50

/** Tries all ways in turn, in a new order each time: what slows the machine down for a while hits all alike. */
export async function interleaved(ways: readonly Way[], rounds: number, options: PairedOptions): Promise<Measured> {
  const samples: Sample[][] = ways.map(() => [])
  const faults = new Map<string, Map<string, number>>()
  const order = ways.map((_, i) => i)
  const round: Sample[] = []
  let failed = 0
  let inARow = 0
  for (let n = 0; n < rounds && inARow < HOPELESS && !options.signal?.aborted; n++) {
    options.between?.()
    shuffle(order, options.random)
    let isWhole = true
    for (const i of order) {
      const way = ways[i]!
      const sample = await way.call(options.from + n).catch(failure)
      round[i] = sample
      if (sample.fault === undefined) continue
      isWhole = false
      const its = faults.get(way.name) ?? new Map<string, number>()
      faults.set(way.name, its.set(sample.fault, (its.get(sample.fault) ?? 0) + 1))
    }
    if (isWhole) for (let i = 0; i < ways.length; i++) samples[i]!.push(round[i]!)
    else failed++
    inARow = isWhole ? 0 : inARow + 1
    options.step?.()
  }
  return { samples, failed, faults }
}

const failure = (cause: unknown): Sample => ({
  us: Number.NaN,
  fault: cause instanceof Error ? cause.message : String(cause),
})

function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
}

export interface WarmUp {
  /** Rounds in one window. */
  readonly window: number
  /** Windows at most. */
  readonly most: number
  /** Two windows agree where their medians differ by no more than this share. */
  readonly apart: number
  /** In ms: who is slow has nothing to warm up. */
  readonly within: number
}

/** Sends until two windows agree for every way: what runs often is compiled meanwhile. Gives how many rounds that took. */
export async function warmUp(ways: readonly Way[], { window, most, apart, within }: WarmUp, options: PairedOptions) {
  let last: readonly number[] = []
  let rounds = 0
  const until = performance.now() + within
  for (let n = 0; n < most && performance.now() < until && !options.signal?.aborted; n++) {
    const { samples, failed } = await interleaved(ways, window, { ...options, from: options.from + rounds })
    rounds += window
    if (failed === window) return rounds
    const medians = samples.map(of => quantile(Float64Array.from(of, s => s.us).sort(), 0.5))
    if (last.length && medians.every((us, i) => Math.abs(us - last[i]!) <= apart * last[i]!)) return rounds
    last = medians
  }
  return rounds
}

/** The latencies of one way, in µs. */
export const latencies = (samples: readonly Sample[]): Float64Array => Float64Array.from(samples, s => s.us)
