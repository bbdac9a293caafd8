import type { Judgement } from './types.ts'

/** The verdict on all that was judged: the worst one; of those that are equally bad, the first. */
export function overall(judged: readonly Judgement[]): Judgement {
  const worst = judged.find(j => j.verdict === 'fail') ?? judged.find(j => j.verdict === 'inconclusive') ?? judged[0]
  return worst ?? { scenario: '', verdict: 'inconclusive', at: [], says: 'nothing was measured that a budget is about' }
}
