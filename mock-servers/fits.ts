import { isObject, type Json, JsonNumber, type JsonObject } from '../kit/json.ts'
import type { Data } from './script.ts'

const IS: Readonly<Record<string, (value: Json) => boolean>> = {
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  number: value => value instanceof JsonNumber,
  integer: value => value instanceof JsonNumber && Number.isInteger(Number(value.text)),
  array: value => Array.isArray(value),
  object: value => isObject(value),
}

/**
 * Holds arguments against the first level of a schema: what is required is there, what has one type is of that type.
 * Gives what is wrong in words, undefined where nothing is.
 */
export function misfit(schema: Data, args: JsonObject): string | undefined {
  const required = (schema['required'] ?? []) as readonly string[]
  const missing = required.find(name => !Object.hasOwn(args, name))
  if (missing !== undefined) return `the argument "${missing}" is missing`
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Data>)) {
    const type = property['type']
    const value = args[name]
    if (value === undefined || typeof type !== 'string') continue
    if (!IS[type]?.(value)) return `the argument "${name}" is no ${type}`
  }
  return undefined
}
