import { event, gate, head, progress, says, stepwise, write } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { messages } from '../../kit/messages.ts'
import {
  call,
  callWithProgress,
  finish,
  hangUp,
  listen,
  readOn,
  start,
  step,
  times,
  untilHead,
} from '../../kit/steps.ts'
import type { Act, Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { isNotice, neverHeld, offersNoStream, saysText } from './seen.ts'

const SENDING = spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')
const LISTENING = spec('2025-11-25', 'basic/transports', 'listening-for-messages-from-the-server')
const LIST_CHANGED = 'notifications/tools/list_changed'

const FOUR_AND_DONE = stepwise(
  event(progress(1, { total: 4 })),
  event(progress(2, { total: 4 })),
  event(progress(3, { total: 4 })),
  event(progress(4, { total: 4 })),
  event(says('done')),
)

/** Long enough that no socket on the way can take all of it while the client reads nothing. */
const LONG = 'x'.repeat(512 * 1024)
const LONG_ZERO = event(progress(0, { message: LONG }))
// Written once and numbered after that: making each anew is felt by whoever only lists the checks.
const MANY_LONG = Array.from({ length: 12 }, (_, i) => LONG_ZERO.replace('"progress":0', `"progress":${i + 1}`))

/** More than the gateway's patience with a server in all, but no silence longer than two thirds of it. */
const slowButSteady = (patience: number): Act[] => {
  const pause: Act = { do: 'wait', ms: Math.min(Math.round(patience * 0.65), 700) }
  return [head(), pause, write(event(progress(1))), pause, write(event(progress(2))), write(event(says('done')))]
}

/** When things arrive: as they come, not later. */
export const delivery: readonly Check[] = [
  check({
    id: 'streaming/events-as-they-come',
    title: 'passes each event on as it comes, not when the stream has ended',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.no-buffering', 'http.no-collapse-of-stream', 'progress.relayed-in-order'],
    why: 'The user stares at nothing for minutes, then gets all progress at once when it is of no use; clients give up.',
    steps: [callWithProgress('slow', {}, 'as-they-come', { acts: FOUR_AND_DONE })],
    claims: [neverHeld()],
  }),
  check({
    id: 'streaming/head-before-first-event',
    title: 'sends the head of a stream before its first event is there',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.no-buffering'],
    needs: ['http-backend'],
    why: 'Clients and load balancers count the time to the head: a tool that thinks before it speaks is cut off.',
    steps: [call('slow', {}, { acts: [head(), gate(0), write(event(says('done')))] })],
    claims: [neverHeld()],
  }),
  check({
    id: 'streaming/compression-holds-nothing-back',
    title: 'passes each event on as it comes to a client that accepts gzip, too',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.no-buffering'],
    why: 'A compressor that waits for more to compress turns the stream into one late answer: browsers all ask for gzip.',
    steps: [
      callWithProgress('slow', {}, 'compressed', {
        headers: { 'Accept-Encoding': 'gzip, deflate, br' },
        acts: FOUR_AND_DONE,
      }),
    ],
    claims: [neverHeld(), saysText('done')],
  }),
  check({
    id: 'streaming/get-stream-delivers',
    title: 'delivers what the server says of its own accord on the GET stream, as it comes',
    pack: 'mcp',
    level: 'SHOULD',
    spec: LISTENING,
    catalogue: ['sse.no-buffering'],
    needs: ['sessions'],
    why: 'Clients never learn that tools came or went, and call what is no longer there.',
    steps: [
      start(listen({ as: 'stream' })),
      untilHead('stream'),
      step('lets the server announce a change until it is seen, five times at most', async rig => {
        const stream = () => rig.recorder.exchanges(rig.nonce).client.find(e => e.label === 'stream')
        const seen = () => (stream() ? messages(stream()!).some(m => isNotice(m, LIST_CHANGED)) : false)
        const there = () => stream()?.response?.status === 200
        for (let i = 0; i < 5 && there() && !seen(); i++) {
          await call('announce_change', { what: 'tools' }).run(rig)
          await rig.recorder.when(seen, 400, rig.signal)
        }
      }),
      hangUp('stream'),
    ],
    claims: [
      client('stream').holds('the announcement is on the GET stream, where one is offered', e => {
        if (offersNoStream(e) || messages(e).some(m => isNotice(m, LIST_CHANGED))) return undefined
        return `status ${e.response?.status ?? 'none'}, ${e.events.length} events, and no ${LIST_CHANGED}`
      }),
    ],
  }),
  check({
    id: 'streaming/slow-reader-loses-nothing',
    title: 'keeps every event for a client that reads slowly, and others need not wait for it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: SENDING,
    catalogue: ['sse.large-event', 'envelope.content-integrity'],
    alone: true,
    why: 'A laptop on a bad line gets an answer with holes in it, or makes everyone else wait.',
    steps: [
      start(
        callWithProgress('slow', {}, 'slow-reader', {
          as: 'slow',
          stalls: true,
          acts: [head(), ...MANY_LONG.map(write), gate(MANY_LONG.length), write(event(says('done')))],
        }),
      ),
      untilHead('slow'),
      times(8, 'calls the tool burst_target meanwhile', () => call('burst_target', {}, { as: 'meanwhile' })),
      readOn('slow'),
      finish(),
    ],
    claims: [client('meanwhile').succeeds(), unchanged('slow', { ignore: [/\.progressToken$/] }).messages()],
  }),
  check({
    id: 'streaming/progress-keeps-alive',
    title: 'does not give up on a call whose progress keeps coming',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'basic/lifecycle', 'timeouts'),
    needs: ['backend-timeout', 'http-backend'],
    waits: 1500,
    why: 'Long work that is well under way is thrown away half done, and begun again.',
    steps: [
      step('calls the tool slow, which works longer than the gateway waits for a silent server', rig =>
        callWithProgress('slow', {}, 'alive', {
          acts: slowButSteady(rig.target.limits.backendTimeoutMs ?? 1000),
        }).run(rig),
      ),
    ],
    claims: [client().whole(), saysText('done')],
  }),
]
