import { blame, isBusy } from '../kit/gauge.ts'
import { within } from '../kit/statistics.ts'
import { type Budget, type BudgetVerdict, type Judgement, QUANTILES, type QuantileName, type Row } from './types.ts'

/** 5 ms at the median and at the 95th percentile. */
export const DEFAULT_BUDGET: Budget = { p50: 5000, p95: 5000 }

/** With a larger share of failed pairs, those that did not fail are no fair sample. */
const MOST_FAILED = 0.1

const UNITS: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1000, s: 1_000_000 }

/** Reads `p50=5ms,p95=5ms`; a number alone, `5ms`, is for both of these. Gives a sentence where it can't be read. */
export function readBudget(text: string): Budget | string {
  const budget: Partial<Record<QuantileName, number>> = {}
  for (const part of text.split(',')) {
    const [, name, number = '', unit = 'ms'] =
      /^\s*(?:(\w+)\s*=)?\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s)?\s*$/.exec(part) ?? []
    const us = Number(number) * UNITS[unit]!
    if (!number || !(us > 0)) return `${JSON.stringify(part.trim())} is no budget: write it as p50=5ms,p95=5ms`
    if (name === undefined) {
      budget.p50 = us
      budget.p95 = us
    } else if (Object.hasOwn(QUANTILES, name)) budget[name as QuantileName] = us
    else return `there is no quantile ${name}: there are ${Object.keys(QUANTILES).join(', ')}`
  }
  return budget
}

/** In the unit in which people read it: `0.24 ms`, `38 µs`. */
export const sayUs = (us: number): string =>
  Math.abs(us) >= 999.5 ? `${(us / 1000).toPrecision(3)} ms` : `${Math.round(us)} µs`

/** Whether what a gateway adds stays within the budget. */
export function judge(row: Row, budget: Budget): Judgement {
  const { scenario } = row
  const names = Object.keys(budget) as QuantileName[]
  if (row.pairs === 0) return { scenario, verdict: 'inconclusive', at: [], says: `every call failed: ${worst(row)}` }
  const share = row.failed / (row.failed + row.pairs)
  if (share > MOST_FAILED) {
    const says = `${Math.round(share * 100)} % of the calls failed, most with ${worst(row)}: what is left says too little`
    return { scenario, verdict: 'inconclusive', at: [], says }
  }
  const at = names.map(quantile => {
    const limit = budget[quantile]!
    const verdict = within(row.added[quantile], limit)
    const isExcused = verdict === 'fail' && blame(row.added[quantile].low, QUANTILES[quantile], row.stolen) <= limit
    return { quantile, budget: limit, verdict: isExcused ? ('inconclusive' as const) : verdict }
  })
  const verdict: BudgetVerdict = at.some(a => a.verdict === 'fail')
    ? 'fail'
    : at.every(a => a.verdict === 'pass')
      ? 'pass'
      : 'inconclusive'
  const first = at.find(a => a.verdict === verdict)!
  const { value, low, high } = row.added[first.quantile]
  const figure = `${sayUs(value)} at ${first.quantile} (95 % sure: ${sayUs(low)} to ${sayUs(high)})`
  const says = {
    pass: `it adds ${names.map(n => `${sayUs(row.added[n].value)} at ${n}`).join(', ')}: within the budget of ${sayBudget(budget)}`,
    fail: `it adds ${figure}: more than the budget of ${sayUs(first.budget)}`,
    inconclusive: isBusy(row.stolen)
      ? `this machine is too busy to tell: other programs took ${Math.round(row.stolen * 100)} % of the time, and it adds ${figure}`
      : `it adds ${figure}, and the budget of ${sayUs(first.budget)} lies between: more pairs would tell`,
  }[verdict]
  return { scenario, verdict, at, says }
}

/** `p50=5.00 ms, p95=5.00 ms`. */
export const sayBudget = (budget: Budget): string =>
  Object.entries(budget)
    .map(([name, us]) => `${sayUs(us)} at ${name}`)
    .join(', ')

/** What most failed calls said. */
export function worst({ faults }: Pick<Row, 'faults'>): string {
  const [first] = [...faults].sort((a, b) => b.times - a.times)
  return first ? `${first.fault} (${first.way}, ${first.times} times)` : 'nothing was sent'
}
