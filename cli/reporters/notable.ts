import { counts, known, opposites, type Policy } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'

/** How much a result says against a gateway: it counts, it is a warning, or it could not be judged. */
export type Weight = 'failure' | 'warning' | 'unjudged'

/** A result that is worth a word, and how much. */
export interface Notable {
  readonly result: Result
  readonly weight: Weight
}

/** What failed and counts, then what failed and is a warning, then what could not be judged; nothing that is excused. */
export function notable(report: Report, policy: Policy): Notable[] {
  const all = report.results.flatMap((result): Notable[] => {
    if (result.verdict === 'error') return [{ result, weight: 'unjudged' }]
    if (result.verdict !== 'fail' || known(result, report, policy) || opposites(result, report).length > 0) return []
    return [{ result, weight: counts(result, report, policy) ? 'failure' : 'warning' }]
  })
  const order: readonly Weight[] = ['failure', 'warning', 'unjudged']
  return order.flatMap(weight => all.filter(n => n.weight === weight))
}

/** What was seen first, in one sentence: why it failed, or could not be judged. */
export const seenIn = ({ findings: [first], reason = '' }: Result): string =>
  first ? `expected at the ${first.about}: ${first.claim}; seen: ${first.seen}` : reason

/** What is said of a result in one sentence. */
export const ruleOf = ({ check, verdict }: Result): string =>
  `${verdict === 'error' ? 'could not be judged' : 'does not hold'}: the gateway ${check.title}`
