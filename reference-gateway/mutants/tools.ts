import type { Mutant } from './mutant.ts'
import { calls, contents, results } from './tools/calls.ts'
import { entries, lists } from './tools/lists.ts'

export const tools: readonly Mutant[] = [...lists, ...entries, ...calls, ...contents, ...results]
