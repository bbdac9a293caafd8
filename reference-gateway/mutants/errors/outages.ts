import { connect } from 'node:net'
import {
  addFirst,
  code,
  errorMessage,
  type Failure,
  field,
  getString,
  type Head,
  type Mutant,
  type Mutate,
  type Outlet,
  type Passage,
  replacePart,
  requestText,
  sessionOf,
  through,
  wrapReply,
} from '../harm.ts'

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>\n'

/** Answers failures of these kinds itself; all others as the gateway does. */
const excuses = (kinds: readonly Failure['kind'][], answer: (out: Outlet) => void): Mutate =>
  replacePart('failures', old => ({
    reply(passage, out) {
      const way = old.reply?.(passage, out) ?? out
      return through(way, { fail: failure => (kinds.includes(failure.kind) ? answer(out) : way.fail(failure)) })
    },
  }))

const webPage = (out: Outlet): void => {
  out.head({ status: 502, fields: [['Content-Type', 'text/html']] })
  out.chunk(Buffer.from(PAGE))
  out.end()
}

const accepted = (out: Outlet): void => {
  out.head({ status: 202, fields: [['Content-Length', '0']] })
  out.end()
}

/** Lets answers with such a head through that are no MCP answers. */
const believes = (test: (head: Head) => boolean): Mutate =>
  replacePart('garbage', old => ({
    answer(hop, out) {
      let way = old.answer?.(hop, out) ?? out
      return through(out, {
        head(head) {
          if (test(head)) way = out
          way.head(head)
        },
        chunk: bytes => way.chunk(bytes),
        end: () => way.end(),
        fail: failure => way.fail(failure),
      })
    },
  }))

const isHtml = (head: Head): boolean => /html/.test(field(head.fields, 'content-type') ?? '')

const tool = (passage: Passage): string | undefined => getString(requestText(passage), 'params.name')

/** Counts a session's calls in a row that found the server down; after three the next eight calls are not even tried. */
const blacklists: Mutate = addFirst(() => {
  const failed = new Map<string, number>()
  let barred = 0
  return {
    name: 'harm',
    async receive(passage) {
      const text = await passage.body.text()
      if (barred === 0 || !text.includes('"tools/call"')) return undefined
      barred--
      passage.answer(503, errorMessage(undefined, code.internal, 'The server is on the black list.'))
      return true
    },
    answer(hop, out) {
      const session = sessionOf(hop.passage) ?? ''
      return through(out, {
        head(head) {
          failed.delete(session)
          out.head(head)
        },
        fail(failure) {
          const isDown = failure.kind === 'refused' || failure.kind === 'reset'
          const count = (failed.get(session) ?? 0) + (isDown ? 1 : 0)
          failed.set(session, count)
          if (isDown && count === 3) barred = 8
          out.fail(failure)
        },
      })
    },
  }
})

const ends = new WeakMap<Passage, () => void>()

/** Calls of tools without hints go one after the other, whoever makes them. */
const oneAfterTheOther: Mutate = addFirst(() => {
  let before = Promise.resolve()
  return {
    name: 'harm',
    async receive(passage) {
      await passage.body.bytes()
      if (!/^hints_(absent|empty)$/.test(tool(passage) ?? '')) return undefined
      const turn = before
      before = new Promise(resolve => {
        ends.set(passage, resolve)
      })
      await turn
      return undefined
    },
    reply: (passage, out) =>
      through(out, {
        end() {
          out.end()
          ends.get(passage)?.()
        },
        fail(failure) {
          out.fail(failure)
          ends.get(passage)?.()
        },
      }),
    gone: passage => ends.get(passage)?.(),
  }
})

const listens = (origin: string): Promise<boolean> =>
  new Promise(resolve => {
    const { hostname, port } = new URL(origin)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Opens a session only where every server can be reached. */
const needsAllServers: Mutate = addFirst({
  name: 'harm',
  async receive(passage) {
    const text = await passage.body.text()
    if (!text.includes('"method":"initialize"')) return undefined
    const up = await Promise.all(passage.gateway.routes.all.map(one => listens(one.origin)))
    if (up.every(Boolean)) return undefined
    passage.answer(503, errorMessage(undefined, code.internal, 'Not all servers are there.'))
    return true
  },
})

/** Failed servers that are badly excused, or not at all. */
export const outages: readonly Mutant[] = [
  {
    name: 'answers-pages-for-refused',
    harm: 'Answers with a web page where a server is down.',
    caughtBy: ['errors/refused-is-error'],
    mutate: excuses(['refused'], webPage),
  },
  {
    name: 'accepts-what-is-reset',
    harm: 'Answers 202 where a server cuts the connection before its answer.',
    caughtBy: ['errors/reset-is-error'],
    mutate: excuses(['reset'], accepted),
  },
  {
    name: 'has-endless-patience',
    harm: 'Waits for a silent server for ever.',
    caughtBy: ['errors/silence-is-error'],
    mutate: replacePart('patience', old => ({
      async forward(hop) {
        await old.forward?.(hop)
        await hop.passage.body.bytes()
        if (tool(hop.passage) === 'slow') hop.firstByteMs = 0
      },
    })),
  },
  {
    name: 'blacklists-servers',
    harm: 'Does not try a server for a while that refused three times, although it is back.',
    caughtBy: ['errors/back-again'],
    mutate: blacklists,
  },
  {
    name: 'makes-sessions-wait',
    harm: 'Makes calls of tools without hints one after the other, for all sessions.',
    caughtBy: ['errors/silence-holds-up-no-one'],
    mutate: oneAfterTheOther,
  },
  {
    name: 'needs-all-servers',
    harm: 'Opens no session while any of its servers is down.',
    caughtBy: ['errors/others-still-answer'],
    mutate: needsAllServers,
  },
  {
    name: 'gives-on-error-pages',
    harm: 'Gives the web page of a failing server on to the client.',
    caughtBy: ['errors/error-page-is-error'],
    mutate: believes(head => head.status >= 500),
  },
  {
    name: 'gives-on-login-pages',
    harm: 'Gives a web page with status 200 on to the client.',
    caughtBy: ['errors/garbage-is-error'],
    mutate: believes(head => head.status === 200 && isHtml(head)),
  },
  {
    name: 'believes-in-nothing',
    harm: 'Gives 204 and 202 on as the answers to requests.',
    caughtBy: ['errors/nothing-is-no-success'],
    mutate: believes(head => head.status === 204 || head.status === 202),
  },
  {
    name: 'empties-failures',
    harm: 'Answers 202 with nothing where a server fails with 500 and an error.',
    caughtBy: ['errors/failed-status-is-error', 'errors/http-status-kept'],
    mutate: wrapReply(undefined, out => {
      let emptied = false
      return through(out, {
        head(head) {
          emptied = head.status === 500
          out.head(emptied ? { status: 202, fields: [['Content-Length', '0']] } : head)
        },
        chunk: bytes => !emptied && out.chunk(bytes),
      })
    }),
  },
]
