import { Problem } from './endpoint.ts'

/** Reads one member: gives its value, or throws an Error that says what it must be. */
export type Reader<T> = (value: unknown) => T

/** Text that is not empty. */
export const text: Reader<string> = value => {
  if (typeof value === 'string' && value !== '') return value
  throw new Error('must be text, and not empty')
}

/** A member that may be absent. */
export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  value =>
    value === undefined ? undefined : reader(value)

/**
 * The members of a body, each read as told. Throws the Problem 422 with `errors: [{ member, detail }]` where one is wrong,
 * missing or unknown.
 */
export function members<T extends Readonly<Record<string, unknown>>>(
  body: unknown,
  readers: { readonly [K in keyof T]: Reader<T[K]> },
): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid([{ member: '', detail: 'must be an object' }])
  }
  const given = body as Readonly<Record<string, unknown>>
  const known = Object.keys(readers)
  const errors = Object.keys(given)
    .filter(name => !known.includes(name))
    .map(name => ({ member: name, detail: `is not known: there are ${known.join(', ')}` }))
  const read: Record<string, unknown> = {}
  for (const name of known) {
    try {
      const value = readers[name]!(given[name])
      if (value !== undefined) read[name] = value
    } catch (cause) {
      errors.push({ member: name, detail: (cause as Error).message })
    }
  }
  if (errors.length > 0) throw invalid(errors)
  return read as T
}

/** The Problem 422. */
export function invalid(errors: readonly { readonly member: string; readonly detail: string }[]): Problem {
  const [first] = errors
  const detail = `${first?.member || 'The body'} ${first?.detail}.`
  return new Problem(422, 'invalid', 'Invalid', detail, { more: { errors } })
}
