import type { Mutant } from './mutant.ts'

export const streaming: readonly Mutant[] = []
