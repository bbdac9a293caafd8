import type { BenchReport, Estimates, QuantileName, Row } from '../bench/types.ts'
import type { Estimate } from '../kit/statistics.ts'

/** An estimate that is sure within so much to both sides; in µs. */
export const sure = (value: number, by: number): Estimate => ({ value, low: value - by, high: value + by })

const estimates = (given: Partial<Record<QuantileName, Estimate>>): Estimates => {
  const usual = sure(200, 10)
  return { p50: usual, p90: usual, p95: usual, p99: usual, ...given }
}

/** A row of a report in which the gateway adds this; in all else it is unremarkable. */
export function row(
  added: Partial<Record<QuantileName, Estimate>>,
  more: Partial<Pick<Row, 'stolen' | 'pairs' | 'failed' | 'faults' | 'setting'>> & {
    directP50?: number
    against?: Estimate
  } = {},
): Row {
  const { directP50 = 100, against, ...rest } = more
  const direct = { p50: directP50, p90: directP50 * 1.2, p95: directP50 * 1.3, p99: directP50 * 2 }
  const even = estimates({ p50: sure(0, 2), p90: sure(0, 2), p95: sure(0, 3), p99: sure(0, 20) })
  return {
    scenario: 'call',
    says: 'a small tool call',
    revision: '2025-11-25',
    pairs: 1000,
    failed: 0,
    faults: [],
    stolen: 0,
    requestBytes: 300,
    answerBytes: 330,
    direct,
    through: { p50: directP50 + 200, p90: directP50 + 220, p95: directP50 + 240, p99: directP50 + 400 },
    added: estimates(added),
    control: even,
    ...(against && {
      against: { through: direct, added: estimates({}), more: estimates({ p50: against, p95: against }) },
    }),
    histograms: {},
    picture: { edges: [100, 200, 400], counts: { direct: [900, 100], through: [0, 1000] } },
    ...rest,
  }
}

/** A report with these rows. */
export const benchReport = (rows: readonly Row[]): BenchReport => ({
  kind: 'mcp-conformance-bench',
  version: 1,
  kit: '0.0.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  seconds: 10,
  target: { name: 'gateway', url: 'http://127.0.0.1:8080/mcp', on: [] },
  machine: { processor: 'p', cores: 2, memoryMb: 4096, node: 'v20.19.0', platform: 'linux', load: 0 },
  pattern: 'one call at a time',
  rows,
  load: [],
  budget: { p50: 5000, p95: 5000 },
  verdict: { scenario: 'call', verdict: 'pass', at: [], says: 'it holds' },
  notes: [],
})
