import {
  addFirst,
  addLast,
  Blocks,
  bufferWhole,
  dataOf,
  eventOf,
  get,
  type Hop,
  isEventStream,
  type Mutant,
  type Mutate,
  type Outlet,
  type Passage,
  requestText,
  sessionOf,
  through,
  wrapReply,
} from '../harm.ts'

const SLOW = /"name":"slow"/
const isProgress = (block: string): boolean => block.includes('"notifications/progress"')

/** Sends progress where `place` remembers the latest call of that key, not where it belongs. */
const misroutes = (keyOf: (passage: Passage) => string | undefined): Mutate => {
  const latest = new Map<string, Outlet>()
  return wrapReply({ request: SLOW }, (out, passage) => {
    const key = keyOf(passage)
    if (key === undefined) return out
    const blocks = new Blocks()
    let streams = false
    const over = () => {
      if (latest.get(key) === out) latest.delete(key)
    }
    return {
      head(head) {
        streams = isEventStream(head.fields)
        if (streams) latest.set(key, out)
        out.head(head)
      },
      chunk(bytes) {
        if (!streams) return out.chunk(bytes)
        for (const block of blocks.push(bytes)) {
          const to = isProgress(block.toString('utf8')) ? (latest.get(key) ?? out) : out
          to.chunk(block)
        }
      },
      end() {
        over()
        out.end()
      },
      fail(failure) {
        over()
        out.fail(failure)
      },
    }
  })
}

/** Sends what `also` makes of an answer's blocks on the GET stream of the session, too, where one is open. */
const copiesToGet = (wanted: (message: string) => boolean): Mutate =>
  addFirst(() => {
    const open = new Map<string, Outlet>()
    return {
      name: 'harm',
      reply(passage, out) {
        const session = sessionOf(passage) ?? ''
        if (passage.method === 'GET') {
          const closed = () => void open.delete(session)
          return through(out, {
            head(head) {
              out.head(head)
              if (head.status === 200) open.set(session, out)
            },
            end() {
              closed()
              out.end()
            },
            fail(failure) {
              closed()
              out.fail(failure)
            },
          })
        }
        const blocks = new Blocks()
        let streams = false
        const copy = (message: string) => {
          if (wanted(message)) open.get(session)?.chunk(Buffer.from(eventOf(message)))
        }
        return through(out, {
          head(head) {
            streams = isEventStream(head.fields)
            out.head(head)
          },
          chunk(bytes) {
            out.chunk(bytes)
            if (!open.has(session)) return
            if (streams) for (const block of blocks.push(bytes)) copy(dataOf(block.toString('utf8')) ?? '')
            else copy(bytes.toString('utf8'))
          },
        })
      },
      gone(passage) {
        if (passage.method === 'GET') open.delete(sessionOf(passage) ?? '')
      },
    }
  })

/** Sends a call in the session of another one that has the same token and is still under way. */
const sharesSessionsByToken: Mutate = addLast(() => {
  const running = new Map<string, string>()
  const tokenOf = (hop: Hop) => get(requestText(hop.passage), 'params._meta.progressToken')
  return {
    name: 'harm',
    async forward(hop) {
      const text = await hop.body.text()
      const token = SLOW.test(text) ? tokenOf(hop) : undefined
      const own = sessionOf(hop.passage)
      if (token === undefined || own === undefined) return
      const other = running.get(token)
      if (other === undefined) running.set(token, own)
      else hop.fields = hop.fields.map(([n, v]) => [n, n.toLowerCase() === 'mcp-session-id' ? other : v])
    },
    answer(hop, out) {
      const over = () => {
        const token = tokenOf(hop)
        if (token !== undefined && running.get(token) === sessionOf(hop.passage)) running.delete(token)
      }
      return through(out, {
        end() {
          over()
          out.end()
        },
        fail(failure) {
          over()
          out.fail(failure)
        },
      })
    },
  }
})

/** What belongs to one stream is on another. */
export const apartMutants: readonly Mutant[] = [
  {
    name: 'finds-clients-by-token',
    harm: 'Sends progress to whoever used its token last.',
    caughtBy: ['streaming/progress-of-two-clients-apart'],
    mutate: parts => misroutes(passage => get(requestText(passage), 'params._meta.progressToken'))(parts),
  },
  {
    name: 'sends-progress-to-the-latest-call',
    harm: 'Sends all progress of a session on the answer to its latest call.',
    caughtBy: ['streaming/parallel-calls-apart'],
    mutate: parts => misroutes(sessionOf)(parts),
  },
  {
    name: 'shares-sessions-by-token',
    harm: 'Sends a call in the session of another client whose call has the same progress token.',
    caughtBy: ['streaming/progress-tokens-unique-upstream'],
    mutate: sharesSessionsByToken,
  },
  {
    name: 'copies-progress-to-get',
    harm: 'Sends progress on the GET stream as well.',
    caughtBy: ['streaming/progress-not-on-get'],
    mutate: copiesToGet(isProgress),
  },
  {
    name: 'copies-responses-to-get',
    harm: 'Sends responses on the GET stream as well.',
    caughtBy: ['streaming/no-response-on-get'],
    mutate: copiesToGet(message => get(message, 'result') !== undefined),
  },
  {
    name: 'copies-log-messages-to-get',
    harm: 'Sends log messages on the GET stream as well.',
    caughtBy: ['streaming/no-message-twice'],
    mutate: copiesToGet(message => message.includes('"notifications/message"')),
  },
  {
    name: 'buffers-get-streams',
    harm: 'Collects what comes on a GET stream, and passes it on when the stream ends.',
    caughtBy: ['streaming/get-stream-delivers', 'resources/update-arrives', 'resources/unsubscribed-alone'],
    mutate: bufferWhole({ http: /^GET/ }),
  },
]
