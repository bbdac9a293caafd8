import { WrongUsage } from '../../kit/errors.ts'
import { sayUs } from '../budget.ts'
import { QUANTILES, type QuantileName } from '../types.ts'

type Values = Readonly<Record<string, number>>

/** What the script leaves: of each call the quantiles on both ways, in ms. */
export interface K6Summary {
  readonly kind: 'mcp-conformance-k6'
  readonly version: 1
  readonly vus: number
  readonly duration: string
  readonly budget: Readonly<Partial<Record<QuantileName, number>>>
  readonly faults: number
  readonly rows: readonly { readonly call: string; readonly direct: Values; readonly through: Values }[]
}

const K6_NAMES: Readonly<Record<QuantileName, string>> = { p50: 'med', p90: 'p(90)', p95: 'p(95)', p99: 'p(99)' }

/** Checks what was read. Throws WrongUsage where it is no such summary. */
export function asK6Summary(value: unknown, name: string): K6Summary {
  const { kind, version, rows } = (value ?? {}) as Partial<K6Summary>
  if (kind === 'mcp-conformance-k6' && version === 1 && Array.isArray(rows)) return value as K6Summary
  throw new WrongUsage(
    `${name} is no summary of k6: the script of mcp-conformance bench --export k6 leaves mcp-conformance-k6.json.`,
  )
}

/** What is added, in µs: quantile through less quantile direct. NaN where one of them is missing. */
export const addedBy = ({ direct, through }: K6Summary['rows'][number], quantile: QuantileName): number =>
  1000 * ((through[K6_NAMES[quantile]] ?? Number.NaN) - (direct[K6_NAMES[quantile]] ?? Number.NaN))

/** The summary in lines, and whether its budget holds; there is no interval, as k6 keeps no pairs. */
export function readK6(summary: K6Summary): { readonly lines: readonly string[]; readonly holds: boolean } {
  const names = Object.keys(QUANTILES) as QuantileName[]
  const judged = Object.entries(summary.budget) as [QuantileName, number][]
  const over = summary.rows.flatMap(row =>
    judged.flatMap(([quantile, ms]) => {
      const us = addedBy(row, quantile)
      return us <= ms * 1000
        ? []
        : [
            `✗ ${row.call}: it adds ${Number.isNaN(us) ? 'nothing that was measured' : sayUs(us)} at ${quantile}, more than the budget of ${ms} ms`,
          ]
    }),
  )
  const lines = summary.rows.map(
    row => `${row.call.padEnd(14)}${names.map(name => `${name} +${sayUs(addedBy(row, name))}`.padStart(18)).join('')}`,
  )
  const faults = summary.faults ? [`✗ ${summary.faults} calls failed, and count for nothing`] : []
  const end = over.length + faults.length ? [...over, ...faults] : ['✓ Within the budget.']
  return {
    lines: [`k6, ${summary.vus} virtual users, ${summary.duration}`, ...lines, ...end],
    holds: over.length + faults.length === 0,
  }
}
