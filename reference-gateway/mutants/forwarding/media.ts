import { gzipSync } from 'node:zlib'
import {
  errorMessage,
  get,
  isEventStream,
  lengthless,
  type Mutant,
  replyField,
  requestField,
  requestText,
  through,
  wrapReply,
} from '../harm.ts'

/** Content types, encodings and forms of answers. */
export const media: readonly Mutant[] = [
  {
    name: 'narrows-accept',
    harm: 'Keeps only the first media type of Accept, where the event stream comes first.',
    caughtBy: ['forwarding/accepts-both-types'],
    mutate: requestField('Accept', 'text/event-stream', { fields: /^accept: text\/event-stream,/im }),
  },
  {
    name: 'drops-content-type-with-charset',
    harm: 'Does not know a Content-Type with a charset, and leaves it out.',
    caughtBy: ['forwarding/content-type-sent'],
    mutate: requestField('Content-Type', undefined, { fields: /^content-type: application\/json; *charset/im }),
  },
  {
    name: 'fails-on-streamed-lists',
    harm: 'Reads lists as JSON only, and fails where a server streams one.',
    caughtBy: ['forwarding/streamed-lists'],
    mutate: wrapReply(/"method":"tools\/list"/, (out, passage) => {
      let failed = false
      return through(out, {
        head(head) {
          failed = isEventStream(head.fields)
          if (!failed) return out.head(head)
          const text = errorMessage(get(requestText(passage), 'id'), -32603, 'Unexpected token e in JSON')
          out.head({ status: 200, fields: [['Content-Type', 'application/json']] })
          out.chunk(Buffer.from(text))
          out.end()
        },
        chunk: bytes => !failed && out.chunk(bytes),
        end: () => !failed && out.end(),
      })
    }),
  },
  {
    name: 'drops-content-encoding',
    harm: 'Gives packed answers on without saying that they are packed.',
    caughtBy: ['forwarding/gzip-readable'],
    mutate: replyField('Content-Encoding', undefined),
  },
  {
    name: 'packs-unasked',
    harm: 'Packs large answers, whatever the client accepts.',
    caughtBy: ['forwarding/packs-nothing-unasked'],
    mutate: wrapReply({ fields: /^accept-encoding: identity$/im }, out => {
      const chunks: Buffer[] = []
      return through(out, {
        head(head) {
          const packed = lengthless(head)
          out.head({ ...packed, fields: [...packed.fields, ['Content-Encoding', 'gzip']] })
        },
        chunk: bytes => chunks.push(bytes),
        end() {
          out.chunk(gzipSync(Buffer.concat(chunks)))
          out.end()
        },
      })
    }),
  },
]
