import type { Mutant } from './mutant.ts'

export const cancellation: readonly Mutant[] = []
