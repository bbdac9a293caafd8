import type { Mutant } from './mutant.ts'
import { ends, ids } from './sessions/ids.ts'
import { lifecycle, several } from './sessions/lifecycle.ts'

/** Gateways that get sessions wrong: their ids, their beginning and end, and what belongs to whom. */
export const sessions: readonly Mutant[] = [...ids, ...ends, ...lifecycle, ...several]
