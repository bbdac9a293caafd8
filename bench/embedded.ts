import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN_NAMES } from '../kit/names.ts'
import type { Pairs, Revision, Target } from '../kit/types.ts'
import { type Idp, startIdp } from '../mock-servers/idp.ts'
import type { Config } from '../reference-gateway/types.ts'
import { type Child, startChild } from './child.ts'
import { direct, through } from './endpoint.ts'
import { type Responders, startResponders } from './responders.ts'
import type { BenchSubject } from './subject.ts'

/** A way to set up the embedded gateway. */
export interface Setting {
  readonly id: string
  readonly says: string
  readonly on: readonly string[]
  /** What is added to its configuration. `routes` more backends stand in its table, which lead nowhere. */
  readonly config?: (given: { readonly jwksUrl: string; readonly folder: string }) => Partial<Config>
  readonly routes?: number
  /** The aggregating endpoint, over so many servers. */
  readonly backends?: number
  readonly wantsToken?: boolean
}

export const PLAIN: Setting = { id: 'plain', says: 'no guards', on: [] }

export const GUARDED: Setting = {
  id: 'guards',
  says: 'audit, tokens (RS256) and both breakers on',
  on: ['audit', 'auth', 'breaker'],
  wantsToken: true,
  // The limits are ones that are not reached: what is measured is the way through, not the refusal.
  config: ({ jwksUrl, folder }) => ({
    auth: { jwksUrl },
    audit: { file: join(folder, 'audit.jsonl') },
    breaker: { rate: { requests: 1_000_000_000 }, payload: { bytes: 100_000_000 } },
  }),
}

export const routesOf = (routes: number): Setting => ({
  id: `routes-${routes}`,
  says: `${routes} routes in the table`,
  on: [],
  routes,
})

export const aggregating = (backends: number): Setting => ({
  id: `backends-${backends}`,
  says: `one endpoint for ${backends} servers`,
  on: [],
  backends,
})

/** What stands behind every setting. */
export interface EmbeddedHouse {
  open(setting: Setting): Promise<BenchSubject>
  stop(): Promise<void>
}

/** Starts the servers; gateways in front of them are opened one by one. */
export async function openHouse(): Promise<EmbeddedHouse> {
  const responders = await startResponders({ crm: 0 })
  const opened: Child<unknown>[] = []
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-bench-'))
  let idp: Idp | undefined
  return {
    async open(setting) {
      if (setting.config || setting.wantsToken) idp ??= await startIdp()
      const token = setting.wantsToken ? await idp!.mint({ sub: 'bench' }, { expiresIn: 3600 }) : undefined
      const child = await startChild<{ url: string }>(
        'gateway',
        configOf(setting, responders, { jwksUrl: idp?.jwksUrl ?? '', folder }),
      )
      opened.push(child)
      return subjectOf(setting, child, responders, token === undefined ? [] : [['Authorization', `Bearer ${token}`]])
    },
    async stop() {
      for (const child of opened) await child.stop()
      await responders.stop()
      await idp?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf(
  { config, routes = 0, backends = 1 }: Setting,
  responders: Responders,
  given: { readonly jwksUrl: string; readonly folder: string },
): Config {
  const more = Array.from({ length: Math.max(0, routes - 1) }, (_, i) => [
    `service-${i}`,
    { url: `http://127.0.0.1:9/${i}` },
  ])
  return {
    backends: {
      ...Object.fromEntries(more),
      crm: { url: responders.url('crm')! },
      ...Object.fromEntries(
        Array.from({ length: backends - 1 }, (_, i) => [`crm${i + 2}`, { url: responders.url('crm')! }]),
      ),
    },
    ...config?.(given),
  }
}

const REVISIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25']

function subjectOf(
  setting: Setting,
  child: Child<{ url: string }>,
  responders: Responders,
  token: Pairs,
): BenchSubject {
  const target: Target = {
    name: 'reference gateway',
    url: `${child.hello.url}/${setting.backends ? 'all' : 'crm'}/mcp`,
    routing: { style: setting.backends ? 'single' : 'path' },
    headers: [],
    features: ['sessions', 'resources', 'prompts'],
    limits: {},
    revisions: REVISIONS,
    servers: ['crm'],
    names: OWN_NAMES,
  }
  return {
    name: `reference gateway, ${setting.says}`,
    url: target.url,
    on: setting.on,
    target,
    server: 'crm',
    direct: (revision, name) => direct(responders.url('crm')!, target.routing, 'crm', revision, name),
    through: async revision => through(target, 'crm', revision, token),
    notes: [],
    stop: child.stop,
  }
}
