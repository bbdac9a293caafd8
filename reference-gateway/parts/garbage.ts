import { field, isEncoded, isEventStream } from '../fields.ts'
import type { Hop } from '../hop.ts'
import { requestIds } from '../jsonrpc.ts'
import type { Head, Outlet, Part } from '../types.ts'

/**
 * What comes in answer to a POST and is no MCP answer counts as a failure of the backend: a 2xx to a request that is
 * neither JSON nor an event stream, or empty; and a 5xx that is not JSON. The kind is told by the content type and
 * by the first byte that is no white space, so the head waits for that byte.
 */
export const garbage: Part = {
  name: 'garbage',
  answer: (hop, out) => (hop.method === 'POST' ? new Suspicious(hop, out) : out),
}

const BRACES = new Set(['{'.charCodeAt(0), '['.charCodeAt(0)])
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d])

class Suspicious implements Outlet {
  private readonly hop: Hop
  private readonly out: Outlet
  private held: Head | undefined
  private early: Buffer[] = []

  constructor(hop: Hop, out: Outlet) {
    this.hop = hop
    this.out = out
  }

  head(head: Head): void {
    const success = head.status < 300
    const suspect = head.status >= 500 || (success && !isEventStream(head.fields))
    if (suspect) this.held = head
    else this.out.head(head)
  }

  chunk(bytes: Buffer): void {
    if (!this.held) {
      this.out.chunk(bytes)
      return
    }
    this.early.push(bytes)
    const first = bytes.find(byte => !BLANKS.has(byte))
    if (first !== undefined) this.judge(this.held, first)
  }

  end(): void {
    if (this.held) this.judge(this.held, undefined)
    if (!this.held) this.out.end()
  }

  fail(failure: Parameters<Outlet['fail']>[0]): void {
    this.out.fail(failure)
  }

  private judge(head: Head, first: number | undefined): void {
    const type = field(head.fields, 'content-type')
    const isJson = type === undefined || /[/+]json\s*(;|$)/i.test(type)
    const looksRight = first !== undefined && isJson && (BRACES.has(first) || isEncoded(head.fields))
    if (looksRight || (head.status < 300 && !this.asks())) {
      this.held = undefined
      this.out.head(head)
      for (const bytes of this.early.splice(0)) this.out.chunk(bytes)
      return
    }
    const what = first === undefined ? 'nothing' : (type ?? 'a body of no stated type')
    const message = `The server ${JSON.stringify(this.hop.backend.name)} answered with status ${head.status} and ${what}, which is no MCP answer.`
    this.hop.abort()
    this.out.fail({ kind: 'garbage', message })
  }

  /** True where what was sent wants an answer. A body that is not all sent yet is given the benefit of the doubt. */
  private asks(): boolean {
    const body = this.hop.body.now()
    return body !== undefined && requestIds(body.toString('utf8')).length > 0
  }
}
