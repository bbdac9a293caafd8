/** What other programs may use of the kit. All else is internal, whatever it exports. */
export { check, claim, suite } from './define.ts'
export { CannotJudge, WrongUsage } from './errors.ts'
export { type Preflight, preflight, type Wanted } from './preflight.ts'
export { createRecorder } from './recorder.ts'
export { exitCode, type Policy, summary } from './report.ts'
export { judge, type RunOptions, run } from './run.ts'
export { createStage } from './stage.ts'
export type * from './types.ts'
