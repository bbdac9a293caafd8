import { addLast, bufferWhole, holdHead, type Mutant, through, wrapReply } from '../harm.ts'

const ACCEPTS_GZIP = /^accept-encoding:.*gzip/im
const hasToken = /"progressToken":/

/** Streams that come too late, or with holes. */
export const delivery: readonly Mutant[] = [
  {
    name: 'buffers-streams',
    harm: 'Collects the stream of a call that reports progress, and passes it on when it has ended.',
    caughtBy: ['streaming/events-as-they-come'],
    mutate: bufferWhole({ request: hasToken, also: passage => passage.header('accept-encoding') === undefined }),
  },
  {
    name: 'buffers-what-it-could-compress',
    harm: 'Waits for more to compress, where the client accepts gzip.',
    caughtBy: ['streaming/compression-holds-nothing-back'],
    mutate: bufferWhole({ request: hasToken, fields: ACCEPTS_GZIP }),
  },
  {
    name: 'holds-heads-back',
    harm: 'Sends the head of a stream together with its first event.',
    caughtBy: ['streaming/head-before-first-event'],
    mutate: holdHead({ http: /^POST/, request: /"method":"tools\/call"/ }),
  },
  {
    name: 'drops-what-a-slow-reader-leaves',
    harm: 'Throws away what comes after the first megabyte while a client does not keep up.',
    caughtBy: ['streaming/slow-reader-loses-nothing'],
    mutate: wrapReply({ request: hasToken }, (out, passage) => {
      let wasFull = false
      let passed = 0
      return through(out, {
        chunk(bytes) {
          if (!wasFull) out.chunk(bytes)
          passed += bytes.length
          wasFull = passage.full && passed > 1_000_000
        },
      })
    }),
  },
  {
    name: 'counts-patience-from-the-start',
    harm: 'Gives up on a call after its patience with a silent server, though progress keeps coming.',
    caughtBy: ['streaming/progress-keeps-alive'],
    mutate: addLast({
      name: 'harm',
      answer(hop, out) {
        const { firstByteMs } = hop.passage.gateway.settings.timeouts
        if (hop.method !== 'POST') return out
        const late = setTimeout(() => {
          hop.abort()
          out.fail({ kind: 'silent', message: 'The call took too long.' })
        }, firstByteMs)
        return through(out, {
          end() {
            clearTimeout(late)
            out.end()
          },
          fail(failure) {
            clearTimeout(late)
            out.fail(failure)
          },
        })
      },
    }),
  },
]
