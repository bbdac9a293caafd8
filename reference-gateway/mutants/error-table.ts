import { codes } from './error-table/codes.ts'
import { kept } from './error-table/kept.ts'
import type { Mutant } from './mutant.ts'

export const errorTable: readonly Mutant[] = [...codes, ...kept]
