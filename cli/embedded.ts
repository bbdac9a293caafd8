import { guardFeatures, SYNCSERIES_API } from '../kit/admin.ts'
import { OWN_NAMES } from '../kit/names.ts'
import { preflight } from '../kit/preflight.ts'
import { createRecorder } from '../kit/recorder.ts'
import type { Platform } from '../kit/run.ts'
import { createStage, type OpenStage } from '../kit/stage.ts'
import type { Admin, Feature, Issuer, Limits, Pairs, Recorder, Servers, Target } from '../kit/types.ts'
import { startIdp } from '../mock-servers/idp.ts'
import { startServers } from '../mock-servers/index.ts'
import { endpoints, startControl } from '../reference-gateway/control/server.ts'
import { startGateway } from '../reference-gateway/gateway.ts'
import type { Mutant, Mutate } from '../reference-gateway/mutants/mutant.ts'
import { parts } from '../reference-gateway/parts.ts'
import type { Config, Mode } from '../reference-gateway/types.ts'
import { otherAddress, startSecure } from './secure.ts'

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

/** The reference gateway with all its guards, its control plane, and what stands behind and beside it. */
export interface EmbeddedPlatform extends Platform {
  readonly url: string
  close(): Promise<void>
}

/** Limits of the guards. The proof has sessions open for a shorter time, or it would wait for most of its own. */
export const GUARDS: Limits = {
  backendTimeoutMs: PATIENCE_MS,
  rps: 10,
  window: 1,
  openSeconds: 5,
  bytes: 51_200,
  auditedBytes: 16_384,
  leaseSeconds: 2,
}

/**
 * How the platform can be set up. `seed`: as the platform's documents have it, tokens go through and refusals have bodies of
 * their own. `official`: as the protocol has it, the client's token ends here and refusals are JSON-RPC errors.
 */
export type PlatformForm = 'seed' | 'official'

export interface PlatformOptions {
  readonly mutant?: Mutant | undefined
  readonly form?: PlatformForm
  readonly limits?: Limits
}

/** Starts the platform, or what a mutant makes of it. */
export async function startPlatform(
  { recorder, stage }: Bench,
  { mutant, form = 'seed', limits = GUARDS }: PlatformOptions = {},
): Promise<EmbeddedPlatform> {
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const one of opened.reverse()) await one.close()
  }
  try {
    const idp = await startIdp()
    opened.push(idp)
    const servers = await startServers({ sink: recorder, stage, tier2: true })
    opened.push(servers)
    const config = platformConfig(servers, idp, limits, form)
    const gateway = await startGateway(mutant?.configure?.(config) ?? config, mutant?.mutate?.(parts) ?? parts)
    opened.push(gateway)
    const { secure, ...running } = await startSecure(config, mutant)
    opened.push(running)
    const { leaseSeconds = 2 } = limits
    const controlConfig = { port: 0, token: 'the-administrator-of-the-bench', leaseSeconds }
    const control = await startControl(
      gateway.gateway,
      mutant?.configureControl?.(controlConfig) ?? controlConfig,
      mutant?.operate?.(endpoints) ?? endpoints,
    )
    opened.push(control)
    const admin = {
      url: control.url,
      headers: [['Authorization', `Bearer ${control.token}`]] as Pairs,
      actions: SYNCSERIES_API,
    }
    return {
      target: {
        ...platformTarget(gateway.url, servers, limits, admin, form, await otherAddress()),
        secure,
      },
      servers,
      issuer: idp,
      url: gateway.url,
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** What the gateway of the platform is started with. */
function platformConfig(servers: Servers, { jwksUrl }: Issuer, limits: Limits, form: PlatformForm): Config {
  return {
    ...guardsOf(jwksUrl, servers.names, form, limits),
    allowAddresses: ['127.0.0.1', '::1'],
    backends: Object.fromEntries(servers.names.map(name => [name, { url: servers.url(name)! }])),
  }
}

/** All guards. */
export function guardsOf(
  jwksUrl: string,
  names: readonly string[],
  form: PlatformForm,
  limits: Limits = GUARDS,
): Omit<Config, 'backends'> {
  const upstream = Object.fromEntries(names.map(name => [name, `the-gateway-itself-to-${name}`]))
  return {
    timeouts: { firstByteMs: PATIENCE_MS },
    errors: form === 'seed' ? 'seed' : 'jsonrpc',
    auth: form === 'seed' ? { jwksUrl } : { jwksUrl, mode: 'terminate', upstream },
    audit: {},
    breaker: { rate: { openMs: (limits.openSeconds ?? 5) * 1000 }, payload: {} },
    approvals: { tools: ['drop_index'] },
    budgets: { perDay: 1_000_000, perMonth: 10_000_000 },
    sagas: {},
  }
}

const PLATFORM: readonly Feature[] = [
  'sessions',
  'resources',
  'prompts',
  'completions',
  'logging',
  'many-backends',
  'http-backend',
  'http-proxy',
  'own-errors',
  'backend-timeout',
  'header-routing',
  'auth',
  'key-set',
  'mtls',
  'approval-tickets',
  'control-api',
  'intermediary',
]

/** What the two forms have each for themselves. */
const FORMS: Readonly<Record<PlatformForm, readonly Feature[]>> = {
  seed: ['token-propagation', 'seed-errors'],
  official: ['token-termination', 'rpc-errors'],
}

/** Known, and not probed: a guard that is broken must not be taken for one that is not there. */
function platformTarget(
  origin: string,
  servers: Servers,
  limits: Limits,
  admin: Admin,
  form: PlatformForm,
  more: readonly Feature[],
): Target {
  return {
    name: `reference gateway, all guards${form === 'official' ? ', official form' : ''}`,
    url: `${origin}/mcp`,
    routing: { style: 'header' },
    headers: [],
    features: [...PLATFORM, ...FORMS[form], ...more, ...guardFeatures(limits, admin)],
    limits,
    admin,
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25'],
    servers: servers.names,
    names: OWN_NAMES,
  }
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
