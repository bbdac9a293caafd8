import type { Mutant } from './mutant.ts'

export const sessions: readonly Mutant[] = []
