import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { clientExchange, reply } from '../../kit/messages.ts'
import { call, hangUp, listen, start, times, untilHead, untilSeen } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { cancellations, idAtServer, startLongTask, untilDone, untilWorking } from './cancelled.ts'

const SENDING = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')

/** Connections that break. */
export const disconnects: readonly Check[] = [
  check({
    id: 'cancellation/disconnect-is-none',
    title: 'does not tell the server to cancel when the client’s connection breaks',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    until: '2026-07-28',
    catalogue: ['cancellation.disconnect-is-not-cancel'],
    waits: 500,
    why: 'A train goes through a tunnel, and the long work that the user waits for is thrown away.',
    steps: [
      startLongTask(500, { as: 'call' }),
      untilWorking('call'),
      hangUp('call'),
      untilDone('call'),
      call('burst_target'),
      call('whoami', {}, { as: 'asked' }),
    ],
    claims: [
      claim('backend', 'no cancellation reaches the server', e => {
        const told = cancellations(e).length > 0
        const list = at(reply(clientExchange(e, 'asked')!), 'result.structuredContent.cancelled')
        const known = Array.isArray(list) && list.some(id => id === idAtServer(e, 'call'))
        return told || known ? `it is told that the call ${idAtServer(e, 'call')} was cancelled` : undefined
      }),
    ],
  }),
  check({
    id: 'cancellation/works-after-hang-up',
    title: 'goes on working for a client that hung up on a call',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['cancellation.race-tolerated'],
    why: 'Every broken connection costs a slot, or the session: after some days nothing goes through any more.',
    steps: [
      times(5, 'hangs up on a call that has begun', i => ({
        says: `hangs up on call ${i + 1}`,
        async run(rig) {
          const steps = [startLongTask(300, { as: `call ${i}` }), untilWorking(`call ${i}`), hangUp(`call ${i}`)]
          for (const s of steps) await s.run(rig)
        },
      })),
      call('burst_target', {}, { as: 'next' }),
      call('echo', { text: '다음' }, { as: 'after' }),
    ],
    claims: [client('next').succeeds(), client('after').result('structuredContent.text', '다음')],
  }),
  check({
    id: 'cancellation/hang-up-ends-get-stream',
    title: 'closes its own end when a client hangs up on the GET stream',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'basic/transports', 'listening-for-messages-from-the-server'),
    needs: ['http-proxy', 'http-backend', 'sessions'],
    why: 'Each client that ever listened leaves a connection to the server open, until there are none left.',
    steps: [
      start(listen({ as: 'stream' })),
      untilHead('stream'),
      untilSeen('the GET has reached the server', ({ backend }) => backend.some(e => e.request.method === 'GET')),
      hangUp('stream'),
      untilSeen('the server sees the stream close', ({ backend }) =>
        backend.some(e => e.request.method === 'GET' && (e.goneAt !== undefined || e.endedAt !== undefined)),
      ),
    ],
    claims: [
      claim('backend', 'the server sees the stream close', ({ backend }) => {
        const get = backend.find(e => e.request.method === 'GET')
        if (!get) return 'no GET reached the server'
        return get.goneAt !== undefined || get.endedAt !== undefined ? undefined : 'it is still open'
      }),
    ],
  }),
]
