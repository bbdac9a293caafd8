import type { Policy } from '../../kit/report.ts'
import type { Result } from '../../kit/types.ts'
import type { Paint } from '../paint.ts'
import type { Story } from '../stories.ts'

/** Of which checks the evidence is shown. */
export type EvidenceShown = 'failures' | 'all' | 'none'

/** Prints a line, or several. */
export type Print = (text: string) => void

/** What every reporter is told. */
export interface ReporterOptions {
  readonly version: string
  readonly policy: Policy
  readonly evidence: EvidenceShown
  /** True where the run leaves checks out that were there to choose. */
  readonly partial: boolean
  /** How to run one check again; absent where that is not known. */
  readonly again?: Again
}

/** What the text reporter is told besides. */
export interface TextOptions extends ReporterOptions {
  readonly paint: Paint
  readonly columns: number
  /** Prints a line for each result as it comes; a terminal has the live line instead. */
  readonly lines: boolean
  /** Lines above all others: what is judged. */
  readonly head: readonly string[]
  /** How often each check is judged, at most: once for each revision that was asked for. */
  readonly times: number
  /** The text is this story, in place of the list of suites and failures. */
  readonly story?: Story
  readonly again: Again
}

/** What a person types to see a failure again. */
export interface Again {
  /** The command, without the check: `npx mcp-conformance --url …`. */
  readonly command: string
  /** The whole line for one result, where it is not the command and `--only`. */
  readonly line?: (result: Result) => string
  /** For a gateway that is gone after the run: how to start it, and where it is then. */
  readonly start?: Start
  /** The same for the one on which the suites of the platform were judged. */
  readonly startPlatform?: Start
}

/** How a gateway is started by hand, and its origin then. */
export interface Start {
  readonly command: string
  readonly origin: string
}
