import { keyOf } from '../compare.ts'
import type { BenchReport, QuantileName } from '../types.ts'

const TOLD: readonly QuantileName[] = ['p50', 'p95', 'p99']

/** For github-action-benchmark, tool `customSmallerIsBetter`: what is added, in µs, with its interval. */
export function githubBenchmark({ rows, machine }: BenchReport): string {
  const entries = rows.flatMap(row =>
    row.pairs === 0
      ? []
      : TOLD.map(quantile => {
          const { value, low, high } = row.added[quantile]
          return {
            name: `${keyOf(row)}: added ${quantile}`,
            unit: 'µs',
            value: round(value),
            range: `${round(low)} to ${round(high)}`,
            extra: `direct ${round(row.direct[quantile])} µs, ${row.pairs} pairs\n${machine.processor}, Node ${machine.node}`,
          }
        }),
  )
  return JSON.stringify(entries, null, 2)
}

/** Bencher Metric Format, adapter `json`: the measure `latency`, which is in ns. */
export function bencher({ rows }: BenchReport): string {
  const entries = rows.flatMap(row =>
    row.pairs === 0
      ? []
      : TOLD.map(quantile => {
          const { value, low, high } = row.added[quantile]
          const latency = { value: ns(value), lower_value: ns(low), upper_value: ns(high) }
          return [`${keyOf(row)}: added ${quantile}`, { latency }] as const
        }),
  )
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

const round = (us: number): number => Number(us.toFixed(1))
const ns = (us: number): number => Math.round(us * 1000)
