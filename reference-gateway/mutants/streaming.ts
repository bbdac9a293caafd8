import type { Mutant } from './mutant.ts'
import { apartMutants } from './streaming/apart.ts'
import { delivery } from './streaming/delivery.ts'
import { framing } from './streaming/framing.ts'
import { messageMutants } from './streaming/messages.ts'
import { progressMutants } from './streaming/progress.ts'

export const streaming: readonly Mutant[] = [
  ...delivery,
  ...progressMutants,
  ...messageMutants,
  ...framing,
  ...apartMutants,
]
