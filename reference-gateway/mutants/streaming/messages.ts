import { changeField } from '../harm/requests.ts'
import {
  dataOf,
  edit,
  editEvents,
  editHead,
  editReply,
  field,
  type Mutant,
  neverEnd,
  replacePart,
  requestField,
  through,
  withData,
} from '../harm.ts'

const SLOW = { request: /"name":"slow"/ }

/** What a stream holds is lost or bent, or the stream does not end as it should. */
export const messageMutants: readonly Mutant[] = [
  {
    name: 'drops-log-messages',
    harm: 'Passes no log messages on.',
    caughtBy: ['streaming/log-messages-arrive'],
    mutate: editReply(/"notifications\/message"/, () => []),
  },
  {
    name: 'swaps-two-of-a-thousand',
    harm: 'Mixes the 500th event of a stream up with the next.',
    caughtBy: ['streaming/thousand-events-in-order'],
    mutate: editEvents(SLOW, () => {
      let held: string | undefined
      return {
        block(block, n) {
          if (n === 500) held = block
          if (n === 500) return []
          const both = held === undefined ? [block] : [block, held]
          held = undefined
          return both
        },
      }
    }),
  },
  {
    name: 'drops-one-of-a-thousand',
    harm: 'Loses the 700th event of a stream.',
    caughtBy: ['streaming/thousand-events-complete'],
    mutate: editEvents(SLOW, () => ({ block: (block, n) => (n === 700 ? [] : [block]) })),
  },
  {
    name: 'cuts-large-events',
    harm: 'Cuts events off at 1 MB.',
    caughtBy: ['envelope/large-result', 'streaming/large-event-whole'],
    mutate: editEvents(undefined, () => ({
      block: block => [block.length > 1_048_576 ? `${block.slice(0, 1_048_576)}\n\n` : block],
    })),
  },
  {
    name: 'drops-structured-content-of-streams',
    harm: 'Leaves structured content out where the result comes as an event.',
    caughtBy: ['streaming/json-and-stream-alike'],
    mutate: editEvents({ request: /"name":"structured_output"/ }, () => ({
      block(block) {
        const data = dataOf(block)
        return [
          data
            ? withData(
                block,
                edit(data, 'result.structuredContent', () => undefined),
              )
            : block,
        ]
      },
    })),
  },
  {
    name: 'names-events-by-method',
    harm: 'Names the events of progress notifications "progress".',
    caughtBy: ['streaming/event-names'],
    mutate: editEvents({ request: /"name":"count"/ }, () => ({
      block: block => [
        block.includes('"notifications/progress"') ? block.replace(/^event:.*$/m, 'event: progress') : block,
      ],
    })),
  },
  {
    name: 'leaves-streams-open',
    harm: 'Never ends the stream of a call that answers at once.',
    caughtBy: ['streaming/ends-after-result'],
    mutate: neverEnd({ request: /"name":"hints_empty".*"as":"sse"/ }),
  },
  {
    name: 'ends-cut-streams-cleanly',
    harm: 'Ends a stream that the server broke off as if it were whole.',
    caughtBy: ['streaming/cut-is-noticed'],
    mutate: replacePart('failures', old => ({
      reply(passage, out) {
        const way = old.reply?.(passage, out) ?? out
        let streams = false
        return through(way, {
          head(head) {
            streams = /event-stream/.test(field(head.fields, 'content-type') ?? '')
            way.head(head)
          },
          fail: failure => (streams && failure.kind === 'cut' ? out.end() : way.fail(failure)),
        })
      },
    })),
  },
  {
    name: 'drops-last-event-id',
    harm: 'Does not forward Last-Event-ID.',
    caughtBy: ['streaming/last-event-id-forwarded'],
    mutate: requestField('Last-Event-ID', undefined),
  },
  {
    name: 'knows-one-spelling-of-streams',
    harm: 'Takes a stream whose media type has a parameter for some bytes.',
    caughtBy: ['streaming/charset-understood'],
    mutate: editHead(undefined, head => {
      const type = field(head.fields, 'content-type') ?? ''
      const unknown = /^text\/event-stream/i.test(type) && type !== 'text/event-stream'
      return unknown ? { ...head, fields: changeField(head.fields, 'Content-Type', 'application/octet-stream') } : head
    }),
  },
]
