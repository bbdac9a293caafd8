import { meterOf } from '../breaker/meter.ts'
import { refusalOf } from '../breaker/refusal.ts'
import { rules } from '../breaker/rules.ts'
import { breakerOf } from '../parts/breaker.ts'
import { alsoStops, breakerWith, cutAlike, limits } from './breakers.ts'
import {
  addBefore,
  bufferWhole,
  edit,
  editEndpoint,
  editReply,
  field,
  isEventStream,
  type Mutate,
  replaceEndpoint,
  replacePart,
  requestText,
  sessionOf,
  through,
  truncateAt,
} from './harm.ts'
import type { Mutant } from './mutant.ts'

const platform = 'seed' as const
const suite = (...names: readonly string[]) => names.map(name => `breaker-payload/${name}`)
const bytes = (change: (bytes: number) => number) =>
  limits(b => ({ ...b, payload: { ...b.payload, bytes: change(51_200) } }))

/** What opens a session: all that asks for it. */
const OPENING = suite(
  'just-above-opens',
  'well-above-opens',
  'content-length',
  'stream',
  'bytes-not-letters',
  'packed',
  'method-as-it-is',
  'seed-body',
  'state-visible',
  'seed-scenario',
)

/** Letters in place of bytes: those of UTF-8 that begin one. */
const letters = (chunk: Buffer): Buffer => Buffer.from(chunk.filter(byte => (byte & 0xc0) !== 0x80))

/** Adds up what the reads of a session have brought. */
const addsUp: Mutate = addBefore('breaker', () => {
  const sizes = new Map<string, number>()
  return {
    name: 'harm',
    reply(passage, out) {
      const key = sessionOf(passage) ?? ''
      return through(out, {
        chunk(chunk) {
          if (rules.isRead(requestText(passage))) {
            const size = (sizes.get(key) ?? 0) + chunk.length
            sizes.set(key, size)
            if (size > 51_200) void breakerOf(passage.gateway)?.tooLarge(passage)
          }
          out.chunk(chunk)
        },
      })
    },
  }
})

export const breakerPayload: readonly Mutant[] = [
  {
    name: 'opens-at-half-the-size',
    harm: 'Takes half of the agreed size for the limit.',
    caughtBy: suite('well-below-passes', 'just-below-passes', 'small-reads-pass'),
    platform,
    configure: bytes(n => n / 2),
  },
  {
    name: 'opens-at-nine-tenths',
    harm: 'Opens a session at nine tenths of the agreed size.',
    caughtBy: suite('just-below-passes'),
    platform,
    configure: bytes(n => Math.round(n * 0.9)),
  },
  {
    name: 'opens-a-tenth-too-late',
    harm: 'Opens a session only when a tenth more than the agreed size was read.',
    caughtBy: suite('just-above-opens'),
    platform,
    configure: bytes(n => Math.round(n * 1.1)),
  },
  {
    name: 'limits-no-payload',
    harm: 'Has no payload guard at all.',
    caughtBy: OPENING,
    platform,
    configure: limits(({ payload: _, ...b }) => b),
  },
  {
    name: 'cuts-large-reads',
    harm: 'Passes of a large answer on only as much as the limit allows.',
    caughtBy: suite('delivered-whole', 'not-held-back', 'seed-scenario'),
    platform,
    mutate: truncateAt(51_200, /"method":"resources\/read"/),
  },
  {
    name: 'overlooks-answers-with-a-length',
    harm: 'Measures chunks only, and nothing whose length is said beforehand.',
    caughtBy: suite('content-length', 'packed', 'seed-scenario'),
    platform,
    mutate: breakerWith({
      meterOf: (head, most, crossed) =>
        field(head.fields, 'content-length') === undefined ? meterOf(head, most, crossed) : undefined,
    }),
  },
  {
    name: 'overlooks-streams',
    harm: 'Measures no answer that is a stream of events.',
    caughtBy: suite('stream'),
    platform,
    mutate: breakerWith({
      meterOf: (head, most, crossed) => (isEventStream(head.fields) ? undefined : meterOf(head, most, crossed)),
    }),
  },
  {
    name: 'counts-letters',
    harm: 'Counts the letters of an answer in place of its bytes.',
    caughtBy: suite('bytes-not-letters'),
    platform,
    mutate: breakerWith({
      meterOf(head, most, crossed) {
        const meter = meterOf(head, most, crossed)
        const packed = field(head.fields, 'content-encoding') !== undefined
        return meter && { ...meter, add: (chunk, then) => meter.add(packed ? chunk : letters(chunk), then) }
      },
    }),
  },
  {
    name: 'counts-packed-bytes',
    harm: 'Counts the bytes of a packed answer as they are on the wire.',
    caughtBy: suite('packed'),
    platform,
    mutate: breakerWith({
      meterOf: ({ status }, most, crossed) => meterOf({ status, fields: [] }, most, crossed),
    }),
  },
  {
    name: 'measures-every-answer',
    harm: 'Opens a session for large answers of tools, too.',
    caughtBy: suite('tool-answers-pass'),
    platform,
    mutate: breakerWith({ isRead: request => /"(?:tools\/call|resources\/read)"/.test(request) }),
  },
  {
    name: 'believes-mcp-method',
    harm: 'Measures no answer to a request whose field Mcp-Method names something else than a read.',
    caughtBy: suite('method-as-it-is'),
    platform,
    mutate: replacePart('breaker', old => ({
      reply: (passage, out) =>
        (passage.header('mcp-method') ?? 'resources/read') === 'resources/read'
          ? (old.reply?.(passage, out) ?? out)
          : out,
    })),
  },
  {
    name: 'adds-reads-up',
    harm: 'Adds up what a session reads, for as long as it lasts.',
    caughtBy: suite('small-reads-pass'),
    platform,
    mutate: addsUp,
  },
  {
    name: 'collects-reads-to-measure-them',
    harm: 'Collects an answer to a read, and passes it on when it has been measured.',
    caughtBy: suite('not-held-back'),
    platform,
    mutate: bufferWhole(/"method":"resources\/read"/),
  },
  {
    name: 'keeps-owners-of-reads-in-a-short-column',
    harm: 'Takes readers for the same whose names begin with the same 21 letters.',
    caughtBy: suite('other-client-untouched'),
    platform,
    mutate: alsoStops('payload', cutAlike),
  },
  {
    name: 'opens-all-sessions-of-a-reader',
    harm: 'Refuses all sessions of an owner when one of them has read too much.',
    caughtBy: suite('other-session-untouched'),
    platform,
    mutate: alsoStops('payload', (mine, other) => mine === other),
  },
  {
    name: 'renames-the-reason-of-payloads',
    harm: 'Says why in words of its own where it refuses for what was read.',
    caughtBy: suite('seed-body'),
    platform,
    mutate: breakerWith({
      refusalOf(session, now) {
        const right = refusalOf(session, now)
        return session.reason === 'payload' ? { ...right, seed: { ...right.seed, reason: 'Too large' } } : right
      },
    }),
  },
  {
    name: 'refuses-payloads-without-the-id',
    harm: 'Answers a request after a large read with an error whose id is null.',
    caughtBy: [...suite('rpc-error'), 'refusals/payload-is-rpc-error'],
    platform: 'official',
    mutate: editReply(/"Circuit breaker tripped: Payload/, m => edit(m, 'id', () => 'null')),
  },
  {
    name: 'says-reset-and-resets-no-payload',
    harm: 'Says that it has reset a session that read too much, and leaves it open.',
    caughtBy: suite('reset-recovers', 'seed-scenario'),
    platform,
    operate: replaceEndpoint('reset-session', (call, old) => {
      const session = breakerOf(call.gateway)?.current(call.params['key']!)
      return session?.reason === 'payload' ? { json: { key: session.key, state: 'CLOSED' } } : old.run(call)
    }),
  },
  {
    name: 'shows-open-payloads-as-closed',
    harm: 'Shows operators a session that read too much as if it were closed.',
    caughtBy: suite('state-visible', 'seed-scenario'),
    platform,
    operate: editEndpoint('session', reply => {
      const session = reply.json as { readonly reason: string | null }
      return session.reason === 'payload' ? { json: { ...session, state: 'CLOSED' } } : reply
    }),
  },
  {
    name: 'opens-only-far-above',
    harm: 'Opens a session only at twice the agreed size.',
    caughtBy: OPENING.filter(id => id !== 'breaker-payload/packed'),
    platform,
    configure: bytes(n => n * 2),
  },
]
