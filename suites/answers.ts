import type { Act, Pairs } from '../kit/types.ts'

/** Acts that answer with one whole body; without a content type where that is undefined. */
export const whole = (status: number, type: string | undefined, text: string, more: Pairs = []): readonly Act[] => [
  { do: 'head', status, headers: [...(type === undefined ? [] : [['Content-Type', type] as const]), ...more] },
  ...(text === '' ? [] : [{ do: 'write', text } as const]),
  { do: 'end' },
]

/** Acts that answer with this JSON as it stands; `{{id}}` is the request's id. */
export const json = (text: string, status = 200, more: Pairs = []): readonly Act[] =>
  whole(status, 'application/json', text, more)

/** The text of a result whose one text block says this. */
export const saying = (text: string): string =>
  `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}}`

/** The text of an error; more members of it, such as `"data":null`, as they stand. */
export const failing = (code: number, message: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":{{id}},"error":{"code":${code},"message":${JSON.stringify(message)}${more && `,${more}`}}}`
