import { createPacer } from '../kit/pacer.ts'
import { seeded } from '../kit/statistics.ts'
import type { Revision } from '../kit/types.ts'
import { judge } from './budget.ts'
import type { Endpoint } from './endpoint.ts'
import { joined, type MeasureOptions, measure, type Outcome, rowOf, type Ways } from './measure.ts'
import type { WarmUp } from './paired.ts'
import type { Scenario } from './scenarios.ts'
import type { BenchSubject } from './subject.ts'
import type { Budget, Judgement, Row } from './types.ts'
import { openWay, type WayOptions } from './way.ts'

/** One thing to measure: a kind of call, on a gateway as it is set up, in one revision. */
export interface Job {
  readonly scenario: Scenario
  readonly subject: BenchSubject
  readonly against?: BenchSubject
  readonly revision: Revision
  readonly setting?: string
  readonly pairs: number
  /** In ms: what it may take at most. */
  readonly most: number
}

export interface BenchOptions {
  readonly budget: Budget
  readonly seed: number
  readonly signal?: AbortSignal
  /** Told often: what is measured now, and which share of all is done. */
  readonly progress?: (now: string, share: number) => void
}

export interface Measurements {
  readonly rows: readonly Row[]
  /** Of each row that the budget is about. */
  readonly judged: readonly Judgement[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

const WARM_UP = { window: 300, most: 12, apart: 0.1 }
/** Sessions over which calls go in turn where each may send only so many a second. */
const SESSIONS = 50

/** Measures one after the other: two at the same time would measure each other. */
export async function bench(jobs: readonly Job[], options: BenchOptions): Promise<Measurements> {
  const random = seeded(options.seed)
  const rows: Row[] = []
  const judged: Judgement[] = []
  const notes: string[] = []
  const whole = jobs.reduce((sum, job) => sum + weightOf(job), 0)
  let done = 0
  let from = 1
  for (const job of jobs) {
    if (options.signal?.aborted) break
    const what = job.scenario.says + (job.setting ? `, ${job.setting}` : '')
    const progress = (share: number) => options.progress?.(what, (done + share * weightOf(job)) / whole)
    progress(0)
    const reason = whyNot(job)
    if (reason) notes.push(`${what} was left out: ${reason}`)
    else {
      try {
        const { row, judgement, calls } = await one(job, { ...options, random, from, progress })
        from += calls
        rows.push(row)
        if (judgement) judged.push(judgement)
      } catch (cause) {
        notes.push(`${what} could not be measured: ${(cause as Error).message}`)
      }
    }
    done += weightOf(job)
  }
  return { rows, judged, notes }
}

/** What a job is likely to take, in whatever unit. */
const weightOf = ({ pairs, scenario }: Job): number => (pairs + 600) * (scenario.id === 'result-2mb' ? 30 : 1)

function whyNot({ scenario, subject }: Job): string | undefined {
  const missing = (scenario.needs ?? []).filter(f => !subject.target.features.includes(f))
  if (missing.length) return `the target does not have ${missing.join(', ')}`
  return scenario.ruledOut?.(subject.target.limits)
}

interface OneOptions extends Omit<BenchOptions, 'progress'> {
  readonly random: () => number
  readonly from: number
  readonly progress: (share: number) => void
}

/** One job; where the budget can't be decided by it, once more, and both together. */
async function one(job: Job, options: OneOptions) {
  const { scenario, revision, pairs, most, setting } = job
  const ways = await waysOf(job)
  try {
    const given: MeasureOptions = { ...options, pairs, most, warmUp: warmUpOf(job) }
    let outcome = await measure(scenario, revision, ways, given)
    let judgement = scenario.judged && judge(outcome.row, options.budget)
    if (judgement?.verdict === 'inconclusive' && outcome.row.pairs > 0 && !options.signal?.aborted) {
      outcome = await again(job, ways, outcome, given)
      judgement = judge(outcome.row, options.budget)
    }
    const row = setting === undefined ? outcome.row : { ...outcome.row, setting }
    return { row, judgement, calls: outcome.calls }
  } finally {
    for (const way of ways) await way?.end()
  }
}

async function again(
  { scenario, revision }: Job,
  ways: Ways,
  before: Outcome,
  given: MeasureOptions,
): Promise<Outcome> {
  const next = await measure(scenario, revision, ways, { ...given, from: given.from + before.calls })
  const samples = joined(before.samples, next.samples)
  const stolen = Math.max(before.stolen, next.stolen)
  return { row: rowOf(scenario, revision, ways, samples, stolen), samples, stolen, calls: before.calls + next.calls }
}

const warmUpOf = ({ pairs, most }: Job): WarmUp => ({
  ...WARM_UP,
  window: Math.min(WARM_UP.window, Math.max(5, Math.round(pairs / 2))),
  within: most / 4,
})

async function waysOf({ scenario, subject, against, revision }: Job): Promise<Ways> {
  const there = await subject.through(revision)
  const other = await against?.through(revision)
  return [
    await openWay(subject.direct(revision), scenario),
    await openWay(subject.direct(revision, 'control'), scenario),
    await openWay(there, scenario, pacedBy(subject)),
    ...(other ? [await openWay({ ...other, name: 'against' } satisfies Endpoint, scenario, pacedBy(against!))] : []),
  ] as unknown as Ways
}

/** Where a gateway limits the rate of a session, calls go over many sessions, each below its rate. */
function pacedBy({ target: { limits } }: BenchSubject): WayOptions {
  const { rps, window = 1 } = limits
  if (rps === undefined) return {}
  const pacer = createPacer(rps, window)
  return {
    sessions: SESSIONS,
    async pace(session) {
      const wait = pacer.place(session)
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    },
  }
}
