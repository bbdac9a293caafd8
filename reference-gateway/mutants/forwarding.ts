import type { Mutant } from './mutant.ts'

export const forwarding: readonly Mutant[] = []
