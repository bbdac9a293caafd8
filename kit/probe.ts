import { at, isObject, type JsonObject } from './json.ts'
import { behind, reply } from './messages.ts'
import { markerOf, OWN_NAMES, type Sighting, sightings } from './names.ts'
import type { Pacer } from './pacer.ts'
import { openRig } from './rig.ts'
import { open, post, requestText, type Session } from './session.ts'
import type { OpenStage } from './stage.ts'
import type { Exchange, Named, Pairs, Recorder, Revision, Rig, Routing, ServerName, Servers, Target } from './types.ts'
import { field } from './wire.ts'

export interface ProbeTools {
  readonly servers: Servers
  readonly recorder: Recorder
  readonly stage: OpenStage
  /** Keeps the probes below the gateway's rate, where it has one. */
  readonly pacer?: Pacer | undefined
  /** How long one probe may take, in ms. */
  readonly timeout: number
  readonly signal?: AbortSignal
}

/** What one handshake over one route showed. */
export interface Probe {
  readonly server: ServerName
  readonly answer: Exchange
  /** The revision agreed on; undefined where the handshake failed. */
  readonly revision: string | undefined
  readonly hasSession: boolean
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject
  /** The mock servers that were seen behind, by their record or by what is listed. */
  readonly reached: readonly ServerName[]
  readonly seen: readonly Sighting[]
  /** Whether bytes and unknown fields go through both ways, as an HTTP proxy lets them. */
  readonly transparent: boolean
}

/** Shakes hands over one route, lists what is there, and looks which mock servers were reached. Never throws for what a gateway does. */
export async function probe(
  url: string,
  routing: Routing,
  headers: Pairs,
  server: ServerName,
  revision: Revision,
  tools: ProbeTools,
  deep = true,
): Promise<Probe> {
  const target: Target = {
    name: 'probe',
    url,
    routing,
    headers,
    features: [],
    limits: {},
    revisions: [revision],
    servers: [server],
    names: OWN_NAMES,
  }
  const { signal, ...rest } = tools
  const { rig, close } = openRig({ ...rest, target, revision, ...(signal && { stop: signal }) })
  try {
    const { session, answer } = await open(rig, { server })
    const result = at(reply(answer), 'result')
    const agreed = at(result, 'protocolVersion')
    const ok = typeof agreed === 'string'
    const capabilities = objectOr(at(result, 'capabilities'))
    const lists = ok && deep ? await listAll(rig, session, capabilities) : []
    const transparent = ok && deep && (await passesThrough(rig, session))
    await tools.servers.settle?.()
    return {
      server,
      answer,
      revision: ok ? agreed : undefined,
      hasSession: session.id !== undefined,
      capabilities,
      serverInfo: objectOr(at(result, 'serverInfo')),
      reached: [
        ...new Set([...rig.recorder.exchanges(rig.nonce).backend.map(e => e.server), ...lists.map(s => s.server)]),
      ],
      seen: lists,
      transparent,
    }
  } finally {
    await close()
  }
}

const objectOr = (value: ReturnType<typeof at>): JsonObject => (isObject(value) ? value : {})

const LISTS: readonly [capability: string, method: string, member: string, kind: Named][] = [
  ['tools', 'tools/list', 'tools', 'tool'],
  ['resources', 'resources/list', 'resources', 'resource'],
  ['resources', 'resources/templates/list', 'resourceTemplates', 'resource'],
  ['prompts', 'prompts/list', 'prompts', 'prompt'],
]

async function listAll(rig: Rig, session: Session, capabilities: JsonObject): Promise<Sighting[]> {
  const wanted = LISTS.filter(([capability]) => capability === 'tools' || capabilities[capability] !== undefined)
  const lists = await Promise.all(
    wanted.map(async ([, method, member, kind]) => sightings(kind, await pages(rig, session, method, member))),
  )
  return lists.flat()
}

async function pages(rig: Rig, session: Session, method: string, member: string): Promise<JsonObject[]> {
  const items: JsonObject[] = []
  let cursor: string | undefined
  for (let page = 0; page < 50; page++) {
    const mark = rig.next()
    const params = cursor === undefined ? {} : { cursor }
    const answer = await post(rig, session, requestText(session.nextId++, method, params, mark), { mark })
    const result = at(reply(answer), 'result')
    const list = at(result, member)
    if (Array.isArray(list)) items.push(...list.filter(isObject))
    const next = at(result, 'nextCursor')
    if (typeof next !== 'string') break
    cursor = next
  }
  return items.filter(item => markerOf(item) !== undefined)
}

const PROBE_FIELD = 'X-Mcp-Conformance-Probe'

/** Sends a ping with odd spacing and an unknown field, answered in the same way, and looks whether all of it is still there. */
async function passesThrough(rig: Rig, session: Session): Promise<boolean> {
  const mark = rig.next()
  const text = `${requestText(session.nextId++, 'ping', {}, mark)} \t`
  const odd = '{"jsonrpc" :"2.0", "id":{{id}} ,"result":{ "odd" : [ 1 ] } } '
  const answer = await post(rig, session, text, {
    mark,
    headers: { [PROBE_FIELD]: 'there' },
    acts: [
      {
        do: 'head',
        status: 200,
        headers: [
          ['Content-Type', 'application/json'],
          [PROBE_FIELD, 'back'],
        ],
      },
      { do: 'write', text: odd },
      { do: 'end' },
    ],
  })
  const { client, backend } = rig.recorder.exchanges(rig.nonce)
  const seen = behind({ client, backend, target: rig.target, revision: rig.revision }, answer)[0]
  if (!seen) return false
  return (
    seen.request.body === text &&
    field(seen.request.headers, PROBE_FIELD) === 'there' &&
    seen.response?.body === answer.response?.body &&
    field(answer.response?.headers ?? [], PROBE_FIELD) === 'back'
  )
}
