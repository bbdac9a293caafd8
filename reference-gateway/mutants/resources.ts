import type { Mutant } from './mutant.ts'

export const resources: readonly Mutant[] = []
