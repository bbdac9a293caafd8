import { access } from './control-plane/access.ts'
import { numbers } from './control-plane/numbers.ts'
import { problems } from './control-plane/problems.ts'
import { runTime } from './control-plane/run-time.ts'
import type { Mutant } from './mutant.ts'

export const controlPlane: readonly Mutant[] = [...access, ...problems, ...runTime, ...numbers]
