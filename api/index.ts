/** What programs may use of the kit. All else is internal, whatever it exports. */
import type { Check, Suite } from '../kit/types.ts'
import { checks as allChecks, suites as allSuites } from '../suites/index.ts'

export { CannotJudge, WrongUsage } from '../kit/errors.ts'
export { explain } from '../kit/explain.ts'
export {
  type Baseline,
  type BaselineEntry,
  counts,
  exitCode,
  type Outcome,
  type Policy,
  type Summary,
  summary,
} from '../kit/report.ts'
export type * from '../kit/types.ts'
export { type Format, type FormatOptions, format } from './format.ts'
export { type Mocks, type MocksOptions, startMocks } from './mocks.ts'
export { type Chosen, type OpenGateway, type OpenOptions, open } from './open.ts'
export { judge, run } from './run.ts'
export type { TargetDescription, TargetGiven } from './target.ts'

/** Every suite of the kit, in the order in which they run. */
export const suites: readonly Suite[] = allSuites

/** Every check of the kit. */
export const checks: readonly Check[] = allChecks
