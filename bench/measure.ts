import { createGauge } from '../kit/gauge.ts'
import { added, type Estimate } from '../kit/statistics.ts'
import type { Revision } from '../kit/types.ts'
import { countsBetween, edgesOf, encoded, quantilesOf } from './histogram.ts'
import { interleaved, latencies, type Measured, type WarmUp, warmUp } from './paired.ts'
import type { Scenario } from './scenarios.ts'
import { type Estimates, QUANTILES, type Row, type Sample } from './types.ts'
import type { OpenWay } from './way.ts'

/** The ways of one scenario, open: direct twice, as the control, then through; the second gateway's where there is one. */
export type Ways = readonly [direct: OpenWay, control: OpenWay, through: OpenWay, against?: OpenWay]

export interface MeasureOptions {
  readonly pairs: number
  readonly warmUp: WarmUp
  /** In ms: on a slow way fewer pairs are measured than were asked for, so that it ends. */
  readonly most: number
  readonly random: () => number
  /** The number of the first call. */
  readonly from: number
  readonly signal?: AbortSignal | undefined
  /** Called with the share that is done, from 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined
}

/** What was measured of one scenario, and how many numbers of calls it took. */
export interface Outcome {
  readonly row: Row
  readonly samples: Measured
  /** The share of the time that other programs took. */
  readonly stolen: number
  readonly calls: number
}

/** The least from which a quantile can be told. */
const LEAST = 20

/** Warms up, measures, and reckons. */
export async function measure(
  scenario: Scenario,
  revision: Revision,
  ways: Ways,
  options: MeasureOptions,
): Promise<Outcome> {
  const open = ways.filter(way => way !== undefined)
  const { random, signal } = options
  const gauge = createGauge()
  const between = gauge.look
  const warm = await warmUp(open, options.warmUp, { random, from: options.from, signal })
  const from = options.from + warm
  const began = performance.now()
  const trial = await interleaved(open, Math.min(LEAST, options.pairs), { random, from, signal, between })
  const each = (performance.now() - began) / Math.min(LEAST, options.pairs)
  const pairs = Math.max(LEAST, Math.min(options.pairs, Math.floor(options.most / each)))
  let done = 0
  const step = () => {
    if (++done % 50 === 0) options.progress?.(done / pairs)
  }
  const rest = await interleaved(open, pairs - LEAST, { random, from: from + LEAST, signal, step, between })
  const samples = joined(trial, rest)
  return {
    row: rowOf(scenario, revision, ways, samples, gauge.stolen()),
    samples,
    stolen: gauge.stolen(),
    calls: warm + pairs,
  }
}

/** Two measurements of the same ways as one. */
export function joined(a: Measured, b: Measured): Measured {
  const faults = new Map(a.faults)
  for (const [way, its] of b.faults) {
    const all = new Map(faults.get(way))
    for (const [fault, times] of its) all.set(fault, (all.get(fault) ?? 0) + times)
    faults.set(way, all)
  }
  return { samples: a.samples.map((of, i) => [...of, ...b.samples[i]!]), failed: a.failed + b.failed, faults }
}

/** What the samples say. Where all failed, every figure is NaN. */
export function rowOf(
  scenario: Scenario,
  revision: Revision,
  ways: Ways,
  { samples, failed, faults }: Measured,
  stolen: number,
): Row {
  const open = ways.filter(way => way !== undefined)
  const [direct, control, through, against] = samples.map(latencies)
  const all = samples.map(latencies)
  const edges = edgesOf(all)
  const names = open.map(way => way.name)
  const streams = samples[0]?.some(s => s.eventsUs !== undefined) ?? false
  return {
    scenario: scenario.id,
    says: scenario.says,
    revision,
    pairs: direct!.length,
    failed,
    faults: [...faults].flatMap(([way, its]) =>
      [...its].sort((a, b) => b[1] - a[1]).map(([fault, times]) => ({ way, fault, times })),
    ),
    stolen: Number(stolen.toFixed(3)),
    requestBytes: ways[0].requestBytes,
    answerBytes: ways[0].answerBytes(),
    direct: quantilesOf(direct!.toSorted()),
    through: quantilesOf(through!.toSorted()),
    added: estimates(direct!, through!),
    control: estimates(direct!, control!),
    ...(streams && {
      first: estimates(firsts(samples[0]!), firsts(samples[2]!)),
      events: estimates(...eachEvent(samples[0]!, samples[2]!)),
    }),
    ...(against && {
      against: {
        through: quantilesOf(against.toSorted()),
        added: estimates(direct!, against),
        more: estimates(through!, against),
      },
    }),
    histograms: Object.fromEntries(all.map((us, i) => [names[i]!, encoded(us)])),
    picture: { edges, counts: Object.fromEntries(all.map((us, i) => [names[i]!, countsBetween(us, edges)])) },
  }
}

/** What the second adds to the first, at every quantile that is reported. */
export function estimates(direct: ArrayLike<number>, through: ArrayLike<number>): Estimates {
  const found = added(direct, through, Object.values(QUANTILES))
  return Object.fromEntries(Object.keys(QUANTILES).map((name, i) => [name, found[i]!])) as Record<
    keyof typeof QUANTILES,
    Estimate
  >
}

const firsts = (samples: readonly Sample[]) => Float64Array.from(samples, s => s.firstUs ?? s.us)

/** When each event was there, of those that both ways had. */
function eachEvent(a: readonly Sample[], b: readonly Sample[]): [number[], number[]] {
  const [first, second]: [number[], number[]] = [[], []]
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i]!.eventsUs ?? [], b[i]!.eventsUs ?? []]
    for (let k = 0; k < Math.min(one.length, other.length); k++) {
      first.push(one[k]!)
      second.push(other[k]!)
    }
  }
  return [first, second]
}
