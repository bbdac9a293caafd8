import { Ajv, type ErrorObject } from 'ajv'
import { type Document, readDocument } from './document.ts'
import { WrongUsage } from './errors.ts'
import { didYouMean } from './nearest.ts'

/**
 * Reads a document, JSON or YAML, and checks it by a JSON Schema. Throws WrongUsage that says what is wrong and in which
 * line. `name` is the file's, `what` is what it should be: `target file`.
 */
export function checked<T>(text: string, name: string, schema: object, what: string): T {
  const document = readDocument(text, name)
  const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile<T>(schema)
  const { value } = document
  if (validate(value)) return value
  const [first, ...others] = [...new Set(relevant(validate.errors ?? []).map(e => sentence(e, document, what)))]
  throw new WrongUsage(first ?? `${name} is no ${what}.`, others.slice(0, 5))
}

/** What a branch of `anyOf` says is left out: the sentence about the whole says it better. */
const relevant = (errors: readonly ErrorObject[]) => errors.filter(e => !e.schemaPath.includes('/anyOf/'))

function sentence(error: ErrorObject, document: Document, whole: string): string {
  const path = error.instancePath.split('/').slice(1).map(plain)
  const what = path.length ? `\`${path.join('.')}\`` : `a ${whole}`
  const at = (says: string, key?: string) => `${document.place(path, key)}: ${says}`
  const { keyword, params, parentSchema } = error
  const description = hint(parentSchema)
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {})
      return at(`${what} has no key \`${key}\`.${didYouMean(key, known) || ` It may have: ${known.join(', ')}.`}`, key)
    }
    case 'required':
      return at(`${what} needs the key \`${params['missingProperty']}\`.`)
    case 'type':
      return at(`${what} must be ${kind(String(params['type']))}, not ${shown(error.data)}.${description}`)
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String)
      const guess = typeof error.data === 'string' ? didYouMean(error.data, allowed) : ''
      return at(`${what} can't be ${shown(error.data)}: it is one of ${allowed.join(', ')}.${guess}`)
    }
    case 'anyOf':
      return at(`${what} must be a port from 1 to 65535, or stdio, not ${shown(error.data)}.`)
    case 'pattern':
      return at(`${what} can't be ${shown(error.data)}.${description}`)
    default:
      return at(`${what} ${error.message ?? 'is wrong'}, but it is ${shown(error.data)}.`)
  }
}

const plain = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** What the schema says of the place, as one more sentence. */
function hint(schema: object | undefined): string {
  const description = (schema as { description?: string } | undefined)?.description
  return description ? ` ${description.replace(/\.?$/, '.')}` : ''
}

function kind(type: string): string {
  return { string: 'a text', object: 'a mapping', array: 'a list', integer: 'a whole number' }[type] ?? `a ${type}`
}

function shown(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
