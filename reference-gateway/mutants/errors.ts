import { outages } from './errors/outages.ts'
import { relayed } from './errors/relayed.ts'
import type { Mutant } from './mutant.ts'

export const errors: readonly Mutant[] = [...relayed, ...outages]
