import type { Mutant } from './mutant.ts'

export const envelope: readonly Mutant[] = []
