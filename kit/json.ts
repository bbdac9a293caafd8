/**
 * JSON without loss: numbers are kept as the text that they had, so that 2^53+1 and 1.0 can be compared
 * with what came out of the other side. `JSON.parse` would round them before anyone had a look.
 */

/** A number as it stood in the text. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): number {
    return Number(this.text)
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
// Everything up to the closing quote; control characters are not allowed inside.
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 names them.
const PLAIN = /[^"\\\u0000-\u001f]*/y
const MAX_DEPTH = 500

/** Parses RFC 8259 strictly. Throws a SyntaxError that says where. */
export function parse(text: string): Json {
  let at = 0
  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at character ${at}`)
  }
  const space = () => {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
  }
  const word = <T>(w: string, value: T): T => {
    if (!text.startsWith(w, at)) fail('unexpected text')
    at += w.length
    return value
  }
  const string = (): string => {
    const from = at++
    let escaped = false
    for (;;) {
      PLAIN.lastIndex = at
      PLAIN.test(text)
      at = PLAIN.lastIndex
      const c = text[at]
      if (c === '"') break
      if (c !== '\\') fail(c === undefined ? 'unterminated string' : 'control character in a string')
      escaped = true
      at += 2
    }
    at++
    if (!escaped) return text.slice(from + 1, at - 1)
    try {
      return JSON.parse(text.slice(from, at)) as string
    } catch {
      at = from
      return fail('bad escape in the string')
    }
  }
  const value = (depth: number): Json => {
    if (depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH}`)
    space()
    const c = text[at]
    if (c === '"') return string()
    if (c === '{') return object(depth)
    if (c === '[') return array(depth)
    if (c === 't') return word('true', true)
    if (c === 'f') return word('false', false)
    if (c === 'n') return word('null', null)
    NUMBER.lastIndex = at
    const found = NUMBER.exec(text)?.[0]
    if (found === undefined) return fail(c === undefined ? 'unexpected end' : 'unexpected text')
    at += found.length
    return new JsonNumber(found)
  }
  const object = (depth: number): JsonObject => {
    // No prototype: a member called __proto__ is a member like any other.
    const out = Object.create(null) as JsonObject
    at++
    space()
    if (text[at] === '}') {
      at++
      return out
    }
    for (;;) {
      space()
      if (text[at] !== '"') fail('expected a member name')
      const key = string()
      space()
      if (text[at] !== ':') fail('expected a colon')
      at++
      out[key] = value(depth + 1)
      space()
      const c = text[at++]
      if (c === '}') return out
      if (c !== ',') {
        at--
        fail('expected a comma or the end of the object')
      }
    }
  }
  const array = (depth: number): Json[] => {
    const out: Json[] = []
    at++
    space()
    if (text[at] === ']') {
      at++
      return out
    }
    for (;;) {
      out.push(value(depth + 1))
      space()
      const c = text[at++]
      if (c === ']') return out
      if (c !== ',') {
        at--
        fail('expected a comma or the end of the array')
      }
    }
  }
  const result = value(0)
  space()
  if (at < text.length) fail('text after the end')
  return result
}

/** Like `parse`, with undefined for what is no JSON. */
export function tryParse(text: string): Json | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Writes what `parse` reads, numbers as their own text. Takes plain JavaScript values too; undefined members are left out. */
export function stringify(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (value instanceof JsonNumber) return value.text
  let out = ''
  if (Array.isArray(value)) {
    for (const item of value) out += out === '' ? stringify(item) : `,${stringify(item)}`
    return `[${out}]`
  }
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${stringify(member)}`
  }
  return `{${out}}`
}

/** A plain JavaScript value as `parse` would have given it. */
export const json = (value: unknown): Json => parse(stringify(value))

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** The value at a path like `result.content.0.text`, or at a list of keys where one holds a dot. Undefined where there is none. */
export function at(value: Json | undefined, path: string | readonly string[]): Json | undefined {
  const keys = typeof path === 'string' ? (path === '' ? [] : path.split('.')) : path
  let here = value
  for (const key of keys) {
    if (Array.isArray(here)) here = here[Number(key)]
    else if (isObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined
    else return undefined
  }
  return here
}

/** One place where two values differ in meaning. `undefined` stands for "not there". */
export interface Difference {
  readonly path: string
  readonly sent: Json | undefined
  readonly got: Json | undefined
}

/** The same number, however it is written: 1.0 and 1 and 10e-1 are one; 2^53 and 2^53+1 are two. */
export function sameNumber(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b)
}

function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${scale}`
}

/** All differences in meaning, in the order of the first value; member order and number spelling do not count. */
export function differences(sent: Json | undefined, got: Json | undefined, path = ''): Difference[] {
  if (sent instanceof JsonNumber && got instanceof JsonNumber) {
    return sameNumber(sent.text, got.text) ? [] : [{ path, sent, got }]
  }
  if (Array.isArray(sent) && Array.isArray(got)) {
    const length = Math.max(sent.length, got.length)
    return Array.from({ length }, (_, i) => differences(sent[i], got[i], join(path, String(i)))).flat()
  }
  if (isObject(sent) && isObject(got)) {
    const keys = new Set([...Object.keys(sent), ...Object.keys(got)])
    return [...keys].flatMap(key => differences(own(sent, key), own(got, key), join(path, key)))
  }
  return sent === got ? [] : [{ path, sent, got }]
}

const own = (value: JsonObject, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined)
const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

/** A value for people: short, on one line. */
export function show(value: Json | undefined, max = 120): string {
  if (value === undefined) return 'nothing'
  return shorten(stringify(value), max)
}

/** Cuts long text in the middle, and says how much is missing. */
export function shorten(text: string, max = 120): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 20) / 2)
  return `${text.slice(0, half)} …(${text.length - 2 * half} characters)… ${text.slice(-half)}`
}
