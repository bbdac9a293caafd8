import { calls } from './audit/calls.ts'
import { members } from './audit/members.ts'
import { trail } from './audit/trail.ts'
import type { Mutant } from './mutant.ts'

/** Gateways whose record of calls is wrong. */
export const audit: readonly Mutant[] = [...trail, ...members, ...calls]
