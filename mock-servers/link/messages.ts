import type { Act, ExchangeInit, Pairs, ServerName } from '../../kit/types.ts'

/** Who is at this end: servers that tell what they see, or a kit that listens. The first line of both. */
export interface Hello {
  readonly link: 'mcp-conformance'
  readonly version: 1
  readonly role: 'mocks' | 'kit'
}

/** The first line of this end. */
export const hello = (role: Hello['role']): Hello => ({ link: 'mcp-conformance', version: 1, role })

/** Whether this is the first line of an end with that role. */
export function isHello(value: unknown, role: Hello['role']): boolean {
  const { link, version, role: given } = (value ?? {}) as Partial<Hello>
  return link === 'mcp-conformance' && version === 1 && given === role
}

/** An exchange that begins; the body is base64. */
export interface Opened {
  readonly tell: 'open'
  readonly n: number
  readonly at: number
  readonly init: Omit<ExchangeInit, 'request' | 'at'>
  readonly request: Omit<ExchangeInit['request'], 'body'> & { readonly body: string }
}

/** From the servers to the kit. `n` is the exchange, `q` the question. */
export type Up =
  /** Says that from now on the kit is told all. */
  | { readonly tell: 'ready' }
  | Opened
  | { readonly tell: 'head'; readonly n: number; readonly at: number; readonly status: number; readonly headers: Pairs }
  | { readonly tell: 'chunk'; readonly n: number; readonly at: number; readonly base64: string }
  | { readonly tell: 'message'; readonly n: number; readonly at: number; readonly text: string }
  | { readonly tell: 'fail'; readonly n: number; readonly reason: string }
  | { readonly tell: 'end'; readonly n: number; readonly at: number }
  | { readonly tell: 'gone'; readonly n: number; readonly at: number }
  | { readonly tell: 'held'; readonly n: number; readonly events: number }
  | { readonly ask: 'acts'; readonly q: number; readonly nonce: string }
  | { readonly ask: 'seen'; readonly q: number; readonly nonce: string; readonly events: number }
  /** An order was carried out, or why not; all that was told before it has arrived. */
  | { readonly done: number; readonly failed?: string }

/** What a kit can have done: `sync` does nothing but come back. */
export type Order = 'sync' | 'stop' | 'start'

/** From the kit to the servers: the answer to a question, or an order. */
export type Down =
  | { readonly q: number; readonly acts?: readonly Act[]; readonly seen?: boolean }
  | { readonly order: number; readonly do: Order; readonly server?: ServerName }
