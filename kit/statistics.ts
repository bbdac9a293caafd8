/** Latencies, compared: quantiles, and how sure one can be of their difference. */

/** A value with the ends of its 95 % interval, in the unit of what was measured. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The quantile of sorted values, between the two nearest ones where it falls between (type 7). NaN where there are none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const place = q * (sorted.length - 1)
  const below = Math.floor(place)
  const low = sorted[below]
  if (low === undefined) return Number.NaN
  const high = sorted[below + 1] ?? low
  return low + (high - low) * (place - below)
}

/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface BootstrapOptions {
  /** How often the measurements are drawn anew. */
  readonly draws?: number
  /** Neighbours that are drawn together: what slows a machine down lasts for more than one call. */
  readonly block?: number
  readonly random?: () => number
}

/**
 * What the second way adds to each of the quantiles: quantile of `through` less quantile of `direct`, with a 95 % interval
 * by a block bootstrap over the pairs. The two must be equally long; their order is that in which they were measured.
 */
export function added(
  direct: ArrayLike<number>,
  through: ArrayLike<number>,
  quantiles: readonly number[],
  { draws = 600, block = 25, random = seeded(1) }: BootstrapOptions = {},
): Estimate[] {
  const n = direct.length
  const [a, b] = [ranked(direct), ranked(through)]
  const values = quantiles.map(q => quantile(b.sorted, q) - quantile(a.sorted, q))
  const drawn = quantiles.map(() => new Float64Array(draws))
  const [timesA, timesB] = [new Uint16Array(n), new Uint16Array(n)]
  for (let draw = 0; draw < draws; draw++) {
    timesA.fill(0)
    timesB.fill(0)
    for (let taken = 0; taken < n; ) {
      const from = Math.floor(random() * n)
      for (let i = 0; i < block && taken < n; i++, taken++) {
        const pair = (from + i) % n
        timesA[a.rank[pair]!]!++
        timesB[b.rank[pair]!]!++
      }
    }
    const [atA, atB] = [weighted(a.sorted, timesA, quantiles), weighted(b.sorted, timesB, quantiles)]
    for (let i = 0; i < quantiles.length; i++) drawn[i]![draw] = atB[i]! - atA[i]!
  }
  return values.map((value, i) => {
    const sorted = drawn[i]!.sort()
    // The point is part of its interval, whatever the draws say.
    return { value, low: Math.min(value, quantile(sorted, 0.025)), high: Math.max(value, quantile(sorted, 0.975)) }
  })
}

/** The values in order, and of each measurement the place that it has there. */
function ranked(values: ArrayLike<number>): { sorted: Float64Array; rank: Uint32Array } {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i).sort((i, j) => values[i]! - values[j]!)
  const rank = new Uint32Array(values.length)
  for (let place = 0; place < order.length; place++) rank[order[place]!] = place
  return { sorted: Float64Array.from(order, i => values[i]!), rank }
}

/** The quantiles (in rising order) of sorted values of which each was drawn so many times. */
function weighted(sorted: Float64Array, times: Uint16Array, quantiles: readonly number[]): number[] {
  const found: number[] = []
  let seen = 0
  let next = 0
  const n = sorted.length
  for (let place = 0; place < n && next < quantiles.length; place++) {
    seen += times[place]!
    while (next < quantiles.length && seen > quantiles[next]! * (n - 1)) {
      found.push(sorted[place]!)
      next++
    }
  }
  return found
}

/** Whether a budget holds: `inconclusive` where the interval lies on both sides of it. */
export function within(estimate: Estimate, budget: number): 'pass' | 'fail' | 'inconclusive' {
  if (estimate.high < budget) return 'pass'
  return estimate.low > budget ? 'fail' : 'inconclusive'
}
