import { Ajv, type ErrorObject } from 'ajv'
import { SYNCSERIES_API } from './admin.ts'
import { type Document, readDocument } from './document.ts'
import { type Env, expand } from './environment.ts'
import { WrongUsage } from './errors.ts'
import { didYouMean } from './nearest.ts'
import { targetSchema } from './target-schema.ts'
import type { Admin, Limits, Pairs, Revision, Routing, ServerName } from './types.ts'

/** How the gateway reaches a mock server: the port at which it waits, or stdio. */
export type Mock = number | 'stdio'

/** A target file, read and checked. What is not there is probed, or has a default. */
export interface TargetFile {
  readonly name: string
  readonly url: string
  readonly revisions?: readonly Revision[]
  readonly routing?: Routing
  readonly mocks?: Readonly<Partial<Record<ServerName, Mock>>>
  /** Where servers on stdio bring what they saw: `host:port`. */
  readonly record?: string
  /** Features, those that the gateway lacks with a minus in front. */
  readonly features?: readonly string[]
  readonly profile?: string
  readonly limits?: Limits
  readonly admin?: Admin
  /** Its control plane is that of the SyncSeries platform. */
  readonly controlApi?: true
  /** The kit's own identity provider, which the gateway trusts: the file of its key, and where it listens. */
  readonly idp?: { readonly key: string; readonly port?: number }
  /** Sent with every request. */
  readonly headers: Pairs
  /** Texts in the headers that no report may show. */
  readonly secrets: readonly string[]
}

interface Raw extends Omit<TargetFile, 'headers' | 'secrets' | 'admin' | 'controlApi' | 'idp'> {
  readonly $schema?: string
  readonly auth?: {
    readonly bearerEnv?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly idp?: TargetFile['idp']
  }
  readonly admin?: {
    readonly url: string
    readonly api?: 'syncseries'
    readonly tokenEnv?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly actions?: Admin['actions']
  }
}

/** Reads a target file, JSON or YAML. Throws WrongUsage that says what is wrong and in which line. `name` is the file's. */
export function readTargetFile(text: string, name: string, env: Env): TargetFile {
  const document = readDocument(text, name)
  const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile<Raw>(targetSchema)
  const { value } = document
  if (!validate(value)) {
    const [first, ...others] = [...new Set(relevant(validate.errors ?? []).map(e => sentence(e, document)))]
    throw new WrongUsage(first ?? `${name} is no target file.`, others.slice(0, 5))
  }
  const { auth, admin, $schema, ...file } = value
  const secrets: string[] = []
  return {
    ...file,
    headers: credentials(auth, name, env, secrets),
    secrets,
    ...(auth?.idp && { idp: auth.idp }),
    ...(admin && {
      admin: {
        url: admin.url,
        headers: credentials({ ...admin, ...(admin.tokenEnv && { bearerEnv: admin.tokenEnv }) }, name, env, secrets),
        actions: { ...(admin.api && SYNCSERIES_API), ...admin.actions },
      },
    }),
    ...(admin?.api && { controlApi: true }),
  }
}

function credentials(auth: Raw['auth'], name: string, env: Env, secrets: string[]): Pairs {
  const headers = Object.entries(auth?.headers ?? {}).map(
    ([field, value]) => [field, expand(value, env, name, secrets)] as const,
  )
  if (auth?.bearerEnv) {
    const token = expand(`\${${auth.bearerEnv}}`, env, name, secrets)
    headers.push(['Authorization', `Bearer ${token}`])
  }
  return headers
}

/** What a branch of `anyOf` says is left out: the sentence about the whole says it better. */
const relevant = (errors: readonly ErrorObject[]) => errors.filter(e => !e.schemaPath.includes('/anyOf/'))

function sentence(error: ErrorObject, document: Document): string {
  const path = error.instancePath.split('/').slice(1).map(plain)
  const what = path.length ? `\`${path.join('.')}\`` : 'a target file'
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
