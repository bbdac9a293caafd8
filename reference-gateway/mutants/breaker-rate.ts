import { limit } from './breaker-rate/limit.ts'
import { opened } from './breaker-rate/open.ts'
import type { Mutant } from './mutant.ts'

export const breakerRate: readonly Mutant[] = [...limit, ...opened]
