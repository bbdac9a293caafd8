const SLAB_BYTES = 256 * 1024
/** A character of UTF-16 takes at most so many bytes of UTF-8. */
const MOST_OF_ONE = 3

interface Slab {
  readonly buffer: Buffer
  used: number
  /** Texts in it that are still wanted. */
  live: number
}

interface Place {
  readonly slab: Slab
  readonly from: number
  readonly to: number
}

/** A queue of texts, as bytes in large pieces of memory. */
export class Slabs {
  /** How many bytes the texts have. */
  bytes = 0
  private places: (Place | undefined)[] = []
  private first = 0
  private open: Slab | undefined
  /** One that is empty again: the next one needs not be allocated. */
  private spare: Slab | undefined

  get size(): number {
    return this.places.length - this.first
  }

  push(text: string): void {
    const slab = this.roomFor(text)
    const from = slab.used
    const length = slab.buffer.write(text, from, 'utf8')
    slab.used += length
    slab.live++
    this.places.push({ slab, from, to: slab.used })
    this.bytes += length
  }

  /** The text at a place, 0 for the oldest one. */
  at(index: number): string {
    const { slab, from, to } = this.places[this.first + index]!
    return slab.buffer.toString('utf8', from, to)
  }

  /** Forgets the oldest one. */
  shift(): void {
    const { slab, from, to } = this.places[this.first]!
    this.places[this.first++] = undefined
    this.bytes -= to - from
    if (--slab.live === 0 && slab !== this.open && slab.buffer.length === SLAB_BYTES) {
      slab.used = 0
      this.spare = slab
    }
    if (this.first > 1024 && this.first > this.places.length / 2) {
      this.places = this.places.slice(this.first)
      this.first = 0
    }
  }

  private roomFor(text: string): Slab {
    const { open } = this
    // What a text needs at most is known without reading it.
    const most = text.length * MOST_OF_ONE
    if (open && open.buffer.length - open.used >= most) return open
    const spare = most <= SLAB_BYTES ? this.spare : undefined
    if (spare) this.spare = undefined
    const made = spare ?? { buffer: Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, most)), used: 0, live: 0 }
    this.open = made
    return made
  }
}
