import { JsonNumber } from '../kit/json.ts'

/** JSON that is written out exactly as it stands: `stringify` gives numbers their own text, and so it does with this. */
export class Verbatim extends JsonNumber {}

/** A piece of JSON to be sent just as written, spaces and spelling included. */
export const verbatim = (text: string): Verbatim => new Verbatim(text)

const SPACE = /[ \t\n\r]*/y
const SCALAR = /[^ \t\n\r,\]}]*/y

/**
 * The text of the value at a path, exactly as it stands in a text that is known to be JSON. Undefined where there is none.
 * Of members that occur twice the last one counts, as it does for the parser.
 */
export function rawAt(text: string, path: readonly (string | number)[]): string | undefined {
  let from = skip(SPACE, text, 0)
  for (const key of path) {
    const next = typeof key === 'number' ? item(text, from, key) : member(text, from, key)
    if (next === undefined) return undefined
    from = next
  }
  return text.slice(from, endOf(text, from))
}

function member(text: string, from: number, key: string): number | undefined {
  if (text[from] !== '{') return undefined
  let found: number | undefined
  let at = skip(SPACE, text, from + 1)
  while (text[at] === '"') {
    const end = endOfString(text, at)
    const name = JSON.parse(text.slice(at, end)) as string
    // Past the colon, and the space on both sides of it.
    const value = skip(SPACE, text, skip(SPACE, text, end) + 1)
    if (name === key) found = value
    at = afterComma(text, endOf(text, value))
  }
  return found
}

function item(text: string, from: number, index: number): number | undefined {
  if (text[from] !== '[') return undefined
  let at = skip(SPACE, text, from + 1)
  for (let i = 0; at < text.length && text[at] !== ']'; i++) {
    if (i === index) return at
    at = afterComma(text, endOf(text, at))
  }
  return undefined
}

const afterComma = (text: string, at: number): number => {
  const next = skip(SPACE, text, at)
  return text[next] === ',' ? skip(SPACE, text, next + 1) : next
}

function endOf(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from)
  if (text[from] !== '{' && text[from] !== '[') return skip(SCALAR, text, from)
  let depth = 0
  let at = from
  do {
    const c = text[at]
    if (c === '"') at = endOfString(text, at) - 1
    else if (c === '{' || c === '[') depth++
    else if (c === '}' || c === ']') depth--
    at++
  } while (depth > 0 && at < text.length)
  return at
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slash = at
    while (text[slash - 1] === '\\') slash--
    if ((at - slash) % 2 === 0) return at + 1
  }
  return text.length
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}
