import { get } from '../json.ts'
import { type AuditRecord, lineOf } from './record.ts'
import { Slabs } from './slabs.ts'

/** A record, and its one line of JSON. */
export interface Kept {
  readonly record: AuditRecord
  readonly line: string
}

/**
 * The newest records: at most so many, and of at most so many bytes. They are kept as bytes outside the heap: ten thousand objects
 * that each live for thousands of calls would be moved about by every collection.
 */
export class Ring {
  private readonly lines: Slabs
  private readonly most: number
  private readonly mostBytes: number

  constructor(most: number, mostBytes: number) {
    this.most = most
    this.mostBytes = mostBytes
    this.lines = new Slabs()
  }

  /** Gives its one line. */
  add(record: AuditRecord): string {
    const line = lineOf(record)
    this.lines.push(line)
    while (this.size > this.most || (this.lines.bytes > this.mostBytes && this.size > 1)) this.lines.shift()
    return line
  }

  get size(): number {
    return this.lines.size
  }

  /** Those that pass the test, the newest first: at most so many, and how many there are. */
  find(test: (record: AuditRecord) => boolean, most: number): { readonly found: Kept[]; readonly total: number } {
    const found: Kept[] = []
    let total = 0
    for (let i = this.size - 1; i >= 0; i--) {
      const line = this.lines.at(i)
      const record = recordOf(line)
      if (!test(record)) continue
      total++
      if (found.length < most) found.push({ record, line })
    }
    return { found, total }
  }
}

/** The record that a line was made of; its arguments are as they stand there. */
function recordOf(line: string): AuditRecord {
  const { arguments: decoded, ...rest } = JSON.parse(line) as AuditRecord
  return {
    ...rest,
    get arguments() {
      return decoded === null ? null : (get(line, 'arguments') ?? null)
    },
  }
}
