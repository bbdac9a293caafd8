import type { Hop } from '../../hop.ts'
import type { Gateway } from '../../types.ts'
import {
  addBefore,
  addLast,
  editEndpoint,
  type Mutate,
  type Part,
  type Passage,
  replaceEndpoint,
  replacePart,
  through,
} from '../harm.ts'
import type { Mutant, Operate } from '../mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `control-plane/${name}`)

/** All that asks for a call by a new route to go through. */
const BY_NEW_ROUTE = [
  ...suite('route-added', 'removal-drops-nothing', 'change-drops-nothing', 'metrics-count'),
  'registry/registered-reached',
  'registry/renewed-stays',
  'registry/registers-again',
]

const NO_ROUTE = '{"error":"Route not found for Mcp-Name"}'

/** Each service that is not there from the start is found only by the second request for it. */
const late: Mutate = addBefore('route', () => {
  const known = new Set(['crm-service', 'db-service', 'syncboot-service'])
  return {
    name: 'harm',
    receive(passage: Passage) {
      const service = passage.header('mcp-name')
      if (service === undefined || known.has(service) || !passage.gateway.routes.service(service)) return
      known.add(service)
      passage.answer(502, NO_ROUTE)
      return true
    },
  }
})

/** Remembers which server a service had when it was first asked for. */
const remembering = (forget: (gateway: Gateway, service: string) => boolean): Mutate =>
  addBefore('limit', (): Part => {
    const known = new Map<string, NonNullable<Passage['backend']>>()
    return {
      name: 'harm',
      receive(passage) {
        const service = passage.header('mcp-name')
        if (service === undefined || !passage.backend) return
        if (forget(passage.gateway, service)) known.delete(service)
        const backend = known.get(service) ?? passage.backend
        known.set(service, backend)
        passage.backend = backend
        return
      },
    }
  })

/** Serves removed services by what it remembers of them. */
const undead: Mutate = replacePart('route', old => {
  const known = new Map<string, NonNullable<Passage['backend']>>()
  return {
    async receive(passage) {
      const service = passage.header('mcp-name') ?? ''
      const there = passage.gateway.routes.service(service)
      if (there) known.set(service, there)
      const gone = known.get(service)
      if (there || !gone) return old.receive?.(passage)
      passage.mode = 'header'
      passage.backend = gone
      return undefined
    },
  }
})

/** What is under way by each route; the operations that harm it look here. */
const underWay = new WeakMap<Gateway, Set<Hop>>()

const watching: Mutate = addLast({
  name: 'harm',
  forward(hop) {
    const { gateway } = hop.passage
    const hops = underWay.get(gateway) ?? new Set()
    underWay.set(gateway, hops.add(hop))
  },
  answer: (hop, out) =>
    through(out, {
      end() {
        underWay.get(hop.passage.gateway)?.delete(hop)
        out.end()
      },
    }),
})

/** Cuts off what is under way by a route before the operation on it. */
const cutting = (operation: string): Operate =>
  replaceEndpoint(operation, (call, old) => {
    for (const hop of underWay.get(call.gateway) ?? []) {
      if (hop.backend.name !== call.params['name']) continue
      hop.abort()
      hop.out?.fail({ kind: 'reset', message: 'The route was taken away.' })
    }
    return old.run(call)
  })

/** Routes that change while the gateway runs. */
export const runTime: readonly Mutant[] = [
  {
    name: 'needs-a-moment-for-new-routes',
    harm: 'Knows a new route only from the second request on.',
    caughtBy: BY_NEW_ROUTE,
    platform,
    mutate: late,
  },
  {
    name: 'hides-the-service-of-a-route',
    harm: 'Does not show which service a route is for.',
    caughtBy: suite('route-listed'),
    platform,
    operate: editEndpoint('routes', reply => {
      const { routes } = reply.json as { routes: { readonly service: string }[] }
      return { json: { routes: routes.map(({ service: _, ...one }) => one) } }
    }),
  },
  {
    name: 'goes-on-to-the-old-address',
    harm: 'Remembers the server of a route, and goes on to it when the route was changed.',
    caughtBy: [...suite('route-changed'), 'registry/registers-again'],
    platform,
    mutate: remembering(() => false),
  },
  {
    name: 'relays-by-removed-routes',
    harm: 'Goes on relaying to the server of a route that was removed.',
    caughtBy: [...suite('route-removed'), 'registry/deregistered-gone'],
    platform,
    mutate: undead,
  },
  {
    name: 'says-of-removed-routes-gone',
    harm: 'Answers 410 by a route that was removed.',
    caughtBy: suite('route-removed-502'),
    platform,
    ...(() => {
      const removed = new WeakMap<Gateway, Set<string>>()
      return {
        operate: replaceEndpoint('remove-route', (call, old) => {
          const service = call.gateway.routes.named(call.params['name']!)?.service
          const all = removed.get(call.gateway) ?? new Set()
          if (service !== undefined) removed.set(call.gateway, all.add(service))
          return old.run(call)
        }),
        mutate: addBefore('route', {
          name: 'harm',
          receive(passage) {
            if (!removed.get(passage.gateway)?.has(passage.header('mcp-name') ?? '')) return
            passage.answer(410, '{"error":"Route removed"}')
            return true
          },
        }),
      }
    })(),
  },
  {
    name: 'drops-calls-of-removed-routes',
    harm: 'Cuts off what is under way by a route that is removed.',
    caughtBy: suite('removal-drops-nothing'),
    platform,
    mutate: watching,
    operate: cutting('remove-route'),
  },
  {
    name: 'drops-calls-of-changed-routes',
    harm: 'Cuts off what is under way by a route that is changed.',
    caughtBy: suite('change-drops-nothing'),
    platform,
    mutate: watching,
    operate: cutting('change-route'),
  },
]
