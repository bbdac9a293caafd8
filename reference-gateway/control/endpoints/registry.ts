import { LEASE_SECONDS, registryOf } from '../../registry/registry.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'
import { checkService, namedRoute, taken, view } from '../route.ts'

/** Servers that register themselves when they start, and stay as long as they renew. */
export const registry: readonly Endpoint[] = [
  {
    name: 'register',
    method: 'POST',
    path: '/api/v1/registry',
    async run(call) {
      const { gateway } = call
      const { name, route } = await namedRoute(call)
      const servers = registryOf(gateway)
      if (gateway.routes.named(name) && !servers.has(name)) {
        throw taken(`The name ${name} is that of a route which did not register itself: give another one.`)
      }
      checkService(gateway, name, route)
      const made = servers.register(name, route, secondsOf(call))
      const headers = { Location: `/api/v1/registry/${name}` }
      return { status: 201, json: { ...view(made, true), leaseSeconds: secondsOf(call) }, headers }
    },
  },
  {
    name: 'renew',
    method: 'PUT',
    path: '/api/v1/registry/:name',
    run(call) {
      const { gateway, params } = call
      const name = params['name']!
      if (!registryOf(gateway).renew(name, secondsOf(call))) throw unknown(name)
      return { json: { name, leaseSeconds: secondsOf(call) } }
    },
  },
  {
    name: 'deregister',
    method: 'DELETE',
    path: '/api/v1/registry/:name',
    run({ gateway, params }) {
      const name = params['name']!
      if (!registryOf(gateway).remove(name)) throw unknown(name)
      return { status: 204 }
    },
  },
]

const secondsOf = ({ config }: Call): number => config.leaseSeconds ?? LEASE_SECONDS

const unknown = (name: string): Problem =>
  new Problem(
    404,
    'not-registered',
    'Not registered',
    `No server ${name} is registered: its lease may have ended, or the gateway been restarted. Register again.`,
  )
