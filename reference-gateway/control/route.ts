import { Hosts } from '../registry/hosts.ts'
import type { RouteConfig } from '../routes.ts'
import type { Backend, Gateway } from '../types.ts'
import { type Call, Problem } from './endpoint.ts'
import { invalid, members, optional, type Reader, text } from './members.ts'

const NAME: Reader<string> = value => {
  if (typeof value === 'string' && /^[a-z][a-z0-9.-]{0,63}$/i.test(value) && value !== 'all') return value
  throw new Error('must be up to 64 letters, digits, "." and "-", beginning with a letter, and not "all"')
}

const SERVICE: Reader<string | undefined> = optional(value => {
  const service = text(value)
  if (/^[\x21-\x7e]{1,128}$/.test(service)) return service
  throw new Error('must be up to 128 visible ASCII characters: it stands in a header field')
})

/** The name and the address in the body of a request. Throws Problems. */
export async function namedRoute(call: Call): Promise<{ readonly name: string; readonly route: RouteConfig }> {
  const { name, ...rest } = members(await call.json(), { name: NAME, url: text, service: SERVICE })
  return { name, route: checked(call, rest) }
}

/** The address alone. Throws Problems. */
export async function unnamedRoute(call: Call): Promise<RouteConfig> {
  return checked(call, members(await call.json(), { url: text, service: SERVICE }))
}

function checked({ config }: Call, { url, service }: { url: string; service?: string | undefined }): RouteConfig {
  const hosts = new Hosts(config.allowedHosts)
  const wrong = hosts.refuses(url)
  if (wrong) throw invalid([{ member: 'url', detail: wrong }])
  return { url, lookup: hosts.lookup, ...(service !== undefined && { service }) }
}

/** Throws the Problem 409 where a service has another server already. */
export function checkService({ routes }: Gateway, name: string, { service = `${name}-service` }: RouteConfig): void {
  const holder = routes.service(service)
  if (holder && holder.name !== name) {
    throw taken(`The service ${service} is that of the route ${holder.name}: give another one.`)
  }
}

/** The Problem 409. */
export const taken = (detail: string): Problem => new Problem(409, 'taken', 'Taken', detail)

/** The Problem 404. */
export const noRoute = (name: string): Problem =>
  new Problem(404, 'no-such-route', 'No such route', `There is no route ${name}: GET /api/v1/routes shows all.`)

/** A route as the control plane shows it. */
export const view = ({ name, service, origin, path }: Backend, registered: boolean) => ({
  name,
  service,
  url: origin + path,
  registered,
})
