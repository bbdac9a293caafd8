import { get, valid, values } from './json.ts'
import { kindOf } from './jsonrpc.ts'
import { BlockEnds, Blocks, dataOf } from './sse.ts'

/** An unfinished event that is longer than this is passed on in pieces. */
const LONGEST_HELD = 64 * 1024

/**
 * Lets an event stream through by whole events, so that nothing half can stand before what may have to be added, and
 * remembers enough of it to tell which responses it has carried. No reader can use an event before its end, so
 * none gets anything later.
 */
export class WholeEvents {
  private readonly ends = new BlockEnds()
  private held: Buffer[] = []
  private heldBytes = 0
  private readonly suspects: Buffer[] = []
  private tornNow = false

  /** What may pass. */
  push(bytes: Buffer): Buffer {
    const end = this.ends.find(bytes).at(-1) ?? 0
    if (end === bytes.length && this.held.length === 0) {
      this.tornNow = false
      return this.passed(bytes)
    }
    const ready: Buffer[] = []
    if (end > 0) {
      ready.push(...this.held, bytes.subarray(0, end))
      this.tornNow = false
      this.held = []
      this.heldBytes = 0
    }
    const rest = bytes.subarray(end)
    this.held.push(rest)
    this.heldBytes += rest.length
    if (this.tornNow || this.heldBytes > LONGEST_HELD) {
      this.tornNow = true
      ready.push(...this.held)
      this.held = []
      this.heldBytes = 0
    }
    return this.passed(Buffer.concat(ready))
  }

  /** What is still held when the stream has ended by itself. */
  end(): Buffer {
    return Buffer.concat(this.held)
  }

  /** True while half an event has been passed on. */
  get torn(): boolean {
    return this.tornNow
  }

  /** True where the response to the request with this raw id has passed, or may have. */
  carried(id: string): boolean {
    return this.suspects.some(bytes => {
      const data = new Blocks().push(bytes).map(block => dataOf(block.toString('utf8')))
      // No block ends here: a piece of a long event.
      return data.length === 0 || data.some(text => text !== undefined && answers(text, id))
    })
  }

  private passed(bytes: Buffer): Buffer {
    if (bytes.includes('"result"') || bytes.includes('"error"')) {
      this.suspects.push(bytes)
      if (this.suspects.length > 16) this.suspects.shift()
    }
    return bytes
  }
}

/** What is no JSON is a piece of a long event: most likely of the response, which is the longest there is. */
function answers(data: string, id: string): boolean {
  if (!valid(data)) return data !== ''
  const messages = data.trimStart()[0] === '[' ? values(data) : [data]
  return messages.some(message => kindOf(message) === 'response' && get(message, 'id') === id)
}
