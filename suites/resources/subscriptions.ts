import { client } from '../../kit/claims.ts'
import { whereDeclared } from '../../kit/declared.ts'
import { check } from '../../kit/define.ts'
import { at, stringify } from '../../kit/json.ts'
import { notifications, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, finish, hangUp, listen, start, subscribe, unsubscribe, untilSeen, untilStream } from '../../kit/steps.ts'
import type { Check, Claim, Exchange } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const subscriptions = spec('2025-11-25', 'server/resources', 'subscriptions')

// Each check has its own: a bridge may share one session of the server among all its clients.
const [TAKEN, GIVEN_UP, TOUCHED, SHARED] = [
  'crm://customers/all',
  'crm://logo.png',
  'crm://customers',
  'memo:crm-insights',
] as const

/** Nobody need subscribe where the gateway does not offer it. */
const promised = (claim: Claim): Claim => whereDeclared('resources.subscribe', claim)

/** What the server itself says that this session is subscribed to. */
const knows = (label: string, uri: string, wanted: boolean) =>
  client(label).holds(`the server counts the session ${wanted ? 'as subscribed' : 'no longer as subscribed'}`, e => {
    const known = at(reply(e), 'result.structuredContent.subscriptions')
    if (!Array.isArray(known)) return describe(e)
    return known.includes(uri) === wanted ? undefined : `it counts ${stringify(known)}`
  })

const UPDATED = 'notifications/resources/updated'
const updates = (stream: Exchange | undefined) =>
  stream === undefined ? [] : notifications(stream, UPDATED).map(n => at(n, 'params.uri'))

/** Who is told what has changed. */
export const subscribing: readonly Check[] = [
  check({
    id: 'resources/subscribed',
    title: 'hands a subscription on to the server',
    pack: 'mcp',
    level: 'SHOULD',
    spec: subscriptions,
    catalogue: ['resources.subscribe-relayed'],
    needs: ['resources', 'sessions'],
    why: 'A subscription that is acknowledged and goes nowhere is waited on for ever.',
    steps: [subscribe(TAKEN, { as: 'subscribe' }), call('whoami', {}, { as: 'then' })],
    claims: [promised(client('subscribe').succeeds()), promised(knows('then', TAKEN, true))],
  }),
  check({
    id: 'resources/unsubscribed',
    title: 'hands the end of a subscription on to the server',
    pack: 'mcp',
    level: 'SHOULD',
    spec: subscriptions,
    catalogue: ['resources.unsubscribe-relayed'],
    needs: ['resources', 'sessions'],
    why: 'A server that is never told goes on sending news that nobody wants.',
    steps: [
      subscribe(GIVEN_UP),
      call('whoami', {}, { as: 'before' }),
      unsubscribe(GIVEN_UP, { as: 'unsubscribe' }),
      call('whoami', {}, { as: 'after' }),
    ],
    given: [promised(knows('before', GIVEN_UP, true))],
    claims: [promised(client('unsubscribe').succeeds()), promised(knows('after', GIVEN_UP, false))],
  }),
  check({
    id: 'resources/update-arrives',
    title: 'tells a subscriber that a resource was updated, by the URI that it subscribed to',
    pack: 'mcp',
    level: 'SHOULD',
    spec: subscriptions,
    catalogue: ['resources.updated-relayed', 'aggregation.uri-roundtrip'],
    needs: ['resources', 'sessions'],
    why: 'A client that hears nothing, or hears of a URI that it does not know, goes on with the old document.',
    steps: [
      start(listen({ as: 'stream' })),
      untilStream(),
      subscribe(TOUCHED),
      call('touch_resource', { uri: TOUCHED }, { as: 'touch' }),
      untilSeen('the news is there', ({ client: all }) => all.some(e => e.label === 'stream' && updates(e).length > 0)),
      hangUp('stream'),
      finish(),
    ],
    claims: [
      promised(
        client('stream').holds(`${UPDATED} arrives, with the URI of the client`, (e, { target }) => {
          const wanted = target.names.exposed('resource', 'crm', TOUCHED)
          const heard = updates(e)
          if (heard.length > 0 && heard.every(uri => uri === wanted)) return undefined
          return heard.length
            ? `it came for ${heard.map(uri => stringify(uri ?? null)).join(' and ')}`
            : 'nothing of the kind came'
        }),
      ),
    ],
  }),
  check({
    id: 'resources/unsubscribed-alone',
    title: 'goes on telling one client of updates when another has unsubscribed',
    pack: 'mcp',
    level: 'SHOULD',
    spec: subscriptions,
    catalogue: ['resources.subscription-refcount'],
    needs: ['resources', 'sessions'],
    why: 'Where clients share a subscription, the first to leave silences it for all.',
    steps: [
      start(listen({ as: 'stream', who: 'stays' })),
      untilStream(),
      subscribe(SHARED, { who: 'stays' }),
      subscribe(SHARED, { who: 'leaves' }),
      unsubscribe(SHARED, { who: 'leaves' }),
      call('touch_resource', { uri: SHARED }, { who: 'stays' }),
      untilSeen('the news is there', ({ client: all }) => all.some(e => e.label === 'stream' && updates(e).length > 0)),
      hangUp('stream'),
      finish(),
    ],
    claims: [
      promised(
        client('stream').holds(`${UPDATED} arrives`, e =>
          updates(e).length > 0 ? undefined : 'nothing of the kind came',
        ),
      ),
    ],
  }),
]
