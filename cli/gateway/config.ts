import { checked } from '../../kit/checked.ts'
import { type Env, expand } from '../../kit/environment.ts'
import { configSchema } from '../../reference-gateway/config-schema.ts'
import type { ControlConfig } from '../../reference-gateway/guards.ts'
import type { Config } from '../../reference-gateway/types.ts'

/** A configuration file, read and checked. */
export interface GatewayFile extends Partial<Config> {
  readonly control?: ControlConfig
}

/** Reads the gateway's configuration, JSON or YAML. Throws WrongUsage that says what is wrong and in which line. */
export function readGatewayFile(text: string, name: string, env: Env): GatewayFile {
  const { $schema: _, ...file } = checked<GatewayFile & { readonly $schema?: string }>(
    text,
    name,
    configSchema,
    'gateway configuration',
  )
  const { auth, control } = file
  const secret = (value: string) => expand(value, env, name)
  return {
    ...file,
    ...(auth?.upstream && {
      auth: {
        ...auth,
        upstream: Object.fromEntries(Object.entries(auth.upstream).map(([server, token]) => [server, secret(token)])),
      },
    }),
    ...(control?.token !== undefined && { control: { ...control, token: secret(control.token) } }),
  }
}
