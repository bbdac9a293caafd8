import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, JsonNumber, show, tryParse } from '../../kit/json.ts'
import { finish, open, pause } from '../../kit/steps.ts'
import type { Check, Claim, Limits } from '../../kit/types.ts'
import {
  anonymously,
  callIt,
  change,
  done,
  findUrl,
  ours,
  refusedWith,
  registered,
  silence,
  unrouted,
} from '../routes.ts'
import { platform } from '../spec.ts'

const spec = platform('registry')

const lease = ({ leaseSeconds = 15 }: Limits): number => leaseSeconds * 1000
/** A lease, and half a second for the gateway to see that it is over. */
const past = (limits: Limits): number => lease(limits) + 500
const A_LEASE = { says: 'longer than a lease', of: (rig: { target: { limits: Limits } }) => past(rig.target.limits) }

const listed = (label: string, says: string, wanted: boolean): Claim =>
  claim('client', says, evidence => {
    const there = ours(evidence, 'routes', label).length > 0
    return there === wanted ? undefined : there ? 'it is listed' : 'it is not listed'
  })

/** Servers that come, stay as long as they renew, and go. */
export const leases: readonly Check[] = [
  check({
    id: 'registry/registered-reached',
    title: 'relays to a server as soon as it has registered itself',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'header-routing'],
    why: 'A server starts, registers, and is not called until somebody writes it into a file.',
    steps: [findUrl('crm'), registered(), callIt('call'), change('routes'), change('deregister')],
    given: [done('register')],
    claims: [
      client('call').succeeds(),
      backend('call').at('crm'),
      claim('client', 'the route says that it was registered', evidence => {
        const [route] = ours(evidence, 'routes', 'routes')
        return route?.['registered'] === true ? undefined : route ? 'it does not' : 'it is not listed'
      }),
    ],
  }),
  check({
    id: 'registry/lease-told',
    title: 'tells a server that registers for how long it stays',
    pack: 'syncseries',
    level: 'SHOULD',
    spec,
    needs: ['registration', 'control-api'],
    why: 'A server that does not know when to renew renews too late.',
    steps: [findUrl('crm'), registered(), change('deregister')],
    claims: [
      client('register').status(201),
      client('register').holds('leaseSeconds is a number above zero', e => {
        const got = at(tryParse(e.response?.body ?? ''), 'leaseSeconds')
        return got instanceof JsonNumber && Number(got.text) > 0 ? undefined : `it is ${show(got, 40)}`
      }),
    ],
  }),
  check({
    id: 'registry/anonymous-refused',
    title: 'registers no server without credentials',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: ['registration'],
    why: 'Whoever reaches the port offers tools of their own to every agent of the house.',
    steps: [findUrl('crm'), anonymously('register', 'crm'), change('routes')],
    claims: [refusedWith('register', 401, 403), listed('routes', 'it is no route', false)],
  }),
  check({
    id: 'registry/deregistered-gone',
    title: 'relays nothing more to a server that has taken itself out',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'header-routing'],
    why: 'A server says goodbye before it stops, and calls go to it until they fail.',
    steps: [
      findUrl('crm'),
      registered(),
      callIt('before'),
      silence,
      change('deregister'),
      callIt('after'),
      change('routes'),
      open({ who: 'b' }),
    ],
    given: [done('register'), client('before').succeeds()],
    claims: [
      done('deregister'),
      unrouted('after'),
      backend('after').never(),
      listed('routes', 'it is no route any more', false),
    ],
  }),
  check({
    id: 'registry/lease-ends',
    title: 'takes a server out that does not renew in time',
    pack: 'syncseries',
    level: 'SHOULD',
    spec,
    needs: ['registration', 'header-routing'],
    waits: past,
    why: 'A server dies without a word, and its tools are offered to models for ever.',
    steps: [
      findUrl('crm'),
      change('register', 'crm'),
      pause(A_LEASE, 'without renewing'),
      callIt('after'),
      change('routes'),
      open({ who: 'b' }),
    ],
    given: [done('register')],
    claims: [unrouted('after'), backend('after').never(), listed('routes', 'it is no route any more', false)],
  }),
  check({
    id: 'registry/renewed-stays',
    title: 'keeps a server that renews in time',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'header-routing'],
    waits: past,
    why: 'A server that runs is taken out after a quarter of a minute, again and again.',
    steps: [
      findUrl('crm'),
      registered(),
      pause(A_LEASE, 'while the server renews'),
      callIt('after'),
      silence,
      change('routes'),
      finish(),
      change('deregister'),
    ],
    given: [done('register')],
    claims: [done('renewal'), client('after').succeeds(), listed('routes', 'it is still a route', true)],
  }),
  check({
    id: 'registry/unknown-renewal',
    title: 'answers 404 to the renewal of a server that it does not know',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'control-api'],
    why: 'The gateway was restarted and has forgotten all; servers that are told that all is well never register again.',
    steps: [change('renewRegistration'), findUrl('crm'), registered(), change('deregister')],
    claims: [client('renewRegistration').status(404), done('register')],
  }),
  check({
    id: 'registry/registers-again',
    title: 'relays to the new address where a server registers again',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: ['registration', 'header-routing', 'many-backends'],
    why: 'A server that was restarted on another port is refused, or called at the old one, until its lease is over.',
    steps: [
      findUrl('crm'),
      findUrl('db'),
      change('register', 'crm', 'first'),
      callIt('before'),
      change('register', 'db', 'again'),
      open({ who: 'b', on: 'db' }),
      callIt('after', { who: 'b', on: 'db' }),
      change('deregister'),
    ],
    given: [done('first')],
    claims: [done('again'), client('before').succeeds(), client('after').succeeds(), backend('after').at('db')],
  }),
  check({
    id: 'registry/metadata-address',
    title: 'registers no server at a link-local address',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: ['registration', 'control-api'],
    why: 'The gateway fetches the cloud’s credentials of its own machine for whoever may register.',
    steps: [
      change('register', { url: 'http://169.254.169.254/latest/meta-data/' }),
      change('routes'),
      change('deregister'),
    ],
    claims: [refusedWith('register', 400, 403, 422), listed('routes', 'it is no route', false)],
  }),
]
