import type { Mutant } from './mutant.ts'

export const aggregation: readonly Mutant[] = []
