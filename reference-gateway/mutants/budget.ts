import { counting } from './budget/counting.ts'
import { refusing } from './budget/refusing.ts'
import type { Mutant } from './mutant.ts'

export const budget: readonly Mutant[] = [...counting, ...refusing]
