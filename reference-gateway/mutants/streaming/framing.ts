import {
  Blocks,
  dataOf,
  decodeEachChunk,
  editEvents,
  errorMessage,
  eventOf,
  isEventStream,
  lengthless,
  type Mutant,
  requestIds,
  requestText,
  through,
  wrapAnswer,
  wrapReply,
} from '../harm.ts'

const SLOW = { request: /"name":"slow"/ }
const FIELDS = /^(data|event|id|retry)$/

/** Streams that are read as they are usually written, not as they may be written. */
export const framing: readonly Mutant[] = [
  {
    name: 'knows-no-line-end-but-lf',
    harm: 'Looks for events that end with two LF, and passes nothing else on.',
    caughtBy: ['streaming/line-ends', 'streaming/event-in-pieces', 'streaming/fields-kept'],
    mutate: wrapReply(SLOW, out => {
      let rest = ''
      let streams = false
      return through(out, {
        head(head) {
          streams = isEventStream(head.fields)
          out.head(head)
        },
        chunk(bytes) {
          if (!streams) return out.chunk(bytes)
          const parts = (rest + bytes.toString('latin1')).split('\n\n')
          rest = parts.pop() ?? ''
          const whole = parts.filter(part => !part.includes('\r')).map(part => `${part}\n\n`)
          if (whole.length) out.chunk(Buffer.from(whole.join(''), 'latin1'))
        },
      })
    }),
  },
  {
    name: 'reads-one-data-line',
    harm: 'Keeps the first data line of an event, and no other.',
    caughtBy: ['streaming/data-lines-joined'],
    mutate: editEvents(SLOW, () => ({
      block(block) {
        let seen = false
        const kept = block.split('\n').filter(line => {
          const extra = line.startsWith('data:') && seen
          seen ||= line.startsWith('data:')
          return !extra
        })
        return [kept.join('\n')]
      },
    })),
  },
  {
    name: 'drops-events-with-unknown-fields',
    harm: 'Drops an event in which there is a bare word that is no field.',
    caughtBy: ['streaming/bare-fields'],
    mutate: editEvents(SLOW, () => ({
      block: block => (block.split(/\r\n|\n|\r/).some(line => /^\w+$/.test(line) && !FIELDS.test(line)) ? [] : [block]),
    })),
  },
  {
    name: 'trips-over-byte-order-marks',
    harm: 'Drops the event that a byte order mark stands before.',
    caughtBy: ['streaming/byte-order-mark'],
    mutate: editEvents(SLOW, () => ({ block: block => (block.startsWith('\uFEFF') ? [] : [block]) })),
  },
  {
    name: 'drops-events-with-comments',
    harm: 'Takes an event that begins with a comment for nothing but a comment.',
    caughtBy: ['streaming/comments-harmless'],
    mutate: editEvents(SLOW, () => ({
      block: block => (block.startsWith(':') && dataOf(block) !== undefined ? [] : [block]),
    })),
  },
  {
    name: 'parses-priming-events',
    harm: 'Reads the empty data of a priming event as JSON, and answers the call with the error.',
    caughtBy: ['streaming/priming-event-harmless', 'streaming/fields-kept'],
    mutate: wrapReply(SLOW, (out, passage) => {
      const blocks = new Blocks()
      return through(out, {
        chunk(bytes) {
          for (const block of blocks.push(bytes)) {
            if (dataOf(block.toString('utf8')) !== '') out.chunk(block)
            else
              for (const id of requestIds(requestText(passage)))
                out.chunk(Buffer.from(eventOf(errorMessage(id, -32603, 'Unexpected end of JSON input'))))
          }
        },
        end() {
          const rest = blocks.end()
          if (rest.length) out.chunk(rest)
          out.end()
        },
      })
    }),
  },
  {
    name: 'decodes-chunk-by-chunk',
    harm: 'Decodes each chunk of a stream by itself: characters whose bytes come apart are lost.',
    caughtBy: ['streaming/characters-split'],
    mutate: decodeEachChunk({ ...SLOW, also: passage => !requestText(passage).includes('progressToken') }),
  },
  {
    name: 'keeps-few-pieces-together',
    harm: 'Loses an event of a few hundred bytes that comes in more than five pieces.',
    caughtBy: ['streaming/characters-split', 'streaming/event-in-pieces'],
    mutate: wrapAnswer(SLOW, out => {
      const blocks = new Blocks()
      let pieces = 0
      return through(out, {
        head: head => out.head(lengthless(head)),
        chunk(bytes) {
          pieces++
          for (const block of blocks.push(bytes)) {
            if (pieces <= 5 || block.length > 1000) out.chunk(block)
            pieces = 0
          }
        },
        end() {
          const rest = blocks.end()
          if (rest.length) out.chunk(rest)
          out.end()
        },
      })
    }),
  },
  {
    name: 'drops-retry',
    harm: 'Leaves out how long a client should wait before it comes back.',
    caughtBy: ['streaming/fields-kept'],
    mutate: editEvents(SLOW, () => ({ block: block => [block.replace(/^retry:.*(\r\n|\n|\r)/m, '')] })),
  },
]
