import { preflight } from '../kit/preflight.ts'
import { createRecorder } from '../kit/recorder.ts'
import { createStage, type OpenStage } from '../kit/stage.ts'
import type { Feature, Recorder, Servers, Target } from '../kit/types.ts'
import { startServers } from '../mock-servers/index.ts'
import { startGateway } from '../reference-gateway/gateway.ts'
import type { Mutate } from '../reference-gateway/mutants/mutant.ts'
import { parts } from '../reference-gateway/parts.ts'
import type { Mode } from '../reference-gateway/types.ts'

/** After how long the embedded gateway gives up on a silent server, in ms: short, so that the check of it is quick. */
export const PATIENCE_MS = 1200

/** The mock servers and what the kit needs to hear of them. */
export interface Bench {
  readonly recorder: Recorder
  readonly stage: OpenStage
  readonly servers: Servers
}

export async function startBench(ports: Parameters<typeof startServers>[0]['ports'] = {}): Promise<Bench> {
  const recorder = createRecorder()
  const stage = createStage(recorder)
  const servers = await startServers({ sink: recorder, stage, ports })
  return { recorder, stage, servers }
}

/** Starts the reference gateway, or what `mutate` makes of it, in front of the mock servers. */
export function startEmbedded({ servers }: Bench, mutate: Mutate = list => list) {
  const backends = Object.fromEntries(servers.names.map(name => [name, { url: servers.url(name)! }]))
  return startGateway({ backends, timeouts: { firstByteMs: PATIENCE_MS } }, mutate(parts))
}

const OWN: readonly Feature[] = ['own-errors', 'backend-timeout']

/** What the embedded gateway is, in one of its modes. */
export async function embeddedTarget(origin: string, mode: Mode, bench: Bench): Promise<Target> {
  const url = origin + { path: '/crm/mcp', header: '/mcp', aggregate: '/all/mcp' }[mode]
  const style = { path: 'path', header: 'header', aggregate: 'prefix' } as const
  const { target } = await preflight(
    {
      name: mode === 'path' ? 'reference gateway' : `reference gateway, ${mode} mode`,
      url,
      routing: { style: style[mode] },
      headers: [],
      features: mode === 'aggregate' ? OWN : [...OWN, 'http-proxy'],
      limits: { backendTimeoutMs: PATIENCE_MS },
    },
    { ...bench, timeout: 5000 },
  )
  return target
}
