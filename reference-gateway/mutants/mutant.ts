import type { Endpoint } from '../control/endpoint.ts'
import type { ControlConfig } from '../guards.ts'
import type { Config, Mode, Part } from '../types.ts'

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
  /** How it is reached; `path` where not given, `header` on the platform. */
  readonly mode?: Mode
  /**
   * Where the harm is done to the gateway with all its guards, which the suites of the platform judge: in the form of the
   * platform's documents, or of the protocol.
   */
  readonly platform?: 'seed' | 'official'
  /** Called once for each gateway that is started, so what it remembers is that gateway's own. */
  readonly mutate?: Mutate
  /** Changes what the gateway is started with: a limit that is too high. */
  readonly configure?: (config: Config) => Config
  /** Changes the operations of the control plane. */
  readonly operate?: Operate
  /** Changes what the control plane is started with. */
  readonly configureControl?: (config: ControlConfig) => ControlConfig
}

/** Makes a control plane with something wrong out of a right one. */
export type Operate = (endpoints: readonly Endpoint[]) => readonly Endpoint[]
