import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { show } from '../../kit/json.ts'
import { call, finish, open, start, untilBackend } from '../../kit/steps.ts'
import type { Act, Check } from '../../kit/types.ts'
import { bodyIs } from '../breakers.ts'
import { addRoute, callIt, change, done, findUrl, ours, unrouted } from '../routes.ts'
import { platform } from '../spec.ts'

const spec = platform('control-plane')

/** The server answers only when another exchange has ended. */
const until = (label: string): Act[] => [{ do: 'gate', events: 1, of: label }, { do: 'usual' }]

/** Routes that change while the gateway runs. */
export const atRunTime: readonly Check[] = [
  check({
    id: 'control-plane/route-added',
    title: 'relays by a new route at once',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['route-admin', 'header-routing'],
    why: 'A new server is there, and every call to it fails until somebody restarts the gateway, and all sessions with it.',
    steps: [findUrl('crm'), addRoute(), callIt('call'), change('removeRoute')],
    given: [done('addRoute')],
    claims: [client('call').succeeds(), backend('call').at('crm')],
  }),
  check({
    id: 'control-plane/route-listed',
    title: 'shows a new route with its name, service and address',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin'],
    why: 'What an operator is shown is not what the gateway does.',
    steps: [findUrl('crm'), addRoute(), change('routes'), change('removeRoute'), change('routes', undefined, 'after')],
    given: [done('addRoute')],
    claims: [
      {
        about: 'client',
        says: 'the route is listed with its service and address',
        refute(evidence) {
          const [route] = ours(evidence, 'routes', 'routes')
          if (!route) return 'it is not listed'
          const whole = route['service'] === route['name'] && /^https?:\/\/.+\/mcp$/.test(String(route['url']))
          return whole && route['registered'] === false ? undefined : show(route, 160)
        },
      },
      {
        about: 'client',
        says: 'it is listed no more when it was removed',
        refute: evidence => (ours(evidence, 'routes', 'after').length ? 'it is still listed' : undefined),
      },
    ],
  }),
  check({
    id: 'control-plane/route-changed',
    title: 'relays to the new address at once where a route was changed',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin', 'header-routing', 'many-backends'],
    why: 'A server has moved, and calls go on to the old one, which is switched off next.',
    steps: [
      findUrl('crm'),
      findUrl('db'),
      addRoute(),
      callIt('before'),
      change('changeRoute', 'db'),
      open({ who: 'b', on: 'db' }),
      callIt('after', { who: 'b', on: 'db' }),
      change('removeRoute'),
    ],
    given: [done('addRoute'), client('before').succeeds()],
    claims: [done('changeRoute'), client('after').succeeds(), backend('after').at('db')],
  }),
  check({
    id: 'control-plane/route-removed',
    title: 'relays nothing by a route that was removed',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['route-admin', 'header-routing'],
    why: 'A server is taken out because it was broken into, and the calls go on.',
    steps: [findUrl('crm'), addRoute(), callIt('before'), change('removeRoute'), callIt('after'), call('echo', {}, {})],
    given: [done('addRoute'), client('before').succeeds()],
    claims: [done('removeRoute'), unrouted('after'), backend('after').never()],
  }),
  check({
    id: 'control-plane/route-removed-502',
    title: 'answers by a removed route as it does for an unknown service',
    pack: 'syncseries',
    level: 'MUST',
    spec: platform('routing'),
    needs: ['route-admin', 'header-routing', 'seed-errors'],
    why: 'A service that is gone looks like one that has failed, and clients try again and again.',
    steps: [findUrl('crm'), addRoute(), change('removeRoute'), callIt('after')],
    given: [done('addRoute'), done('removeRoute')],
    claims: [
      client('after').status(502),
      client('after').holds('the body is that of the platform', e =>
        bodyIs(e, { error: 'Route not found for Mcp-Name' }),
      ),
    ],
  }),
  check({
    id: 'control-plane/removal-drops-nothing',
    title: 'brings a call to its end whose route is removed meanwhile',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['route-admin', 'header-routing', 'http-backend'],
    why: 'An operator takes a server out for maintenance, and every call that was under way is lost half-done.',
    steps: [
      findUrl('crm'),
      addRoute(),
      start(callIt('under way', { acts: until('removeRoute') })),
      untilBackend('under way'),
      change('removeRoute'),
      finish(),
    ],
    given: [done('addRoute'), done('removeRoute')],
    claims: [client('under way').succeeds(), unchanged('under way').result(), backend('under way').once()],
  }),
  check({
    id: 'control-plane/change-drops-nothing',
    title: 'brings a call to its end whose route is changed meanwhile',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['control-api', 'route-admin', 'header-routing', 'http-backend', 'many-backends'],
    why: 'A server moves, and the calls that it was still answering are lost half-done.',
    steps: [
      findUrl('crm'),
      findUrl('db'),
      addRoute(),
      start(callIt('under way', { acts: until('changeRoute') })),
      untilBackend('under way'),
      change('changeRoute', 'db'),
      finish(),
      change('removeRoute'),
    ],
    given: [done('addRoute'), done('changeRoute')],
    claims: [client('under way').succeeds(), unchanged('under way').result(), backend('under way').once()],
  }),
]
