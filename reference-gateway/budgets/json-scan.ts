/** Where in a response the usage stands. */
const WANTED = ['result', '_meta', 'tokenUsage'] as const
const LONGEST_KEY = 64
const LONGEST_VALUE = 4096

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]
const OBJECT = 0x7b

/**
 * Looks for `result._meta.tokenUsage` in a JSON text, or in each item of an array, while its bytes pass. Of all the rest it
 * keeps nothing, however large it is.
 */
export class JsonScan {
  private readonly found: (raw: string) => void
  private depth = 0
  /** How many containers, from the outside, lie on the way to what is wanted. */
  private onWay = 0
  /** 1 where the outermost container is an array. */
  private base = 0
  /** Whether the value that comes next lies on the way. */
  private next = true
  private expectsKey = false
  private inString = false
  private escaped = false
  private key: string | undefined
  /** The wanted value so far. */
  private taken: Buffer[] | undefined
  private takenBytes = 0

  constructor(found: (raw: string) => void) {
    this.found = found
  }

  push(bytes: Buffer): void {
    let from = this.taken ? 0 : -1
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (this.inString) {
        at = this.string(bytes, at)
      } else if (byte === QUOTE) {
        this.inString = true
        this.key = this.expectsKey && this.depth === this.onWay ? '' : undefined
      } else if (byte === COLON) {
        if (this.depth === this.onWay) this.next = this.isWanted()
      } else if (byte === COMMA) {
        if (this.depth === this.onWay) this.nextValue()
      } else if (OPEN.includes(byte)) {
        if (this.wants(byte)) {
          from = at
          this.taken = []
          this.takenBytes = 0
        }
        this.enter(byte)
      } else if (CLOSE.includes(byte)) {
        const done = this.leave()
        if (done && this.taken) {
          this.take(bytes.subarray(from, at + 1))
          this.give()
          from = -1
        }
      }
    }
    if (this.taken && from !== -1) this.take(bytes.subarray(from))
  }

  /** True where the container that begins here is what is looked for. */
  private wants(byte: number): boolean {
    return byte === OBJECT && this.next && this.depth === this.onWay && this.onWay - this.base === WANTED.length
  }

  private enter(byte: number): void {
    const onWay = this.next && this.depth === this.onWay && this.onWay - this.base <= WANTED.length - 1
    const outermost = this.depth === 0
    const isObject = byte === OBJECT
    if (onWay && (isObject || outermost)) {
      if (!isObject) this.base = 1
      this.onWay++
      this.expectsKey = isObject
      this.next = !isObject
    }
    this.depth++
  }

  /** True where the wanted value ends here. */
  private leave(): boolean {
    if (this.depth === this.onWay) {
      this.onWay--
      this.next = false
      this.expectsKey = false
    }
    this.depth--
    return this.depth === this.onWay && this.onWay - this.base === WANTED.length
  }

  private nextValue(): void {
    const inArray = this.base === 1 && this.onWay === 1
    this.expectsKey = !inArray
    this.next = inArray
  }

  private isWanted(): boolean {
    this.expectsKey = false
    const { key = '' } = this
    this.key = undefined
    return decoded(key) === WANTED[this.onWay - this.base - 1]
  }

  /** Goes on in a string; gives the index of the last byte that belongs to it. */
  private string(bytes: Buffer, from: number): number {
    let at = from
    for (; at < bytes.length; at++) {
      if (this.escaped) this.escaped = false
      else if (bytes[at] === BACKSLASH) this.escaped = true
      else if (bytes[at] === QUOTE) {
        this.inString = false
        break
      }
    }
    if (this.key !== undefined && this.key.length < LONGEST_KEY) this.key += bytes.toString('latin1', from, at)
    return at
  }

  private take(bytes: Buffer): void {
    this.takenBytes += bytes.length
    if (this.takenBytes <= LONGEST_VALUE) this.taken!.push(Buffer.from(bytes))
  }

  private give(): void {
    const raw = Buffer.concat(this.taken!).toString('utf8')
    this.taken = undefined
    if (this.takenBytes <= LONGEST_VALUE) this.found(raw)
  }
}

function decoded(key: string): string {
  if (!key.includes('\\')) return key
  try {
    return JSON.parse(`"${key}"`) as string
  } catch {
    return key
  }
}
