import type { Fields } from './types.ts'

/** The first value of a field, in whatever case its name is written; undefined where there is none. */
export function field(fields: Fields, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (const [key, value] of fields) if (key.length === wanted.length && key.toLowerCase() === wanted) return value
  return undefined
}

/** All values of a field, in whatever case its name is written. */
export function all(fields: Fields, name: string): string[] {
  return fields.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

/** The fields without those of these names (given in lower case). */
export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return fields.filter(([name]) => !names.has(name.toLowerCase()))
}

/** Pairs out of the flat list of names and values that Node gives. */
export function pairs(raw: readonly string[]): Fields {
  const fields: Fields = []
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([raw[i]!, raw[i + 1]!])
  return fields
}

/** True for `text/event-stream`, whatever parameters follow. */
export function isEventStream(fields: Fields): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(field(fields, 'content-type') ?? '')
}

/** True where the body is packed (gzip and the like) and so cannot be looked into. */
export function isEncoded(fields: Fields): boolean {
  return all(fields, 'content-encoding').some(encoding => encoding.trim().toLowerCase() !== 'identity')
}

/** True where a request brings a body. */
export function hasBody(fields: Fields): boolean {
  return Number(field(fields, 'content-length') ?? 0) > 0 || field(fields, 'transfer-encoding') !== undefined
}
