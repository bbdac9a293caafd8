import { bodies } from './forwarding/bodies.ts'
import { fields } from './forwarding/fields.ts'
import { media } from './forwarding/media.ts'
import type { Mutant } from './mutant.ts'

export const forwarding: readonly Mutant[] = [...media, ...fields, ...bodies]
