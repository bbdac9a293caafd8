import { missing } from './auth-tier1/missing.ts'
import { keys, tokens } from './auth-tier1/tokens.ts'
import type { Mutant } from './mutant.ts'

export const authTier1: readonly Mutant[] = [...missing, ...tokens, ...keys]
