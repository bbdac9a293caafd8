import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { quantile } from '../kit/statistics.ts'
import { QUANTILES, type Quantiles } from './types.ts'

/** The quantiles that are reported of sorted values. */
export const quantilesOf = (sorted: ArrayLike<number>): Quantiles =>
  Object.fromEntries(Object.entries(QUANTILES).map(([name, q]) => [name, quantile(sorted, q)])) as Quantiles

/** Latencies in µs as an HdrHistogram of three digits, compressed, in base64; other tools read it. */
export function encoded(us: ArrayLike<number>): string {
  const histogram = build({ bitBucketSize: 32, autoResize: true, numberOfSignificantValueDigits: 3 })
  for (let i = 0; i < us.length; i++) histogram.recordValue(Math.max(1, Math.round(us[i]!)))
  return encodeIntoCompressedBase64(histogram)
}

/** Edges that rise by a constant factor, from the smallest value to the 99.5th of the largest; in µs. */
export function edgesOf(all: readonly ArrayLike<number>[], bars = 48): number[] {
  const sorted = Float64Array.from(all.flatMap(of => Array.from(of))).sort()
  const low = Math.max(1, sorted[0] ?? 1)
  const high = Math.max(low * 1.5, quantile(sorted, 0.995))
  return Array.from({ length: bars + 1 }, (_, i) => Number((low * (high / low) ** (i / bars)).toPrecision(4)))
}

/** How many values lie between each two edges; those beyond the last count there. */
export function countsBetween(values: ArrayLike<number>, edges: readonly number[]): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0)
  for (let i = 0; i < values.length; i++) {
    let at = edges.findIndex((edge, k) => k > 0 && values[i]! < edge) - 1
    if (at < 0) at = counts.length - 1
    counts[at]!++
  }
  return counts
}
