import { SYNCSERIES_API } from './admin.ts'
import { checked } from './checked.ts'
import { type Env, expand } from './environment.ts'
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

/** What may stand in a target file. */
export interface TargetDocument extends Omit<TargetFile, 'headers' | 'secrets' | 'admin' | 'controlApi' | 'idp'> {
  readonly $schema?: string
  readonly auth?: {
    readonly bearerEnv?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly idp?: TargetFile['idp']
  }
  readonly admin?: {
    readonly url?: string
    readonly api?: 'syncseries'
    readonly tokenEnv?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly actions?: Admin['actions']
  }
}

/** Reads a target file, JSON or YAML. Throws WrongUsage that says what is wrong and in which line. `name` is the file's. */
export function readTargetFile(text: string, name: string, env: Env): TargetFile {
  const { auth, admin, $schema, ...file } = checked<TargetDocument>(text, name, targetSchema, 'target file')
  const secrets: string[] = []
  return {
    ...file,
    headers: credentials(auth, name, env, secrets),
    secrets,
    ...(auth?.idp && { idp: auth.idp }),
    ...(admin && {
      admin: {
        url: admin.url ?? file.url,
        headers: credentials({ ...admin, ...(admin.tokenEnv && { bearerEnv: admin.tokenEnv }) }, name, env, secrets),
        actions: { ...(admin.api && SYNCSERIES_API), ...admin.actions },
      },
    }),
    ...(admin?.api && { controlApi: true }),
  }
}

function credentials(auth: TargetDocument['auth'], name: string, env: Env, secrets: string[]): Pairs {
  const headers = Object.entries(auth?.headers ?? {}).map(
    ([field, value]) => [field, expand(value, env, name, secrets)] as const,
  )
  if (auth?.bearerEnv) {
    const token = expand(`\${${auth.bearerEnv}}`, env, name, secrets)
    headers.push(['Authorization', `Bearer ${token}`])
  }
  return headers
}
