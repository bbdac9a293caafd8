import { guardFeatures } from './admin.ts'
import { CannotJudge } from './errors.ts'
import { namesFrom, OWN_NAMES } from './names.ts'
import { pacerOf } from './pacer.ts'
import { type Probe, type ProbeTools, probe } from './probe.ts'
import { GUARDS, profiles } from './profiles.ts'
import { notReached, unusable } from './refusals.ts'
import type { Admin, Feature, Limits, Pairs, Revision, Routing, ServerName, Servers, Target } from './types.ts'

/** What is told of a gateway before it is looked at. */
export interface Wanted {
  readonly name?: string
  readonly url: string
  /** Found by probing where absent. */
  readonly routing?: Routing
  readonly headers: Pairs
  readonly profile?: string
  /** Said to be there, whatever probing shows. */
  readonly features?: readonly Feature[]
  readonly limits?: Limits
  readonly admin?: Admin
  readonly revisions?: readonly Revision[]
  /** Servers that must be reached; else as many as are. */
  readonly required?: readonly ServerName[]
}

/** What the kit found out, and how. */
export interface Preflight {
  readonly target: Target
  /** One sentence for each thing that was inferred. */
  readonly notes: readonly string[]
  readonly probes: readonly Probe[]
}

/** The revisions that the kit can speak, newest first. */
export const SPOKEN: readonly Revision[] = ['2025-11-25', '2025-06-18', '2025-03-26']

/**
 * Finds out what the gateway is: how it routes, what it renames, which revisions and features it has.
 * Throws CannotJudge, in one sentence, where there is nothing to judge.
 */
export async function preflight(wanted: Wanted, given: ProbeTools): Promise<Preflight> {
  const { limits = {} } = wanted
  const tools = { ...given, pacer: pacerOf({ limits }) }
  const { routing, probes } = await findRoute(wanted, tools)
  const useful = probes.filter(p => p.revision !== undefined && p.reached.length > 0)
  const first = useful[0]
  if (!first) throw refusal(wanted, probes, tools.servers)
  const servers = tools.servers.names.filter(name => useful.some(p => p.reached.includes(name)))
  const missing = (wanted.required ?? []).filter(name => !servers.includes(name))
  if (missing.length) throw notReached(wanted.url, missing, tools.servers)
  const revisions = wanted.revisions ?? (await spoken(wanted, routing, first, tools))
  if (!revisions.length) {
    throw new CannotJudge(
      `${wanted.url} speaks revision ${first.revision}, which this kit does not know; it knows ${[...SPOKEN].reverse().join(', ')}.`,
    )
  }
  const seen = useful.flatMap(p => p.seen)
  const separator = routing.separator ?? '_'
  const prefix = (server: ServerName, own: string) => `${routing.services?.[server] ?? server}${separator}${own}`
  const { features, notes } = featuresOf(wanted, routing, servers, useful, tools.servers)
  return {
    target: {
      name: wanted.name ?? nameOf(first) ?? 'gateway',
      url: wanted.url,
      routing,
      headers: wanted.headers,
      features,
      limits,
      ...(wanted.admin && { admin: wanted.admin }),
      revisions,
      servers,
      names: namesFrom(seen, routing.style === 'prefix' ? prefix : (_, own) => own),
    },
    notes: [...(wanted.routing ? [] : [routingNote(routing, servers)]), ...notes],
    probes,
  }
}

const nameOf = ({ serverInfo }: Probe): string | undefined =>
  typeof serverInfo['name'] === 'string' ? serverInfo['name'] : undefined

/** The mock servers without a gateway, as a target. */
export function directTarget(target: Target, servers: Servers): Target | undefined {
  const urls = Object.fromEntries(target.servers.map(name => [name, servers.url(name)]))
  if (Object.values(urls).some(url => url === undefined)) return undefined
  const absent: readonly Feature[] = ['intermediary', 'aggregation', 'own-errors', 'backend-timeout', ...GUARDS]
  return {
    ...target,
    name: `${target.name}, without the gateway`,
    routing: { style: 'direct', urls },
    headers: [],
    features: [...new Set<Feature>([...target.features, 'http-proxy'])].filter(f => !absent.includes(f)),
    names: OWN_NAMES,
  }
}

async function spoken(wanted: Wanted, routing: Routing, first: Probe, tools: ProbeTools): Promise<Revision[]> {
  const asked = await Promise.all(
    SPOKEN.map(async revision => {
      const { revision: agreed } = await probe(
        wanted.url,
        routing,
        wanted.headers,
        first.server,
        revision,
        tools,
        false,
      )
      return agreed === revision ? [revision] : []
    }),
  )
  return asked.flat().sort()
}

interface Route {
  readonly routing: Routing
  readonly probes: readonly Probe[]
}

/** Tries the route that was told, or each likely one until a mock server is reached. */
async function findRoute(wanted: Wanted, tools: ProbeTools): Promise<Route> {
  const go = async (routing: Routing): Promise<Route> => {
    const one = routing.style === 'single' || routing.style === 'prefix'
    const names = one ? [routing.server ?? tools.servers.names[0] ?? 'crm'] : tools.servers.names
    const probes = await Promise.all(
      names.map(server => probe(wanted.url, routing, wanted.headers, server, SPOKEN[0]!, tools)),
    )
    return { routing, probes }
  }
  if (wanted.routing) return go(wanted.routing)
  const plain = await go({ style: 'single' })
  const [answer] = plain.probes
  // Where nobody answers, or asks for credentials, no other route will do better.
  if (!answer || answer.answer.response === undefined || [401, 403].includes(answer.answer.response.status))
    return plain
  const behind = answer.reached
  if (behind.length > 1) return { ...plain, routing: { style: 'prefix' } }
  const only = behind[0]
  for (const routing of candidates(wanted.url, only)) {
    const found = await go(routing)
    if (found.probes.some(p => p.reached.includes(p.server) && p.server !== only)) return found
  }
  return only ? { ...plain, routing: { style: 'single', server: only } } : plain
}

/** Routes that a URL may stand for. Where one server answers already, only its siblings are looked for. */
function candidates(url: string, only: ServerName | undefined): Routing[] {
  const { pathname } = new URL(url)
  if (only) {
    const parts = pathname.split('/')
    const i = parts.findIndex(p => p === only || p === `${only}-service`)
    if (i < 0) return [{ style: 'header' }]
    const own = parts[i] === only
    const services = own ? {} : { services: { crm: 'crm-service', db: 'db-service', syncboot: 'syncboot-service' } }
    return [{ style: 'path', path: parts.with(i, '{backend}').join('/'), ...services }]
  }
  const base = pathname.replace(/\/mcp\/?$/, '').replace(/\/$/, '')
  return [
    { style: 'header' },
    { style: 'path', path: `${base}/{backend}/mcp` },
    { style: 'path', path: `${base}/mcp/{backend}` },
    { style: 'path', path: `${base}/servers/{backend}/mcp` },
  ]
}

function refusal(wanted: Wanted, probes: readonly Probe[], servers: Servers): CannotJudge {
  const answered = probes.find(p => p.revision !== undefined)
  if (answered) return notReached(wanted.url, servers.names, servers)
  return unusable(wanted.url, probes[0]!.answer)
}

function featuresOf(
  wanted: Wanted,
  routing: Routing,
  servers: readonly ServerName[],
  probes: readonly Probe[],
  mocks: Servers,
): { features: Feature[]; notes: string[] } {
  const profile = wanted.profile === undefined ? undefined : profiles[wanted.profile]
  const offered = (name: string) => probes.every(p => p.capabilities[name] !== undefined)
  const inferred: readonly [Feature, boolean, string][] = [
    ['intermediary', true, 'there is a gateway'],
    ['sessions', probes.every(p => p.hasSession), 'it answers initialize with Mcp-Session-Id'],
    ['resources', offered('resources'), 'its capabilities name resources'],
    ['prompts', offered('prompts'), 'its capabilities name prompts'],
    ['completions', offered('completions'), 'its capabilities name completions'],
    ['logging', offered('logging'), 'its capabilities name logging'],
    ['many-backends', servers.length > 1, `${servers.length} servers are reached`],
    ['aggregation', routing.style === 'prefix' && servers.length > 1, 'one endpoint lists tools of several servers'],
    ['header-routing', routesByName(routing), 'the field Mcp-Name leads to the servers'],
    ['http-backend', servers.every(name => mocks.url(name) !== undefined), 'the servers are reached by HTTP'],
    ['http-proxy', probes.every(p => p.transparent), 'bytes and unknown header fields go through unchanged'],
    // A plain proxy that passes on what it gets is no MCP peer: `--profile full` says that it is more than that.
    [
      'own-errors',
      !probes.every(p => p.transparent),
      'it answers as an MCP peer, so it answers for a failed server, too',
    ],
  ]
  const declared = guardFeatures(wanted.limits ?? {}, wanted.admin)
  const held = inferred.filter(([f, holds]) => holds && !profile?.lacks.includes(f))
  return {
    features: [...new Set([...held.map(([f]) => f), ...(profile?.has ?? []), ...declared, ...(wanted.features ?? [])])],
    notes: [...held.map(([f, , from]) => `${f}: ${from}`), ...declared.map(f => `${f}: the target file declares it`)],
  }
}

const routesByName = ({ style, header = 'Mcp-Name' }: Routing): boolean =>
  style === 'header' && header.toLowerCase() === 'mcp-name'

const routingNote = (routing: Routing, servers: readonly ServerName[]): string =>
  `routing: ${routing.style}${routing.path ? ` ${routing.path}` : ''}${routing.style === 'header' ? ` ${routing.header ?? 'Mcp-Name'}` : ''}, from requests that reached ${servers.join(', ')}`
