import { ids } from './envelope/ids.ts'
import { plain, refusals } from './envelope/messages.ts'
import { contents, members } from './envelope/values.ts'
import type { Mutant } from './mutant.ts'

/** Gateways that get messages wrong: their ids, their members, their numbers and texts. */
export const envelope: readonly Mutant[] = [...ids, ...plain, ...refusals, ...members, ...contents]
