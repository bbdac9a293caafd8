import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, stringify } from '../../kit/json.ts'
import { notifications, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, finish, hangUp, listen, start, subscribe, unsubscribe, untilSeen, untilStream } from '../../kit/steps.ts'
import type { Check, Exchange } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const subscriptions = spec('2025-11-25', 'server/resources', 'subscriptions')
const URI = 'crm://customers'

/** What the server itself says that this session is subscribed to. */
const knows = (label: string, wanted: boolean) =>
  client(label).holds(`the server counts the session ${wanted ? 'as subscribed' : 'no longer as subscribed'}`, e => {
    const known = at(reply(e), 'result.structuredContent.subscriptions')
    if (!Array.isArray(known)) return describe(e)
    return known.includes(URI) === wanted ? undefined : `it counts ${stringify(known)}`
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
    steps: [subscribe(URI, { as: 'subscribe' }), call('whoami', {}, { as: 'then' })],
    claims: [client('subscribe').succeeds(), knows('then', true)],
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
      subscribe(URI),
      call('whoami', {}, { as: 'before' }),
      unsubscribe(URI, { as: 'unsubscribe' }),
      call('whoami', {}, { as: 'after' }),
    ],
    given: [knows('before', true)],
    claims: [client('unsubscribe').succeeds(), knows('after', false)],
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
      subscribe(URI),
      call('touch_resource', { uri: URI }, { as: 'touch' }),
      untilSeen('the news is there', ({ client: all }) => all.some(e => e.label === 'stream' && updates(e).length > 0)),
      hangUp('stream'),
      finish(),
    ],
    claims: [
      client('stream').holds(`${UPDATED} arrives, with the URI of the client`, (e, { target }) => {
        const wanted = target.names.exposed('resource', 'crm', URI)
        const heard = updates(e)
        if (heard.length === 1 && heard[0] === wanted) return undefined
        return heard.length
          ? `it came for ${heard.map(uri => stringify(uri ?? null)).join(' and ')}`
          : 'nothing of the kind came'
      }),
    ],
  }),
]
