import type { Revision } from '../kit/types.ts'
import type { Job } from './bench.ts'
import type { Scenario } from './scenarios.ts'
import type { BenchSubject } from './subject.ts'

export interface PlanOptions {
  readonly quick: boolean
  readonly scenarios: readonly Scenario[]
  /** Whether they were named: then they are measured even where a quick run leaves them out. */
  readonly named: boolean
  /** Pairs of the scenario that the budget is about. */
  readonly pairs?: number
  readonly revisions?: readonly Revision[]
}

/** How often the scenario of the budget is measured for 3,000 pairs. */
const ROUNDS = 3
/** What one job may take at most, in ms. */
const MOST = { whole: 9000, quick: 3500 } as const

/** What is measured on one gateway: every scenario in its newest revision, and the one of the budget in the others, too. */
export function plan(subject: BenchSubject, options: PlanOptions, against?: BenchSubject): Job[] {
  const { quick, scenarios, named } = options
  const spoken = options.revisions ?? subject.target.revisions
  const newest = spoken.at(-1) ?? '2025-11-25'
  const job = (scenario: Scenario, revision: Revision, pairs: number): Job => ({
    scenario,
    subject,
    ...(against && { against }),
    revision,
    pairs,
    most: quick ? MOST.quick : MOST.whole,
  })
  const jobs = scenarios.flatMap(scenario => {
    const usual = quick ? (named ? Math.max(scenario.quick, 50) : scenario.quick) : scenario.pairs
    const pairs = scenario.judged ? (options.pairs ?? usual * (quick ? 1 : ROUNDS)) : usual
    return pairs > 0 ? [job(scenario, newest, pairs)] : []
  })
  const judged = scenarios.find(s => s.judged)
  const others = quick && !options.revisions ? [] : spoken.filter(r => r !== newest)
  return [...jobs, ...(judged ? others.map(revision => job(judged, revision, options.pairs ?? 1000)) : [])]
}
