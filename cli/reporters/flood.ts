import type { Result } from '../../kit/types.ts'

/** From this one on, failures that are alike are counted. */
const TOLD = 9

/** Failures without those that are like nine others before them, and how many of each kind were left out. */
export function withoutFlood(failures: readonly Result[]): {
  readonly shown: readonly Result[]
  readonly more: ReadonlyMap<Result, number>
} {
  const kinds = new Map<string, Result[]>()
  const shown: Result[] = []
  const more = new Map<Result, number>()
  for (const result of failures) {
    const kind = kindOf(result)
    const its = kinds.get(kind) ?? []
    kinds.set(kind, [...its, result])
    if (its.length < TOLD) shown.push(result)
    else more.set(its[0]!, (more.get(its[0]!) ?? 0) + 1)
  }
  return { shown, more }
}

/** What was seen, without marks and figures, which differ by themselves. */
const kindOf = ({ findings: [first], verdict, reason = '' }: Result): string =>
  `${verdict} ${(first?.seen ?? reason).replace(/mcpc-[\w.]+|\d+/g, '#').slice(0, 200)}`
