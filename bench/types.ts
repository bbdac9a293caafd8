import type { Estimate } from '../kit/statistics.ts'
import type { Revision, ServerName } from '../kit/types.ts'

/** What came of one call: how long its whole answer took, in µs, or why it counts as failed. */
export interface Sample {
  readonly us: number
  /** When the first event with data was there, in µs from the sending; undefined where the answer is no stream. */
  readonly firstUs?: number
  /** When each event was there, in the same manner. */
  readonly eventsUs?: readonly number[]
  /** Why it is no measurement: a status, a JSON-RPC error, an answer to something else. */
  readonly fault?: string
}

/** One way by which the same call is sent, over connections of its own. */
export interface Way {
  readonly name: string
  /** Sends call number `n`: no two are alike. Resolves for every answer; rejects where nothing can be sent any more. */
  call(n: number): Promise<Sample>
  close(): void
}

/** The quantiles that are reported. */
export const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const
export type QuantileName = keyof typeof QUANTILES

/** In µs. */
export type Quantiles = Readonly<Record<QuantileName, number>>
/** In µs, each with its 95 % interval. */
export type Estimates = Readonly<Record<QuantileName, Estimate>>

/** What one kind of call costs, by both ways. */
export interface Row {
  /** Its id: `call`, `result-50kb`. */
  readonly scenario: string
  readonly says: string
  /** How the gateway was set up, where several ways were tried. */
  readonly setting?: string
  readonly revision: Revision
  /** How many pairs were measured, and how many more were thrown away as one of their calls failed. */
  readonly pairs: number
  readonly failed: number
  /** What failed calls said, each with how often, most frequent first. */
  readonly faults: readonly { readonly way: string; readonly fault: string; readonly times: number }[]
  /** The share of the time, from 0 to 1, that other programs took from the one that measures. */
  readonly stolen: number
  /** Bytes of one request's body and of one answer's, as sent directly. */
  readonly requestBytes: number
  readonly answerBytes: number
  readonly direct: Quantiles
  readonly through: Quantiles
  readonly added: Estimates
  /** Direct against direct, in the same run: what is no more than this is noise. */
  readonly control: Estimates
  /** Of answers by stream: what is added until the first event, and to each event. */
  readonly first?: Estimates
  readonly events?: Estimates
  /** Of the second gateway, where there is one: its quantiles, and what it adds to those of the first. */
  readonly against?: { readonly through: Quantiles; readonly added: Estimates; readonly more: Estimates }
  /** All latencies in µs, as HdrHistogram V2 (compressed, base64). */
  readonly histograms: Readonly<Record<string, string>>
  /** A coarse picture of the same, for plots: counts between rising edges, in µs. */
  readonly picture: { readonly edges: readonly number[]; readonly counts: Readonly<Record<string, readonly number[]>> }
}

/** Limits on what a gateway may add, in µs. */
export type Budget = Readonly<Partial<Record<QuantileName, number>>>

export type BudgetVerdict = 'pass' | 'fail' | 'inconclusive'

/** Whether the budget holds for one kind of call, and at which quantiles not. */
export interface Judgement {
  readonly scenario: string
  readonly verdict: BudgetVerdict
  readonly at: readonly { readonly quantile: QuantileName; readonly budget: number; readonly verdict: BudgetVerdict }[]
  /** In one sentence. */
  readonly says: string
}

/** Load on one way: so many connections, each with one call at a time; or, with `rate`, so many calls a second, come what may. */
export interface LoadRow {
  readonly way: string
  readonly connections: number
  /** Calls a second that were meant to be sent; latencies are then from when a call was due. */
  readonly rate?: number
  /** Calls that were answered, a second. */
  readonly perSecond: number
  readonly calls: number
  /** Answers that were errors, and calls without an answer: none of them is in the latencies. */
  readonly errors: number
  /** Calls that were due while every connection was taken. */
  readonly dropped?: number
  readonly latency: Quantiles
  /** Why the sender, and not what it measured, was the limit; absent where it was not. */
  readonly limitedBySender?: string
}

/** What can be turned up. */
export type Sweep = 'sessions' | 'routes' | 'payload' | 'concurrency' | 'backends'

/** One step: so much of it, and what calls cost then, in µs. */
export interface Point {
  readonly n: number
  readonly directP50: number
  readonly addedP50: number
  readonly addedP95: number
}

export interface SweepReport {
  readonly by: Sweep
  readonly says: string
  readonly points: readonly Point[]
  readonly growth: Growth
}

/** How cost grows with what is turned up. */
export interface Growth {
  /** The power of n with which what is added beyond the least grows; 0 where it does not grow. */
  readonly order: number
  readonly says: string
}

/** What was measured, where and how. */
export interface BenchReport {
  readonly kind: 'mcp-conformance-bench'
  readonly version: 1
  readonly kit: string
  readonly startedAt: string
  readonly seconds: number
  readonly target: { readonly name: string; readonly url: string; readonly on: readonly string[] }
  readonly against?: { readonly name: string; readonly url: string }
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly memoryMb: number
    readonly node: string
    readonly platform: string
    /** The machine's load (1 minute) when the run began. */
    readonly load: number
  }
  readonly pattern: string
  readonly server?: ServerName
  readonly rows: readonly Row[]
  readonly load: readonly LoadRow[]
  /** How the cost grows with what was turned up; `n` is how much of it. */
  readonly sweeps?: readonly SweepReport[]
  readonly budget: Budget
  readonly verdict: Judgement
  /** What people should know before they believe a figure. */
  readonly notes: readonly string[]
}
