import type { Mutant } from './mutant.ts'

export const tools: readonly Mutant[] = []
