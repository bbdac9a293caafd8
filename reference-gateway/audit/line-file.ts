import type { Disk } from './disk.ts'

/** How lines get into a file. */
export interface LineFileOptions {
  readonly open: () => Promise<Disk>
  /** How long lines are gathered before they are written together, in ms. */
  readonly gatherMs: number
  /** So many bytes may wait; lines beyond are lost, and counted. */
  readonly mostBytes: number
  /** How long after a failure it is tried again, in ms. */
  readonly retryMs: number
  /** How long `close` waits for a slow disk, in ms. */
  readonly closeMs: number
  /** Told once for each time that something goes wrong, in one sentence. */
  readonly warn: (sentence: string) => void
}

const BATCH_BYTES = 1024 * 1024

/** Appends lines to a file: in order, one write at a time, and never in the way of whoever has a line to write. */
export class LineFile {
  /** How many lines are in the file never to be. */
  lost = 0
  private readonly options: LineFileOptions
  private waiting: string[] = []
  private waitingBytes = 0
  /** What is being written, and what of it the disk has not taken yet. */
  private batch: { readonly lines: number; rest: Buffer } | undefined
  private disk: Disk | undefined
  private work: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private failing = false
  private overflowing = false
  private closing = false
  private closed = false

  constructor(options: LineFileOptions) {
    this.options = options
  }

  /** Takes a line, without its end. */
  add(line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    if (this.closed || this.waitingBytes + bytes > this.options.mostBytes) {
      this.lost++
      if (!this.overflowing) this.options.warn('The audit file is behind: records are lost until it has caught up.')
      this.overflowing = true
      return
    }
    this.waiting.push(line)
    this.waitingBytes += bytes
    if (this.waitingBytes >= BATCH_BYTES) this.begin()
    else this.gather()
  }

  /** Writes what waits, bounded in time; what then is not written is lost. */
  async close(): Promise<void> {
    this.closing = true
    this.begin()
    let late: NodeJS.Timeout | undefined
    const patience = new Promise<void>(resolve => {
      late = setTimeout(resolve, this.options.closeMs)
    })
    await Promise.race([this.work, patience])
    clearTimeout(late)
    clearTimeout(this.timer)
    this.closed = true
    const missing = this.waiting.length + (this.batch?.lines ?? 0)
    this.lost += missing
    this.waiting = []
    if (missing > 0) this.options.warn(`${missing} audit records could not be written before the gateway closed.`)
    if (!this.work) await this.letGo()
  }

  private begin(): void {
    if (this.work || this.closed || (this.failing && this.timer && !this.closing)) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.work = this.run().then(() => {
      this.work = undefined
      if (this.waiting.length > 0) this.gather()
    })
  }

  /** Waits for more lines, so that a write is worth its while. */
  private gather(): void {
    if (this.work || this.timer || this.closed) return
    this.timer = setTimeout(() => this.again(), this.options.gatherMs).unref()
  }

  /** Writes what waits, or all of it where there is much or the end has come, unless it fails. Never rejects. */
  private async run(): Promise<void> {
    try {
      this.batch ??= this.take()
      while (!this.closed && this.batch) {
        this.disk ??= await this.options.open()
        const { rest } = this.batch
        const taken = await this.disk.append(rest)
        this.batch.rest = rest.subarray(taken)
        if (this.batch.rest.length > 0) continue
        const goesOn = this.closing || this.waitingBytes >= BATCH_BYTES
        this.batch = goesOn ? this.take() : undefined
        this.failing = false
        this.overflowing &&= this.waitingBytes > 0
      }
      if (this.closed) await this.letGo()
    } catch (cause) {
      if (!this.failing) this.options.warn(`The audit file can't be written: ${(cause as Error).message}`)
      this.failing = true
      await this.letGo()
      if (!this.closing) this.timer = setTimeout(() => this.again(), this.options.retryMs).unref()
    }
  }

  private again(): void {
    this.timer = undefined
    this.begin()
  }

  private take(): { lines: number; rest: Buffer } | undefined {
    if (this.waiting.length === 0) return undefined
    let bytes = 0
    let lines = 0
    while (lines < this.waiting.length && bytes < BATCH_BYTES) bytes += Buffer.byteLength(this.waiting[lines++]!) + 1
    const taken = this.waiting.splice(0, lines)
    this.waitingBytes -= bytes
    return { lines, rest: Buffer.from(`${taken.join('\n')}\n`) }
  }

  private async letGo(): Promise<void> {
    const { disk } = this
    this.disk = undefined
    await disk?.close().catch(() => {})
  }
}
