import type { Call } from './call.ts'
import { LineFile, type LineFileOptions } from './line-file.ts'
import type { AuditRecord } from './record.ts'
import { type Kept, Ring } from './ring.ts'

/** How a trail is kept. */
export interface TrailOptions {
  readonly keep: number
  /** Makes the records of one call. */
  readonly make: (call: Call, body: Buffer | undefined) => readonly AuditRecord[]
  /** The file; in memory only where it is not given. */
  readonly file?: LineFileOptions
}

/** The records in memory have at most so many bytes. */
const MOST_BYTES = 32 * 1024 * 1024
/** The record of calls, in the order in which they ended. */
export class Trail {
  /** How many records there were since the gateway was started. */
  total = 0
  private readonly options: TrailOptions
  private readonly ring: Ring
  private readonly file: LineFile | undefined
  private readonly watchers = new Set<(kept: Kept) => void>()
  private pending: { readonly call: Call; readonly body: Buffer | undefined }[] = []
  private unwritten = 0

  constructor(options: TrailOptions) {
    this.options = options
    this.ring = new Ring(options.keep, MOST_BYTES)
    this.file = options.file && new LineFile(options.file)
  }

  /** How many records are missing in the file. */
  get lost(): number {
    return this.unwritten + (this.file?.lost ?? 0)
  }

  /** Takes a call that is over. It is written down when what is more urgent has been done. */
  take(call: Call, body: Buffer | undefined): void {
    this.pending.push({ call, body })
    if (this.pending.length === 1) setImmediate(() => this.write())
  }

  /** Those that pass the test, the newest first: at most so many, and how many there are. */
  find(test: (record: AuditRecord) => boolean, most: number) {
    return this.ring.find(test, most)
  }

  /** Tells of every record from now on. Gives what ends it. */
  watch(tell: (kept: Kept) => void): () => void {
    this.watchers.add(tell)
    return () => this.watchers.delete(tell)
  }

  /** Writes all down that is over. */
  async close(): Promise<void> {
    this.write()
    await this.file?.close()
  }

  private write(): void {
    for (const { call, body } of this.pending.splice(0)) {
      try {
        for (const record of this.options.make(call, body)) this.add(record)
      } catch {
        this.unwritten++
      }
    }
  }

  /** Writes a record down. */
  add(record: AuditRecord): void {
    const line = this.ring.add(record)
    this.total++
    this.file?.add(line)
    for (const tell of this.watchers) tell({ record, line })
  }
}
