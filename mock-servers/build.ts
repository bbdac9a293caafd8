import { at, JsonNumber, stringify } from '../kit/json.ts'
import type { Call, Data } from './script.ts'

/** A number that is sent just as written. */
export const num = (text: string): JsonNumber => new JsonNumber(text)

/** A text block. */
export const text = (value: string): Data => ({ type: 'text', text: value })

/** A result of one text block. */
export const says = (value: string, more: Data = {}): Data => ({ content: [text(value)], ...more })

/** A result whose text is the JSON of its structured content. */
export const structured = (value: Data, more: Data = {}): Data => ({
  content: [text(stringify(value))],
  structuredContent: value,
  isError: false,
  ...more,
})

/** An input schema. */
export const takes = (properties: Data = {}, required: readonly string[] = []): Data => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** The schema of any text. */
export const STRING = { type: 'string' }

/** An argument that is text, or the default. */
export function stringArg({ args }: Call, name: string, otherwise = ''): string {
  const value = at(args, [name])
  return typeof value === 'string' ? value : otherwise
}

/** An argument that is a whole number between 0 and `most`, or the default. */
export function countArg({ args }: Call, name: string, otherwise: number, most: number): number {
  const value = at(args, [name])
  const number = value instanceof JsonNumber ? Math.trunc(Number(value.text)) : otherwise
  return Math.min(Math.max(number, 0), most)
}
