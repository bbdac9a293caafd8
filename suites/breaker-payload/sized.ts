import { gzipSync } from 'node:zlib'
import { client } from '../../kit/claims.ts'
import { claim } from '../../kit/define.ts'
import { behind, clientExchange } from '../../kit/messages.ts'
import { call, read, step } from '../../kit/steps.ts'
import type { Act, Claim, Pairs, Step } from '../../kit/types.ts'

/** How the server sends its answer. */
export type Form = 'chunked' | 'content-length' | 'gzip' | 'sse'

export interface Sized {
  /** As a share of the limit. */
  readonly share: number
  /** What is as large as that: the whole body, or the text of the resource alone. */
  readonly of: 'body' | 'text'
  readonly form?: Form
  /** What the text is made of. */
  readonly letter?: string
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly who?: string
}

const URI = 'crm://customers'
const JSON_TYPE = ['Content-Type', 'application/json'] as const

/** An answer with a text of so many bytes, filled up by spaces where the letter does not fit in. */
function answer(id: string, bytes: number, of: Sized['of'], letter: string, result: (text: string) => object): string {
  const body = (text: string) => `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result(text))}}`
  const room = Math.max(0, bytes - (of === 'body' ? Buffer.byteLength(body('')) : 0))
  const letters = letter.repeat(Math.floor(room / Buffer.byteLength(letter)))
  return body(letters + ' '.repeat(room - Buffer.byteLength(letters)))
}

const resource = (text: string) => ({ contents: [{ uri: URI, mimeType: 'text/plain', text }] })
const content = (text: string) => ({ content: [{ type: 'text', text }], isError: false })

function acts(form: Form, body: string): readonly Act[] {
  const bytes = Buffer.from(body)
  const packed = gzipSync(bytes)
  const whole = (headers: Pairs, data: Buffer): Act[] => [
    { do: 'head', status: 200, headers: [JSON_TYPE, ...headers, ['Content-Length', String(data.length)]] },
    { do: 'bytes', base64: data.toString('base64') },
    { do: 'end' },
  ]
  const half = Math.floor(body.length / 2)
  switch (form) {
    case 'content-length':
      return whole([], bytes)
    case 'gzip':
      return whole([['Content-Encoding', 'gzip']], packed)
    case 'sse':
      return [{ do: 'head' }, { do: 'write', text: `event: message\ndata: ${body}\n\n` }, { do: 'end' }]
    case 'chunked':
      return [
        { do: 'head', status: 200, headers: [JSON_TYPE] },
        { do: 'write', text: body.slice(0, half) },
        { do: 'write', text: body.slice(half) },
        { do: 'end' },
      ]
  }
}

/** Forms whose length or bytes are fixed beforehand cannot wait for the id that the server gets. */
const FIXED: readonly Form[] = ['content-length', 'gzip']

const FORMS: Readonly<Record<Form, string>> = {
  chunked: 'in chunks',
  'content-length': 'with its length said beforehand',
  gzip: 'packed by gzip',
  sse: 'as an event of a stream',
}

const sizedStep = (what: string, tool: boolean, o: Sized): Step => {
  const { share, of, form = 'chunked', letter = 'x', as = 'read', headers, who } = o
  const says = `${what}, whose ${of} has ${Math.round(share * 100)} % of the limit in bytes and comes ${FORMS[form]}`
  return step(`${says}${headers ? `, with ${JSON.stringify(headers)}` : ''}`, rig => {
    const bytes = Math.round((rig.target.limits.bytes ?? 0) * share)
    const id = FIXED.includes(form) ? '"sized"' : '{{id}}'
    const body = answer(id, bytes, of, letter, tool ? content : resource)
    const options = {
      as,
      acts: acts(form, body),
      ...(FIXED.includes(form) && { id: 'sized' }),
      ...(headers && { headers }),
      ...(who !== undefined && { who }),
    }
    return (tool ? call('slow', {}, options) : read(URI, options)).run(rig)
  })
}

/** Reads a resource of a certain size. */
export const readSized = (o: Sized): Step => sizedStep('reads a resource', false, o)

/** Calls a tool that answers so much. */
export const callSized = (o: Sized): Step => sizedStep('calls a tool', true, o)

/** The server has sent so much of it: the share of the limit, at least. */
export const sentAtLeast = (share: number, label = 'read'): Claim =>
  claim('backend', `the server sends at least ${Math.round(share * 100)} % of the limit`, evidence => {
    const seen = behind(evidence, clientExchange(evidence, label))[0]
    const size = seen?.response?.size ?? 0
    const least = Math.round((evidence.target.limits.bytes ?? 0) * share)
    return size >= least ? undefined : `it sent ${size} bytes, and not ${least}`
  })

/** The request after it is answered. */
export const goesOn = client('next call').succeeds()
