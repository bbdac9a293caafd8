import { answerOf, perform } from '../kit/admin.ts'
import { client } from '../kit/claims.ts'
import { at, isObject, type Json, type JsonObject } from '../kit/json.ts'
import { describe, Unjudged } from '../kit/session.ts'
import { admin, call, type SendOptions, step } from '../kit/steps.ts'
import type { ActionName, Claim, Evidence, Rig, ServerName, Step } from '../kit/types.ts'

/** The route of a check has its mark for a name, and for a service: no two checks meet. */
const nameOf = (rig: Rig): string => rig.nonce

/** Where a server is for the gateway: as its own routes have it, else where the kit has it. */
const urlKey = (server: ServerName): string => `url of ${server}`

/** Looks where the gateway reaches a server, which need not be where the kit does. */
export const findUrl = (server: ServerName): Step =>
  step(`looks where the gateway reaches the server ${server}`, async rig => {
    const known = rig.target.admin?.actions.routes ? await routesOf(rig) : []
    const service = rig.target.routing.services?.[server] ?? `${server}-service`
    const found = known.find(route => at(route, 'service') === service || at(route, 'name') === server)
    const url = at(found, 'url') ?? rig.servers.url(server)
    if (typeof url !== 'string') throw new Unjudged(`the server ${server} has no address`)
    rig.memory.set(urlKey(server), url)
  })

async function routesOf(rig: Rig): Promise<readonly JsonObject[]> {
  const routes = answerOf(rig.target, 'routes', await perform(rig, 'routes', {}, 'where servers are'))
  return Array.isArray(routes) ? routes.filter(isObject) : []
}

/** Where something is registered or routed to: a server that `findUrl` has found, or any address. */
type Place = ServerName | { readonly url: string }

const vars =
  (place: Place | undefined, suffix = '') =>
  (rig: Rig): { [name: string]: Json } => {
    const name = nameOf(rig) + suffix
    if (place === undefined) return { name }
    const url = typeof place === 'string' ? (rig.memory.get(urlKey(place)) as string) : place.url
    return { name, service: name, url }
  }

/** One action about the route of this check. */
export const change = (name: ActionName, place?: Place, as: string = name, suffix?: string): Step =>
  admin(name, { as, vars: vars(place, suffix) })

/** The same, without what lets an operator in. */
export const anonymously = (name: ActionName, place?: Place, as: string = name): Step =>
  admin(name, { as, anonymous: true, vars: vars(place) })

/** Adds a route of the check's own to a server. */
export const addRoute = (place: Place = 'crm', as = 'addRoute'): Step => change('addRoute', place, as)

/** Registers a server of the check's own, and renews as such a server does, until the check is over. */
export const registered = (place: Place = 'crm'): Step =>
  step('registers a server under its own mark, and renews as often as it must', async rig => {
    const given = vars(place)(rig)
    await perform(rig, 'register', given, 'register')
    const flights = (rig.memory.get('flights') as Promise<void>[] | undefined) ?? []
    rig.memory.set('flights', [...flights, renewing(rig, given)])
  })

async function renewing(rig: Rig, given: { [name: string]: Json }): Promise<void> {
  const { leaseSeconds = 15 } = rig.target.limits
  for (;;) {
    await rig.recorder.when(() => rig.memory.has('no renewals'), (leaseSeconds * 1000) / 3, rig.signal)
    if (rig.signal.aborted || rig.memory.has('no renewals')) return
    await perform(rig, 'renewRegistration', given, 'renewal')
  }
}

/** From now on nobody renews. */
export const silence: Step = step('renews no more', async rig => void rig.memory.set('no renewals', true))

/** Calls `echo` by the route of this check. */
export const callIt = (as: string, o: SendOptions = {}): Step => ({
  says: `calls echo by the route of this check${o.acts ? ', which the server answers as the check has it' : ''}`,
  run: rig =>
    call(
      'echo',
      {},
      { ...o, as, headers: { ...o.headers, [rig.target.routing.header ?? 'Mcp-Name']: nameOf(rig) } },
    ).run(rig),
})

/** The nonce of the check, as its exchanges have it. */
export const nonceOf = ({ client: seen }: Evidence): string => seen[0]?.nonce.replace(/\.\d+$/, '') ?? ''

/** An operation of the control plane did what was asked. */
export const done = (label: string): Claim =>
  client(label).holds('the control plane does it', e => {
    const status = e.response?.status ?? 0
    return status >= 200 && status < 300 ? undefined : describe(e)
  })

/** An operation of the control plane is refused with one of these. */
export const refusedWith = (label: string, ...statuses: readonly number[]): Claim =>
  client(label).holds(`the control plane refuses it with ${statuses.join(' or ')}`, e =>
    statuses.includes(e.response?.status ?? 0) ? undefined : describe(e),
  )

/** The data plane has no way for a request. */
export const unrouted = (label: string): Claim =>
  client(label).holds('the request is refused', e => {
    const status = e.response?.status ?? 0
    return status >= 400 && status < 600 ? undefined : describe(e)
  })

/** What an action listed that has the name of the check's own route. */
export function ours(evidence: Evidence, action: ActionName, label: string, suffix = ''): JsonObject[] {
  const e = evidence.client.findLast(one => one.label === label)
  const list = answerOf(evidence.target, action, e)
  const name = nonceOf(evidence) + suffix
  const isOurs = (one: JsonObject) => one['name'] === name || one['backend'] === name || one['service'] === name
  return Array.isArray(list) ? list.filter(isObject).filter(isOurs) : []
}
