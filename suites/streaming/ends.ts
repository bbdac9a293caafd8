import { event, gate, head, progress, write } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { call, callWithProgress, hangUp, listen, start, untilSeen } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { rfc9110, spec } from '../spec.ts'

const SENDING = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')

/** How streams end, and how they go on. */
export const ends: readonly Check[] = [
  check({
    id: 'streaming/ends-after-result',
    title: 'ends the stream after the result',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.terminates-after-response'],
    why: 'Each call leaves a connection open, until there are none left.',
    steps: [call('hints_empty', { as: 'sse' })],
    claims: [client().whole()],
  }),
  check({
    id: 'streaming/cut-is-noticed',
    title: 'lets the client know when the server breaks off in the middle of a stream',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.backend-loss-mid-stream'],
    needs: ['http-backend'],
    why: 'The client waits for ever, or takes half an answer for a whole one.',
    steps: [
      callWithProgress('slow', {}, 'cut', { acts: [head(), write(event(progress(1))), gate(1), { do: 'reset' }] }),
    ],
    claims: [
      client().holds('it gets an error, or sees the connection break', e => {
        if (at(reply(e), 'error') !== undefined) return undefined
        if (at(reply(e), 'result') !== undefined) return 'a result that the server never sent'
        if (e.endedAt !== undefined) return 'the answer ends as if it were whole, without a response'
        return e.failure !== undefined && /no whole answer/.test(e.failure) ? e.failure : undefined
      }),
    ],
  }),
  check({
    id: 'streaming/last-event-id-forwarded',
    title: 'forwards Last-Event-ID, by which a client resumes',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('5.1'),
    catalogue: ['sse.resume-via-get'],
    needs: ['http-proxy', 'http-backend', 'sessions'],
    why: 'The server sends everything again, or nothing of what was missed.',
    steps: [
      start(listen({ as: 'resumed', headers: { 'Last-Event-ID': 'crm/41' } })),
      untilSeen('the GET has reached the server', seen => seen.backend.some(e => e.request.method === 'GET')),
      hangUp('resumed'),
    ],
    claims: [
      claim('backend', 'Last-Event-ID reaches the server as the client sent it', ({ backend }) => {
        const get = backend.find(e => e.request.method === 'GET')
        if (!get) return 'no GET reached the server'
        const seen = field(get.request.headers, 'last-event-id')
        return seen === 'crm/41' ? undefined : seen === undefined ? 'no Last-Event-ID' : `Last-Event-ID: ${seen}`
      }),
    ],
  }),
]
