import type { Mutant } from './mutant.ts'
import { lists } from './resources/lists.ts'
import { reads } from './resources/reads.ts'

export const resources: readonly Mutant[] = [...lists, ...reads]
