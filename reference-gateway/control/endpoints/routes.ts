import { registryOf } from '../../registry/registry.ts'
import type { Endpoint } from '../endpoint.ts'
import { checkService, namedRoute, noRoute, taken, unnamedRoute, view } from '../route.ts'

/** The servers behind the gateway: they can be added, changed and taken out while it runs. */
export const routes: readonly Endpoint[] = [
  {
    name: 'routes',
    method: 'GET',
    path: '/api/v1/routes',
    run({ gateway }) {
      const registry = registryOf(gateway)
      return { json: { routes: gateway.routes.all.map(one => view(one, registry.has(one.name))) } }
    },
  },
  {
    name: 'add-route',
    method: 'POST',
    path: '/api/v1/routes',
    async run(call) {
      const { gateway } = call
      const { name, route } = await namedRoute(call)
      if (gateway.routes.named(name)) {
        throw taken(`The name ${name} has a route already: change it by PUT /api/v1/routes/${name}.`)
      }
      checkService(gateway, name, route)
      const made = gateway.routes.set(name, route)
      return { status: 201, json: view(made, false), headers: { Location: `/api/v1/routes/${name}` } }
    },
  },
  {
    name: 'change-route',
    method: 'PUT',
    path: '/api/v1/routes/:name',
    async run(call) {
      const { gateway } = call
      const name = call.params['name']!
      const route = await unnamedRoute(call)
      const old = gateway.routes.named(name)
      if (!old) throw noRoute(name)
      const changed = { service: old.service, ...route }
      checkService(gateway, name, changed)
      return { json: view(gateway.routes.set(name, changed), registryOf(gateway).has(name)) }
    },
  },
  {
    name: 'remove-route',
    method: 'DELETE',
    path: '/api/v1/routes/:name',
    run({ gateway, params }) {
      const name = params['name']!
      registryOf(gateway).forget(name)
      if (!gateway.routes.delete(name)) throw noRoute(name)
      return { status: 204 }
    },
  },
]
