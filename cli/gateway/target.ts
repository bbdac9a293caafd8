import type { ServerName } from '../../kit/types.ts'
import { GUARDS, PATIENCE_MS, type PlatformForm } from '../embedded.ts'

/** What a target file needs to know of a gateway with all guards that was started by hand. */
export interface Started {
  readonly url: string
  readonly control: string
  readonly form: PlatformForm
  /** The file with the identity provider's key. */
  readonly key: string
  /** The environment variable that holds the administrator's token. */
  readonly tokenEnv: string
  readonly mocks: Readonly<Partial<Record<ServerName, number>>>
  /** Where a run meets the mock servers. */
  readonly record: string
}

/** The target file for it, as YAML. */
export function targetFileOf({ url, control, form, key, tokenEnv, mocks, record }: Started): string {
  const { rps, window, openSeconds, bytes } = GUARDS
  const features =
    form === 'seed'
      ? 'approval-tickets, token-propagation, seed-errors'
      : 'approval-tickets, token-termination, rpc-errors'
  return `# The reference gateway with all its guards, as mcp-conformance gateway --guards ${form} starts it.
name: reference gateway, all guards
url: ${url}/mcp
routing: { style: header }
profile: full
mocks: { ${Object.entries(mocks)
    .map(([name, port]) => `${name}: ${port}`)
    .join(', ')} }
record: ${record}
features: [${features}]
limits: { backendTimeoutMs: ${PATIENCE_MS}, rps: ${rps}, window: ${window}, openSeconds: ${openSeconds}, bytes: ${bytes} }
auth: { idp: { key: ${JSON.stringify(key)} } }
admin: { url: ${control}, api: syncseries, tokenEnv: ${tokenEnv} }
`
}
