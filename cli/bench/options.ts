import { DEFAULT_BUDGET, readBudget } from '../../bench/budget.ts'
import { SCENARIOS } from '../../bench/scenarios.ts'
import type { Budget } from '../../bench/types.ts'
import { WrongUsage } from '../../kit/errors.ts'
import type { Revision } from '../../kit/types.ts'
import { type Arguments, oneOf, wholeNumber } from '../arguments.ts'
import { readRevisions } from '../wanted.ts'

/** What the command line says of a measurement. */
export interface Wishes {
  readonly quick: boolean
  readonly budget: Budget
  readonly only?: readonly string[]
  readonly pairs?: number
  readonly revisions?: readonly Revision[]
  readonly seed: number
}

/** Reads and checks the flags. Throws WrongUsage. */
export function readWishes(args: Arguments): Wishes {
  const budget = args.value('budget')
  const read = budget === undefined ? DEFAULT_BUDGET : readBudget(budget)
  if (typeof read === 'string') throw new WrongUsage(`--budget: ${read}.`)
  const only = args.words('scenario').map(word =>
    oneOf(
      word,
      SCENARIOS.map(s => s.id),
      'scenario',
    ),
  )
  const pairs = args.value('pairs')
  const revisions = readRevisions(args)
  return {
    quick: args.has('quick'),
    budget: read,
    ...(only.length && { only }),
    ...(pairs !== undefined && { pairs: wholeNumber(pairs, 'pairs', 20, 1_000_000) }),
    ...(revisions && { revisions }),
    seed: wholeNumber(args.value('seed') ?? String(Date.now() % 1_000_000), 'seed', 0, 4_294_967_295),
  }
}
