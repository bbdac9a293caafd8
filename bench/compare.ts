import { isBusy } from '../kit/gauge.ts'
import type { Estimate } from '../kit/statistics.ts'
import { sayUs } from './budget.ts'
import { change, DEFAULT_THRESHOLD, type Threshold } from './change.ts'
import type { BenchReport, QuantileName, Row } from './types.ts'

/** What has changed in one kind of call. */
export interface Change {
  readonly scenario: string
  readonly quantile: QuantileName
  readonly verdict: 'slower' | 'faster' | 'same'
  /** In µs of the machine of the newer report. */
  readonly difference: Estimate
  /** In one sentence. */
  readonly says: string
}

/** The quantiles at which a change counts: higher ones differ from run to run by themselves. */
const COMPARED: readonly QuantileName[] = ['p50', 'p95']
/** Of fewer pairs than this the 95th percentile is a handful of calls: what differs there is chance. */
const ENOUGH_FOR_P95 = 500

const comparedIn = ({ pairs }: Row): readonly QuantileName[] =>
  COMPARED.filter(q => q === 'p50' || pairs >= ENOUGH_FOR_P95)

/**
 * How much a gateway's figures differ between runs in which nothing was changed, as a share: processes land on other cores, code
 * is compiled in another order. Two gateways in one run do not have that.
 */
const BETWEEN_RUNS = 0.25

/** What names a row in two reports. */
export const keyOf = ({ scenario, setting, revision }: Row): string =>
  [scenario, revision, setting].filter(Boolean).join(', ')

/**
 * Two reports of the same gateway at different times, perhaps on different machines. What was added before is put in proportion
 * to the direct call of its run, so that a faster machine is no progress; as direct calls differ between runs by themselves, a
 * change must show without that, too.
 */
export function compare(base: BenchReport, head: BenchReport, threshold: Threshold = DEFAULT_THRESHOLD): Change[] {
  const before = new Map(base.rows.map(row => [keyOf(row), row]))
  return head.rows.flatMap(row => {
    const old = before.get(keyOf(row))
    if (!old || old.pairs === 0 || row.pairs === 0 || isBusy(old.stolen) || isBusy(row.stolen)) return []
    return comparedIn(row).map(quantile => {
      const sides = [1, row.direct.p50 / old.direct.p50].map(scale => {
        const was = scaled(old.added[quantile], scale)
        return { was: was.value, difference: less(row.added[quantile], was, BETWEEN_RUNS * was.value) }
      })
      const [one, other] = sides.map(side => change(side.difference, side.was, threshold))
      const [smaller] = sides.sort((a, b) => Math.abs(a.difference.value) - Math.abs(b.difference.value))
      return said(row, quantile, smaller!.difference, smaller!.was, one === other ? one! : 'same', 'before')
    })
  })
}

/** Two gateways that were measured in one run: `head` is the one that `--against` is compared with. */
export function compareAgainst(head: BenchReport, threshold: Threshold = DEFAULT_THRESHOLD): Change[] {
  return head.rows.flatMap(row => {
    const { against } = row
    if (!against || row.pairs === 0 || isBusy(row.stolen)) return []
    return comparedIn(row).map(quantile => {
      const { value, low, high } = against.more[quantile]
      // Two ways that are the same differ by so much in this very run.
      const noise = Math.abs(row.control[quantile].value)
      const difference = { value: -value, low: -high - noise, high: -low + noise }
      const base = against.added[quantile].value
      return said(row, quantile, difference, base, change(difference, base, threshold), 'the other one')
    })
  })
}

const scaled = ({ value, low, high }: Estimate, by: number): Estimate => ({
  value: value * by,
  low: low * by,
  high: high * by,
})

/** The difference of two independent estimates; `noise` (µs) is what is no difference. */
function less(a: Estimate, b: Estimate, noise: number): Estimate {
  const value = a.value - b.value
  return {
    value,
    low: value - Math.hypot(a.value - a.low, b.high - b.value) - noise,
    high: value + Math.hypot(a.high - a.value, b.value - b.low) + noise,
  }
}

const nameOf = ({ says, setting }: Row): string => (setting ? `${says}, ${setting}` : says)

function said(
  row: Row,
  quantile: QuantileName,
  difference: Estimate,
  base: number,
  verdict: Change['verdict'],
  than: string,
): Change {
  const { value, low, high } = difference
  const ends = [low, high].map(Math.abs).sort((a, b) => a - b)
  const amount = `${sayUs(Math.abs(value))} (95 % sure: ${sayUs(ends[0]!)} to ${sayUs(ends[1]!)})`
  const says = {
    slower: `${nameOf(row)}: it adds ${amount} more at ${quantile} than ${than}, which added ${sayUs(base)}`,
    faster: `${nameOf(row)}: it adds ${amount} less at ${quantile} than ${than}, which added ${sayUs(base)}`,
    same: `${nameOf(row)}: as ${than} at ${quantile}`,
  }[verdict]
  return { scenario: keyOf(row), quantile, verdict, difference, says }
}
