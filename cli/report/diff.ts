import type { Report, Result, Verdict } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'
import { seenIn } from '../reporters/notable.ts'
import { several, visible, wrap } from '../words.ts'

/** How a check came out before and after. */
export interface Change {
  readonly id: string
  readonly revision: string
  readonly before?: Verdict
  readonly after?: Verdict
  readonly result: Result
}

export interface Diff {
  /** Failed now, and did not before. */
  readonly broken: readonly Change[]
  /** Failed before, and passes now. */
  readonly fixed: readonly Change[]
  /** Another verdict, and neither of these. */
  readonly changed: readonly Change[]
  readonly added: readonly Change[]
  readonly removed: readonly Change[]
  readonly same: number
}

/** What has changed from one report to another. */
export function diff(before: Report, after: Report): Diff {
  const key = ({ check, revision, on }: Result) => `${check.id} ${revision} ${on ?? ''}`
  const old = new Map(before.results.map(r => [key(r), r]))
  const now = new Map(after.results.map(r => [key(r), r]))
  const change = (result: Result, was?: Result, is?: Result): Change => ({
    id: result.check.id,
    revision: result.revision,
    ...(was && { before: was.verdict }),
    ...(is && { after: is.verdict }),
    result,
  })
  const both = [...now].flatMap(([k, r]) =>
    old.has(k) && old.get(k)!.verdict !== r.verdict ? [change(r, old.get(k), r)] : [],
  )
  const added = [...now].flatMap(([k, r]) => (old.has(k) ? [] : [change(r, undefined, r)]))
  const isBroken = (c: Change) => c.after === 'fail'
  return {
    broken: [...both, ...added].filter(isBroken),
    fixed: both.filter(c => c.before === 'fail' && c.after === 'pass'),
    changed: both.filter(c => !isBroken(c) && !(c.before === 'fail' && c.after === 'pass')),
    added: added.filter(c => !isBroken(c)),
    removed: [...old].flatMap(([k, r]) => (now.has(k) ? [] : [change(r, r)])),
    same: [...now].filter(([k, r]) => old.get(k)?.verdict === r.verdict).length,
  }
}

/** A diff for people: what broke last, nearest the prompt. */
export function diffText(d: Diff, paint: Paint, columns: number): string[] {
  const from = ({ before, after }: Change) => `${before ?? 'not there'} → ${after ?? 'not there'}`
  const list = (title: string, changes: readonly Change[], colour: (text: string) => string, detailed = false) =>
    changes.length === 0
      ? []
      : [
          paint.bold(`${title} (${changes.length})`),
          ...changes.flatMap(c => [
            `  ${colour(c.id)}  ${c.revision}  ${paint.dim(from(c))}`,
            ...(detailed && seenIn(c.result) ? wrap(visible(seenIn(c.result)), columns, '    ') : []),
          ]),
          '',
        ]
  return [
    ...list('No longer judged', d.removed, paint.dim),
    ...list('New, and not failed', d.added, paint.dim),
    ...list('Changed', d.changed, paint.yellow),
    ...list('Fixed', d.fixed, paint.green),
    ...list('Newly failed', d.broken, paint.red, true),
    `${d.broken.length} newly failed, ${d.fixed.length} fixed, ${d.changed.length} changed, ${d.added.length} new, ${several(d.removed.length, 'check')} gone, ${d.same} as before`,
  ]
}
