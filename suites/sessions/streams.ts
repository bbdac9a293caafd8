import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { behind, clientExchange, notifications, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, endSession, finish, hangUp, listen, open, start, step, untilHead, untilSeen } from '../../kit/steps.ts'
import type { Check, Evidence, Exchange, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'
import { upstreamSession } from './seen.ts'

const management = spec('2025-11-25', 'basic/transports', 'session-management')
const listening = spec('2025-11-25', 'basic/transports', 'listening-for-messages-from-the-server')

const CHANGED = 'notifications/tools/list_changed'

/** All that a client was told of changes in the list of tools, on whatever stream. */
const heard = (exchanges: readonly Exchange[], who: string) =>
  exchanges.filter(e => e.who === who).flatMap(e => notifications(e, CHANGED))

const TRIES = 5

/**
 * The stream of a gateway to its server may come about a little later than that of the client, so the tool is called
 * again until the server says that it had somebody to tell.
 */
const announced: Step = step('calls a tool as client a that changes the list of tools', async rig => {
  const seen = () => rig.recorder.exchanges(rig.nonce)
  for (let i = 0; i < TRIES; i++) {
    await call('announce_change', { what: 'tools' }, { who: 'a', as: 'the change' }).run(rig)
    const evidence: Evidence = { ...seen(), target: rig.target, revision: rig.revision }
    const [server] = behind(evidence, clientExchange(evidence, 'the change'))
    if (server && at(reply(server), 'result.structuredContent.announced') !== false) return
    await rig.recorder.when(() => heard(seen().client, 'a').length > 0, 200, rig.signal)
  }
})

const twoListen = [
  open({ who: 'a' }),
  open({ who: 'b' }),
  start(listen({ who: 'a', as: 'stream of a' })),
  start(listen({ who: 'b', as: 'stream of b' })),
  untilHead('stream of a'),
  untilHead('stream of b'),
  call('burst_target', {}, { who: 'b', as: 'call of b' }),
  announced,
  untilSeen('client a has been told of the change', seen => heard(seen.client, 'a').length > 0),
  call('burst_target', {}, { who: 'b' }),
  hangUp('stream of a'),
  hangUp('stream of b'),
  finish(),
] as const

const streamOr405 = (label: string) =>
  client(label).holds('the answer is a stream of events, or 405', e => {
    if (e.response === undefined) return `no answer; ${describe(e)}`
    const type = field(e.response.headers, 'content-type') ?? ''
    if (e.response.status === 405) return undefined
    if (e.response.status === 200 && /^text\/event-stream\s*(;|$)/i.test(type)) return undefined
    return `status ${e.response.status}, ${type || 'no content type'}`
  })

/** What servers send of their own accord, on the stream that a client opens by GET. */
export const streams: readonly Check[] = [
  check({
    id: 'sessions/get-sse-or-405',
    title: 'answers GET with a stream of events, or with 405',
    pack: 'mcp',
    level: 'MUST',
    spec: listening,
    catalogue: ['http.get-sse-or-405', 'http.single-endpoint'],
    why: 'On anything else, 404 above all, clients take the endpoint for one of another transport, or hang.',
    steps: [
      start(listen({ as: 'the GET' })),
      start(
        listen({
          who: 'b',
          as: 'the GET of a client that takes more',
          headers: { Accept: 'application/json, text/event-stream' },
        }),
      ),
      untilHead('the GET'),
      untilHead('the GET of a client that takes more'),
      // Where the head waits for the first event, it comes at last when the server ends the stream with the session.
      endSession(),
      endSession({ who: 'b' }),
      untilHead('the GET'),
      untilHead('the GET of a client that takes more'),
      hangUp('the GET'),
      hangUp('the GET of a client that takes more'),
      finish(),
    ],
    claims: [streamOr405('the GET'), streamOr405('the GET of a client that takes more')],
  }),
  check({
    id: 'sessions/list-changed-not-to-others',
    title: 'does not tell a client of a change in the list of another',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.state-isolation', 'http.no-broadcast'],
    needs: ['sessions'],
    why: 'With a thousand clients each change makes a thousand of them list everything anew; and what one does is no business of the others.',
    steps: twoListen,
    claims: [
      claim('client', 'a client with a session of its own at the server hears nothing of it', evidence => {
        const own = upstreamSession(evidence, 'call of b')
        if (own === undefined || own === upstreamSession(evidence, 'the change')) return undefined
        const told = heard(evidence.client, 'b').length
        return told ? `client b was told ${told} times` : undefined
      }),
    ],
  }),
]
