const LF = 10
const CR = 13
const BOM = '\u00ef\u00bb\u00bf'
const DATA = 'data:'

/** Takes the data out of an event stream while its bytes pass, without holding any of it. */
export class SseScan {
  private readonly data: (bytes: Buffer) => void
  private readonly ended: () => void
  /** The first characters of the line, until it is known what line it is. */
  private head = ''
  private kind: 'unknown' | 'data' | 'other' = 'unknown'
  private afterCr = false
  private begun = false

  /** `data` is given each piece, a line feed behind each line; `ended` is called after each event. */
  constructor(data: (bytes: Buffer) => void, ended: () => void) {
    this.data = data
    this.ended = ended
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.afterCr && bytes[at] === LF) at++
      this.afterCr = false
      const end = lineEnd(bytes, at)
      this.piece(bytes.subarray(at, end))
      if (end === bytes.length) return
      this.afterCr = bytes[end] === CR
      this.endOfLine()
      at = end + 1
    }
  }

  private piece(bytes: Buffer): void {
    let rest = bytes
    if (this.kind === 'unknown') {
      const had = this.head.length
      this.head += bytes.toString('latin1', 0, BOM.length + DATA.length - had)
      const line = !this.begun && this.head.startsWith(BOM) ? this.head.slice(BOM.length) : this.head
      if (line.length < DATA.length) return
      this.kind = line.startsWith(DATA) ? 'data' : 'other'
      rest = bytes.subarray(this.head.length - line.length + DATA.length - had)
    }
    if (this.kind === 'data' && rest.length > 0) this.data(rest)
  }

  private endOfLine(): void {
    if (this.kind === 'data') this.data(Buffer.from('\n'))
    else if (this.head === '') this.ended()
    this.kind = 'unknown'
    this.head = ''
    this.begun = true
  }
}

function lineEnd(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from)
  const end = lf === -1 ? bytes.length : lf
  const cr = bytes.subarray(from, end).indexOf(CR)
  return cr === -1 ? end : from + cr
}
