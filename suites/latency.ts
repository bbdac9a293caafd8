import { check, claim, suite } from '../kit/define.ts'
import { added, type Estimate, quantile } from '../kit/statistics.ts'
import { crossChecked, decidable, open, pairs, times } from '../kit/steps.ts'
import type { Check, Claim, Evidence, Limits } from '../kit/types.ts'
import { platform } from './spec.ts'

/** What the gateway may add to a call, in ms. */
const budgetOf = ({ addedMs = 5 }: Limits): number => addedMs

/** How long answers took, in ms, in the order in which the calls were sent; only calls that were answered on both ways. */
function taken({ client }: Evidence, as: string, first = false): { direct: number[]; through: number[] } {
  const of = (way: string) => client.filter(e => e.label === `${as} ${way}`)
  const [direct, through] = [of('direct'), of('through')]
  const both = direct.flatMap((d, i) => {
    const t = through[i]
    if (d.endedAt === undefined || t?.endedAt === undefined) return []
    if (d.response?.status !== 200 || t.response?.status !== 200) return []
    const until = (e: typeof d) => (first ? (e.events[0]?.at ?? e.endedAt!) : e.endedAt!)
    return [{ d: until(d) - d.at, t: until(t) - t.at }]
  })
  return { direct: both.map(b => b.d), through: both.map(b => b.t) }
}

const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5)

/** What is added at the median, with its interval, in ms. */
function medianAdded(evidence: Evidence, as: string, first = false): Estimate {
  const { direct, through } = taken(evidence, as, first)
  return added(direct, through, [0.5], { draws: 200, block: 10 })[0]!
}

/** Calls that came later than the budget allows, by the usual time of a direct one: as a share of all. */
function shareOfLate(evidence: Evidence, way: 'direct' | 'through'): number {
  const all = taken(evidence, 'call')
  const bound = median(all.direct) + budgetOf(evidence.target.limits)
  return all[way].filter(ms => ms >= bound).length / all[way].length
}

const figure = ({ value, low, high }: Estimate): string =>
  `${value.toFixed(2)} ms (95 % sure: ${low.toFixed(2)} to ${high.toFixed(2)})`

/** Most of the calls were answered: the rest is for other checks to judge. */
const answered = (as: string): Claim =>
  claim('client', 'nine of ten calls are answered on both ways', evidence => {
    const sent = evidence.client.filter(e => e.label === `${as} through`).length
    const { through } = taken(evidence, as)
    return through.length >= 0.9 * sent && sent > 0 ? undefined : `${through.length} of ${sent} are`
  })

/** One call in so many is at the 95th percentile. */
const IN_TWENTY = 1 / 20
/** As many as eight slow ones among them make a share that is no chance. */
const PAIRS = 160

/** Refuted where even the lower end is over the budget; what lies between is repeated, then not decided. */
const p50: Claim = claim('client', 'it adds less than the budget at the median', evidence => {
  const estimate = medianAdded(evidence, 'call')
  const budget = budgetOf(evidence.target.limits)
  return estimate.low <= budget ? undefined : `it adds ${figure(estimate)}; the budget is ${budget} ms`
})

const p95: Claim = claim('client', 'fewer than one call in twenty comes later than the budget allows', evidence => {
  const share = shareOfLate(evidence, 'through')
  const budget = budgetOf(evidence.target.limits)
  return share < IN_TWENTY ? undefined : `${(share * 100).toFixed(1)} % come more than ${budget} ms later`
})

/** Where direct calls are that late, too, it is not the gateway. */
const steady: Claim = claim('client', 'direct calls hardly ever come so late', evidence => {
  const share = shareOfLate(evidence, 'direct')
  return share < IN_TWENTY / 2 ? undefined : `${(share * 100).toFixed(1)} % do`
})

const firstEvent: Claim = claim('client', 'the first event is held back by less than the budget', evidence => {
  const estimate = medianAdded(evidence, 'stream', true)
  const budget = budgetOf(evidence.target.limits)
  return estimate.low <= budget ? undefined : `it comes ${figure(estimate)} later; the budget is ${budget} ms`
})

/** Sessions that are opened on the way, and what calls may cost more for it, as a share of the budget. */
const SESSIONS = 50
const MORE = 0.4

const growth: Claim = claim('client', `a call costs no more with ${SESSIONS} sessions open`, evidence => {
  const [before, after] = [medianAdded(evidence, 'before'), medianAdded(evidence, 'after')]
  const most = MORE * budgetOf(evidence.target.limits)
  return after.low - before.high <= most ? undefined : `before it added ${figure(before)}, then ${figure(after)}`
})

const openMany = times(SESSIONS, 'opens a session', i => open({ who: `crowd ${i}` }))

const latency = (
  id: string,
  c: Pick<Check, 'title' | 'level' | 'why' | 'steps' | 'given'> & { readonly claim: Claim },
): Check => {
  const { claim: one, ...rest } = c
  return check({
    id: `latency/${id}`,
    pack: 'policy',
    spec: platform('latency'),
    needs: ['intermediary', 'http-backend'],
    // Whoever shares the processor would be measured, too.
    alone: true,
    ...rest,
    claims: [one],
  })
}

export default suite({
  id: 'latency',
  title: 'What the gateway adds to the time of a call',
  checks: [
    latency('budget-at-median', {
      title: 'adds less than its budget of 5 ms to a call, at the median',
      level: 'MUST',
      why: 'An agent makes dozens of calls for one answer: what each of them costs more, the user waits for dozens of times.',
      steps: [pairs(80), decidable('call', p50, 0.5, () => pairs(80)), crossChecked(30)],
      given: [answered('call')],
      claim: p50,
    }),
    latency('budget-at-p95', {
      title: 'adds less than its budget of 5 ms to nineteen calls in twenty',
      level: 'MUST',
      why: 'Of dozens of calls one is in the slowest twentieth, and the whole answer waits for it.',
      steps: [pairs(PAIRS), decidable('call', p95, 0.95, () => pairs(PAIRS))],
      given: [answered('call'), steady],
      claim: p95,
    }),
    latency('first-event-at-once', {
      title: 'holds the first progress of a call back for less than its budget of 5 ms',
      level: 'SHOULD',
      why: 'Progress is there for somebody who waits: a gateway that gathers events tells of the past.',
      steps: [
        pairs(30, { tool: 'count', args: { to: 3, as: 'sse' }, streams: true, as: 'stream' }),
        decidable('stream', firstEvent, 0.5, () =>
          pairs(30, { tool: 'count', args: { to: 3, as: 'sse' }, streams: true, as: 'stream' }),
        ),
      ],
      given: [answered('stream')],
      claim: firstEvent,
    }),
    latency('no-growth-with-sessions', {
      title: 'answers as fast with fifty sessions open as with one',
      level: 'SHOULD',
      why: 'What is looked for in a list of all sessions costs nothing in a trial, and everything on a working day.',
      steps: [pairs(30, { as: 'before' }), openMany, pairs(30, { as: 'after' }), decidable('after', growth, 0.5)],
      given: [answered('before'), answered('after')],
      claim: growth,
    }),
  ],
})
