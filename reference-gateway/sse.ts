/**
 * Event streams by blocks: a block is all lines up to and with the blank line that ends it. Lines may end in LF,
 * CR or CRLF. The blocks of a stream, put one behind the other, are the stream byte for byte.
 */

const LF = 10
const CR = 13

/** Finds where blocks end, over any division into chunks. */
export class BlockEnds {
  private lineIsEmpty = true
  private afterCr = false

  /** The index behind each block that ends in this chunk. */
  find(bytes: Buffer): number[] {
    const ends: number[] = []
    let at = 0
    if (this.afterCr && bytes[0] === LF) at = 1
    if (bytes.length > 0) this.afterCr = false
    const hasCr = bytes.indexOf(CR, at) !== -1
    while (at < bytes.length) {
      const line = hasCr ? nextLineEnd(bytes, at) : bytes.indexOf(LF, at)
      if (line === -1) {
        this.lineIsEmpty = false
        break
      }
      const empty = line === at && this.lineIsEmpty
      at = line + 1
      if (bytes[line] === CR) {
        if (at === bytes.length) this.afterCr = true
        else if (bytes[at] === LF) at++
      }
      if (empty) ends.push(at)
      this.lineIsEmpty = true
    }
    return ends
  }
}

/** Cuts a stream into its blocks. */
export class Blocks {
  private readonly ends = new BlockEnds()
  private rest: Buffer[] = []

  /** The blocks that are whole with this chunk. */
  push(bytes: Buffer): Buffer[] {
    const blocks: Buffer[] = []
    let from = 0
    for (const end of this.ends.find(bytes)) {
      blocks.push(this.take(bytes.subarray(from, end)))
      from = end
    }
    if (from < bytes.length) this.rest.push(bytes.subarray(from))
    return blocks
  }

  /** What is left when the stream ends: an unfinished block, or nothing. */
  end(): Buffer {
    return this.take(Buffer.alloc(0))
  }

  private take(last: Buffer): Buffer {
    const block = this.rest.length === 0 ? last : Buffer.concat([...this.rest, last])
    this.rest = []
    return block
  }
}

/** The data of a block, its lines joined by LF; undefined where it has no `data` line. */
export function dataOf(block: string): string | undefined {
  const data = lines(block).filter(isData)
  return data.length === 0 ? undefined : data.map(line => line.slice(5).replace(/^ /, '')).join('\n')
}

/** The block with other data; its other lines, and its kind of line end, stay. */
export function withData(block: string, data: string): string {
  const eol = /\r\n|\n|\r/.exec(block)?.[0] ?? '\n'
  const made = data.split('\n').map(line => `data: ${line}`)
  const kept: string[] = []
  for (const line of lines(block)) {
    if (!isData(line)) kept.push(line)
    else kept.push(...made.splice(0))
  }
  return kept.join(eol)
}

/** The last value of a block's field (`id`, `retry`); undefined where there is none. */
export function fieldOf(block: string, name: string): string | undefined {
  const line = lines(block).findLast(one => one === name || one.startsWith(`${name}:`))
  return line?.slice(name.length + 1).replace(/^ /, '')
}

/** The block with another value in every `id` line; its other lines stay. */
export function withId(block: string, id: string): string {
  return block.replace(/^id(:.*)?$/gm, () => `id: ${id}`)
}

/** A block for a message. */
export function eventOf(message: string): string {
  return withData('event: message\ndata:\n\n', message)
}

function lines(block: string): string[] {
  return block.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
}

function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:')
}

function nextLineEnd(bytes: Buffer, at: number): number {
  for (let i = at; i < bytes.length; i++) if (bytes[i] === LF || bytes[i] === CR) return i
  return -1
}
