/**
 * WHAT A SERVER SAYS AND DOES ON PURPOSE, for `acts` of a step. Three layers, each made of the one before:
 * texts of messages (`result`, `progress`, …), blocks of an event stream (`event`, `comment`), and acts
 * (`stream`, `stepwise`, `document`, …). In all texts `{{id}}` and `{{token}}` stand for what the request brought.
 *
 *     acts: stepwise(event(progress(1)), event(progress(2)), event(says('done')))
 */

import { stringify } from './json.ts'
import type { Act, Pairs } from './types.ts'

/** The text of a result for the request; numbers made by `raw` stand as written. */
export const result = (value: object): string => `{"jsonrpc":"2.0","id":{{id}},"result":${stringify(value)}}`

/** The text of a tool's result: one text block. */
export const says = (text: string): string => result({ content: [{ type: 'text', text }] })

/** The text of an error for the request. */
export const error = (code: number, message: string, data?: unknown): string =>
  `{"jsonrpc":"2.0","id":{{id}},"error":${stringify({ code, message, ...(data !== undefined && { data }) })}}`

/** The text of a notification. */
export const notification = (method: string, params: object = {}): string =>
  stringify({ jsonrpc: '2.0', method, params })

/** The text of a progress notification under the request's own token; `more` adds members such as `total`. */
export const progress = (value: number, more: object = {}): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},${stringify({ progress: value, ...more }).slice(1)}}`

/** How the block of an event is written. */
export interface Framing {
  /** The `event:` field; `message` where not given, none where null. */
  readonly event?: string | null
  readonly id?: string
  readonly retry?: number
  /** The end of each line; LF where not given. */
  readonly eol?: string
}

/** The block of an event with this text as its data; each line of the text gets a `data:` line of its own. */
export const event = (data: string, { event: name = 'message', id, retry, eol = '\n' }: Framing = {}): string =>
  [
    ...(name === null ? [] : [`event: ${name}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split('\n').map(line => (line === '' ? 'data:' : `data: ${line}`)),
    '',
    '',
  ].join(eol)

/** The block of a comment: what servers send to keep a connection alive. */
export const comment = (text = ''): string => `:${text}\n\n`

/** Status line and headers, sent at once; without arguments those of a stream. */
export const head = (headers?: Pairs, status = 200): Act => ({ do: 'head', status, ...(headers && { headers }) })

/** Text of the body, as it stands. */
export const write = (text: string): Act => ({ do: 'write', text })

/**
 * Waits until the client has seen so many events (0: the head) of this exchange, or of the one with that label or mark;
 * bounded in time.
 */
export const gate = (events: number, of?: string): Act => ({ do: 'gate', events, ...(of !== undefined && { of }) })

/** A stream: its head at once, then these blocks, then its end. */
export const stream = (...blocks: readonly string[]): Act[] => [head(), ...blocks.map(write), { do: 'end' }]

/** A stream, one block at a time: each is sent only when the client has seen all those before. */
export const stepwise = (...blocks: readonly string[]): Act[] => [
  head(),
  ...blocks.flatMap((block, i) => (i === 0 ? [write(block)] : [gate(i), write(block)])),
  { do: 'end' },
]

/** A text in pieces of so many bytes, each sent by itself. Placeholders are not filled in. */
export const pieces = (text: string, size: number): Act[] => {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size)).flatMap((piece): Act[] => [
    { do: 'bytes', base64: piece.toString('base64') },
    // Else they may leave together, and nothing is in pieces.
    { do: 'wait', ms: 2 },
  ])
}

/** A whole answer that is one JSON document. */
export const document = (message: string, status = 200, headers: Pairs = []): Act[] => [
  head([['Content-Type', 'application/json'], ...headers], status),
  write(message),
  { do: 'end' },
]
