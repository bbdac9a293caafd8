import type { Mode, Part } from '../types.ts'

/** Makes a gateway with something wrong out of a right one. */
export type Mutate = (parts: readonly Part[]) => readonly Part[]

/** The reference gateway with one thing wrong. */
export interface Mutant {
  /** Its vice: `drops-…`, `buffers-…`, `leaks-…`. */
  readonly name: string
  /** What it does wrong, as a sentence. */
  readonly harm: string
  /** Ids of the checks that must fail: these, and no others. */
  readonly caughtBy: readonly string[]
  /** How it is reached; `path` where not given. */
  readonly mode?: Mode
  /** Called once for each gateway that is started, so what it remembers is that gateway's own. */
  readonly mutate: Mutate
}
