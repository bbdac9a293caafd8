import { at } from '../json.ts'
import { behind, reply } from '../messages.ts'
import { describe } from '../session.ts'
import type { Claim, Evidence, Exchange, Side } from '../types.ts'

/** How many: a number, or the least and the most. */
export type Count = number | readonly [least: number, most: number]

/** How many, as the target's limits have it. */
export type CountOf = Count | ((evidence: Evidence) => Count)

/** Whether the answer is a JSON-RPC result. */
export const hasResult = (e: Exchange): boolean => at(reply(e), 'result') !== undefined

/** How often each status came, the most frequent first: `10 × 200, 5 × 429`. */
export function tally(exchanges: readonly Exchange[]): string {
  const found = new Map<string, number>()
  for (const e of exchanges) {
    const what = e.response ? String(e.response.status) : (e.failure ?? 'no answer')
    found.set(what, (found.get(what) ?? 0) + 1)
  }
  return [...found]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([what, n]) => `${n} × ${what}`)
    .join(', ')
}

/** All exchanges of the client with one label, taken together. */
export function group(label: string) {
  const about = (
    side: Side,
    says: string,
    refute: (all: readonly Exchange[], evidence: Evidence) => string | undefined,
  ): Claim => ({
    about: side,
    says: `${says} of "${label}"`,
    refute(evidence) {
      const all = evidence.client.filter(e => e.label === label)
      return all.length === 0 ? 'the kit sent no such request' : refute(all, evidence)
    },
  })
  const counted = (says: string, wanted: CountOf, test: (e: Exchange) => boolean): Claim =>
    about('client', says, (all, evidence) => {
      const count = typeof wanted === 'function' ? wanted(evidence) : wanted
      const [least, most] = typeof count === 'number' ? [count, count] : count
      const n = all.filter(test).length
      if (n >= least && n <= most) return undefined
      const range = least === most ? `${least}` : `${least} to ${most}`
      return `${n} of ${all.length}, and not ${range}: ${tally(all)}`
    })
  return {
    /** So many are answered by a result. */
    results: (says: string, count: CountOf) => counted(says, count, hasResult),
    /** So many have this status. */
    status: (says: string, status: number, count: CountOf) => counted(says, count, e => e.response?.status === status),
    /** Each is answered by a result. */
    succeeds: () =>
      about('client', 'a result answers each', all => {
        const failed = all.filter(e => !hasResult(e))
        return failed[0] && `${failed.length} of ${all.length} have none: ${describe(failed[0])}`
      }),
    /** What holds of each that the filter lets through; at least one must be there. */
    each: (
      says: string,
      of: (e: Exchange) => boolean,
      refute: (e: Exchange, evidence: Evidence) => string | undefined,
      side: Side = 'client',
    ) =>
      about(side, says, (all, evidence) => {
        const chosen = all.filter(of)
        if (chosen.length === 0) return `there is none to look at: ${tally(all)}`
        for (const e of chosen) {
          const seen = refute(e, evidence)
          if (seen !== undefined) return seen
        }
        return undefined
      }),
    /** Of those that the filter lets through, nothing reaches a server. */
    neverReach: (says: string, of: (e: Exchange) => boolean) =>
      about('backend', says, (all, evidence) => {
        const reached = all.filter(of).filter(e => behind(evidence, e).length > 0)
        return reached.length ? `${reached.length} of ${all.filter(of).length} reached a server` : undefined
      }),
  }
}
