import type { Passage } from '../passage.ts'
import { Watched } from './answer.ts'
import type { Stamp } from './ids.ts'

/** One request from its head to the end of its answer, before it is written down. */
export class Call {
  readonly passage: Passage
  readonly stamp: Stamp
  readonly answer = new Watched()
  /** The services that it was sent to. */
  readonly services = new Set<string>()
  /** Whether the client hung up before the end. */
  gone = false
  executionTimeMs = 0
  /** Null where nothing was sent to a server. */
  addedMs: number | null = null
  over = false

  constructor(passage: Passage, stamp: Stamp) {
    this.passage = passage
    this.stamp = stamp
  }

  /** True the first time. */
  end(gone: boolean): boolean {
    if (this.over) return false
    this.over = true
    this.gone = gone
    const now = performance.now()
    const added = this.passage.addedMs(now)
    this.executionTimeMs = rounded(now - this.passage.startedAt)
    this.addedMs = added === undefined ? null : rounded(added)
    return true
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000
