import { answerOf } from '../../kit/admin.ts'
import { tally } from '../../kit/claims/group.ts'
import { shorten } from '../../kit/json.ts'
import { behind } from '../../kit/messages.ts'
import type { Evidence, Exchange, Finding, Result } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'

/** One step of a story, as it was seen: all exchanges of one label. */
export interface Scene {
  readonly label: string
  /** How many requests it was. */
  readonly count: number
  /** What came of them: `10 × 200, 5 × 429`. */
  readonly outcome: string
  /** What is worth knowing besides. */
  readonly notes: readonly string[]
  /** When it began, in ms since the first one. */
  readonly at: number
  /** What was found wrong with it. */
  readonly findings: readonly Finding[]
}

/** Answers that large are worth saying how large. */
const LARGE = 4096
const LONGEST = 100

/** The steps of a check that was judged, out of what both sides saw; and what was found wrong with none of them. */
export function scenes({ evidence, findings }: Result): { scenes: Scene[]; rest: readonly Finding[] } {
  if (!evidence) return { scenes: [], rest: findings }
  const labels = [...new Set(evidence.client.map(e => e.label ?? ''))].filter(
    label => label && !/^initiali/.test(label),
  )
  const about = (label: string) => findings.filter(f => f.claim.endsWith(` of "${label}"`))
  const first = Math.min(...evidence.client.filter(e => labels.includes(e.label ?? '')).map(e => e.at))
  return {
    scenes: labels.map(label => {
      const all = evidence.client.filter(e => e.label === label)
      return {
        label,
        count: all.length,
        outcome: outcome(all, evidence),
        notes: notes(all, evidence),
        at: all[0]!.at - first,
        findings: about(label),
      }
    }),
    rest: findings.filter(f => !labels.some(label => about(label).includes(f))),
  }
}

function outcome(all: readonly Exchange[], evidence: Evidence): string {
  const [one] = all
  if (all.length > 1 || !one) return tally(all)
  const status = one.response ? String(one.response.status) : (one.failure ?? 'no answer')
  if (one.who !== 'admin') return status
  const state = answerOf(evidence.target, 'sessionState', one)
  return typeof state === 'string' ? `${status}, ${state}` : status
}

function notes(all: readonly Exchange[], evidence: Evidence): string[] {
  const one = all.find(e => (e.response?.status ?? 0) >= 400) ?? all[0]!
  const size = one.response?.size ?? 0
  const wait = field(one.response?.headers ?? [], 'retry-after')
  const refused = (one.response?.status ?? 0) >= 400
  const reached = all.filter(e => behind(evidence, e).length > 0).length
  return [
    ...(one.who !== 'admin' && (all.length > 1 || refused) ? [`${reached || 'none'} reached the server`] : []),
    ...(size > LARGE ? [`${size.toLocaleString('en')} bytes`] : []),
    ...(refused && size <= LARGE ? [shorten(one.response?.body ?? '', LONGEST)] : []),
    ...(wait === undefined ? [] : [`Retry-After: ${wait}`]),
  ]
}
