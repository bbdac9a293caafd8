import type { Mutant } from './mutant.ts'

export const prompts: readonly Mutant[] = []
