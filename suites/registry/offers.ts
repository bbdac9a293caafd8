import { answerOf } from '../../kit/admin.ts'
import { client } from '../../kit/claims.ts'
import { changes, sayChanges } from '../../kit/compare.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, type JsonObject } from '../../kit/json.ts'
import { markerOf } from '../../kit/names.ts'
import { admin, startServer, stopServer, untilAdmin } from '../../kit/steps.ts'
import type { Check, Claim, Evidence, ServerName } from '../../kit/types.ts'
import { addRoute, change, done, findUrl, ours, registered, silence } from '../routes.ts'
import { platform } from '../spec.ts'

const spec = platform('registry')

/** Where nobody listens: the port is for throwing away, and nobody runs that any more. */
const NOBODY = { url: 'http://127.0.0.1:9/mcp' }

/** All that is collected. */
function collected({ client: seen, target }: Evidence, label = 'tools'): JsonObject[] {
  const list = answerOf(
    target,
    'tools',
    seen.findLast(e => e.label === label),
  )
  return Array.isArray(list) ? list.filter(isObject) : []
}

interface Pair {
  readonly id: string
  readonly has: JsonObject
  readonly got: JsonObject | undefined
}

/** Each tool of a server beside the one that is collected with its marker. */
function pairs(evidence: Evidence, server: ServerName, label?: string): Pair[] {
  const all = collected(evidence, label)
  return (evidence.offers?.(server, 'tools') ?? []).map(has => {
    const own = markerOf(has)?.own
    const got = all.find(tool => {
      const marker = markerOf(tool)
      return marker?.server === server && marker.own === own
    })
    return { id: `${server}/${own}`, has, got }
  })
}

const complete = (server: ServerName, label?: string): Claim =>
  claim('client', `every tool of the server ${server} is collected`, evidence => {
    const all = pairs(evidence, server, label)
    const missing = all.filter(({ got }) => !got).map(({ id }) => id)
    if (all.length === 0) return 'it is not known which there are'
    return missing.length ? `${missing.length} of ${all.length} are not: ${missing.slice(0, 3).join(', ')}` : undefined
  })

const member = (server: ServerName, name: string): Claim =>
  claim('client', `${name} of every tool of ${server} is as the server has it`, evidence => {
    for (const { id, has, got } of pairs(evidence, server)) {
      const wrong = got && sayChanges(changes(at(has, name), at(got, name)), 'the server has', 'the gateway tells')
      if (wrong) return `${id}: ${wrong}`
    }
    return undefined
  })

const own = (label: string, says: string, wanted: boolean): Claim =>
  claim('client', says, evidence => {
    const n = ours(evidence, 'tools', label).length
    return n > 0 === wanted ? undefined : `${n} tools of it are`
  })

/** The tools that the gateway collects, for an orchestrator to choose from. */
export const offers: readonly Check[] = [
  check({
    id: 'registry/tools-complete',
    title: 'collects every tool of every server, whatever page it stands on',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['tool-registry'],
    why: 'A model is never offered what stands on the second page, and says that it can’t be done.',
    steps: [admin('tools')],
    claims: [client('tools').status(200), complete('crm')],
  }),
  check({
    id: 'registry/tools-of-all',
    title: 'collects the tools of all servers',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['tool-registry', 'many-backends'],
    why: 'An orchestrator plans with half of what the house can do.',
    steps: [admin('tools')],
    claims: [complete('crm'), complete('db'), complete('syncboot')],
  }),
  check({
    id: 'registry/tools-whole',
    title: 'keeps the schema and the description of every tool',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['tool-registry'],
    why: 'A model that is not told a tool’s arguments makes them up.',
    steps: [admin('tools')],
    claims: [
      complete('crm'),
      member('crm', 'inputSchema'),
      member('crm', 'outputSchema'),
      member('crm', 'annotations'),
      member('crm', 'title'),
    ],
  }),
  check({
    id: 'registry/tools-name-their-server',
    title: 'says of each tool which server has it',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['tool-registry', 'control-api', 'many-backends'],
    why: 'Two servers have a tool `echo`: without the server’s name nobody knows which one is called.',
    steps: [findUrl('crm'), addRoute(), admin('tools'), change('removeRoute')],
    given: [done('addRoute')],
    claims: [own('tools', 'the tools of the check’s own route are listed under its name', true)],
  }),
  check({
    id: 'registry/tools-come-and-go',
    title: 'offers the tools of a server as long as it is registered',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'tool-registry', 'control-api'],
    why: 'A model calls what is not there any more, or is not told what has been there for an hour.',
    steps: [
      admin('tools', { as: 'before' }),
      findUrl('crm'),
      registered(),
      admin('tools', { as: 'meanwhile' }),
      silence,
      change('deregister'),
      admin('tools', { as: 'after' }),
    ],
    given: [done('register'), done('deregister')],
    claims: [
      own('before', 'none of its tools is there before', false),
      own('meanwhile', 'its tools are there as soon as it is registered', true),
      own('after', 'none of its tools is there when it has gone', false),
    ],
  }),
  check({
    id: 'registry/down-hides-none',
    title: 'collects the tools of the others where one server is down, and says which one is',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['tool-registry', 'control-api', 'route-admin'],
    alone: true,
    why: 'One server is restarted, and every agent of the house has no tools at all.',
    steps: [addRoute(NOBODY), admin('tools'), admin('servers'), change('removeRoute')],
    given: [done('addRoute')],
    claims: [
      client('tools').status(200),
      complete('crm'),
      claim('client', 'the server is said to be down', evidence => {
        const [server] = ours(evidence, 'servers', 'servers')
        return server?.['state'] === 'down' ? undefined : `it is ${String(server?.['state'] ?? 'not listed')}`
      }),
    ],
  }),
  check({
    id: 'registry/back-again',
    title: 'collects the tools of a server again when it has come back',
    pack: 'syncseries',
    level: 'SHOULD',
    spec,
    needs: ['tool-registry', 'many-backends'],
    alone: true,
    why: 'A server that was away for a second stays hidden until the gateway is restarted.',
    steps: [
      stopServer('syncboot'),
      untilAdmin('tools', 'the tools of syncboot are gone', value => !has(value, 'syncboot'), { as: 'away' }),
      startServer('syncboot'),
      untilAdmin('tools', 'the tools of syncboot are there', value => has(value, 'syncboot'), { as: 'back' }),
    ],
    claims: [complete('crm', 'away'), complete('syncboot', 'back')],
  }),
]

const has = (value: unknown, server: ServerName): boolean =>
  Array.isArray(value) && value.some(tool => isObject(tool) && markerOf(tool)?.server === server)
