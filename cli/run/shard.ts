import { WrongUsage } from '../../kit/errors.ts'
import type { Check, Limits } from '../../kit/types.ts'

/** One part of so many. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Reads `2/4`. Throws WrongUsage. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.of >= 1 && shard.index >= 1 && shard.index <= shard.of) return shard
  throw new WrongUsage(`--shard must be like 2/4, the second of four parts, not ${text}.`)
}

/** What a check costs besides its waiting, in ms. */
const USUAL_MS = 30

/**
 * The checks of this part, in their order: every check is in just one part, the same one for the same choice of checks. Those that wait
 * for long are dealt out first, so that no part waits for all of them.
 */
export function shardOf(checks: readonly Check[], { index, of }: Shard, limits: Limits = {}): readonly Check[] {
  const costOf = ({ waits = 0 }: Check) => USUAL_MS + (typeof waits === 'number' ? waits : waits(limits))
  const loads = new Array<number>(of).fill(0)
  const mine = new Set<string>()
  for (const check of [...checks].sort((a, b) => costOf(b) - costOf(a) || (a.id < b.id ? -1 : 1))) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least]! += costOf(check)
    if (least === index - 1) mine.add(check.id)
  }
  return checks.filter(check => mine.has(check.id))
}
