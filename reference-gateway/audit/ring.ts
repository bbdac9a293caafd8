import { type AuditRecord, lineOf } from './record.ts'

/** A record, and its one line of JSON. */
export interface Kept {
  readonly record: AuditRecord
  readonly line: string
}

/** The newest records: at most so many, and of at most so many characters. */
export class Ring {
  private readonly most: number
  private readonly mostChars: number
  private kept: (Kept | undefined)[] = []
  private first = 0
  private chars = 0

  constructor(most: number, mostChars: number) {
    this.most = most
    this.mostChars = mostChars
  }

  add(record: AuditRecord): Kept {
    const made = { record, line: lineOf(record) }
    this.kept.push(made)
    this.chars += made.line.length
    while (this.size > this.most || (this.chars > this.mostChars && this.size > 1)) {
      this.chars -= this.kept[this.first]!.line.length
      this.kept[this.first++] = undefined
    }
    if (this.first > this.most) {
      this.kept = this.kept.slice(this.first)
      this.first = 0
    }
    return made
  }

  get size(): number {
    return this.kept.length - this.first
  }

  /** Those that pass the test, the newest first: at most so many, and how many there are. */
  find(test: (record: AuditRecord) => boolean, most: number): { readonly found: Kept[]; readonly total: number } {
    const found: Kept[] = []
    let total = 0
    for (let i = this.kept.length - 1; i >= this.first; i--) {
      const one = this.kept[i]!
      if (!test(one.record)) continue
      total++
      if (found.length < most) found.push(one)
    }
    return { found, total }
  }
}
