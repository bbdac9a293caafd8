import type { Mutant } from './mutant.ts'

export const errors: readonly Mutant[] = []
