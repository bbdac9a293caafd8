import {
  addFirst,
  addLast,
  Blocks,
  Body,
  code,
  dataOf,
  errorMessage,
  field,
  get,
  Hop,
  isEventStream,
  type Mutate,
  nowhere,
  type Outlet,
  put,
  requestText,
  sessionOf,
  through,
  withData,
  wrapAnswer,
  wrapReply,
} from '../harm.ts'

/** A cancellation, in the body of a request. */
export const CANCELLED = /"method":"notifications\/cancelled"/
const LONG = /"name":"long_task"/
const CALL = /"method":"tools\/call"/

/** Refuses cancellations of calls for which the test holds: whether they were seen, and whether they are answered. */
export const refusesCancelling = (status: number, test: (seen: boolean, answered: boolean) => boolean): Mutate =>
  addFirst(() => {
    const seen = new Set<string>()
    const answered = new Set<string>()
    const keyOf = (session: string | undefined, id: string | undefined) => `${session} ${id}`
    return {
      name: 'harm',
      async receive(passage) {
        const text = await passage.body.text()
        if (CALL.test(text)) seen.add(keyOf(sessionOf(passage), get(text, 'id')))
        const id = CANCELLED.test(text) ? get(text, 'params.requestId') : undefined
        if (id === undefined) return undefined
        const key = keyOf(sessionOf(passage), id)
        if (!test(seen.has(key), answered.has(key))) return undefined
        passage.answer(status, errorMessage(undefined, code.params, 'There is no such call.'))
        return true
      },
      reply: (passage, out) =>
        through(out, {
          end() {
            answered.add(keyOf(sessionOf(passage), get(requestText(passage), 'id')))
            out.end()
          },
        }),
    }
  })

/** On the answer to a long call, what happens at its end where no response came. */
export const atEndWithoutResponse = (end: (out: Outlet, id: string) => void): Mutate =>
  wrapReply({ request: LONG }, (out, passage) => {
    let answered = false
    return through(out, {
      chunk(bytes) {
        answered ||= bytes.includes('"result":') || bytes.includes('"error":')
        out.chunk(bytes)
      },
      end: () => (answered ? out.end() : end(out, get(requestText(passage), 'id') ?? 'null')),
    })
  })

/** Breaks off the other calls of a session when one of them is cancelled. */
export const cancelsAll: Mutate = parts => {
  const running = new Map<string, Map<string, () => void>>()
  const watch = wrapAnswer({ request: LONG }, (out, hop) => {
    const session = sessionOf(hop.passage) ?? ''
    const id = get(requestText(hop.passage), 'id') ?? ''
    const calls = running.get(session) ?? new Map<string, () => void>()
    running.set(session, calls)
    calls.set(id, () => {
      hop.abort()
      out.fail({ kind: 'cut', message: 'The connection to the server was closed.' })
    })
    return through(out, {
      end() {
        calls.delete(id)
        out.end()
      },
    })
  })
  return addFirst({
    name: 'harm',
    async receive(passage) {
      const text = await passage.body.text()
      if (!CANCELLED.test(text)) return undefined
      const cancelled = get(text, 'params.requestId')
      for (const [id, stop] of running.get(sessionOf(passage) ?? '') ?? []) if (id !== cancelled) stop()
      return undefined
    },
  })(watch(parts))
}

/** Gives the late answer to a cancelled call to another call of the session. */
export const passesOnLateAnswers: Mutate = addFirst(() => {
  const cancelled = new Set<string>()
  const open = new Map<string, Map<string, Outlet>>()
  return {
    name: 'harm',
    async receive(passage) {
      const text = await passage.body.text()
      if (CANCELLED.test(text)) cancelled.add(`${sessionOf(passage)} ${get(text, 'params.requestId')}`)
      return undefined
    },
    reply(passage, out) {
      const session = sessionOf(passage) ?? ''
      const others = open.get(session) ?? new Map<string, Outlet>()
      open.set(session, others)
      const blocks = new Blocks()
      let streams = false
      let id = ''
      return through(out, {
        head(head) {
          const readable = field(head.fields, 'content-encoding') === undefined
          streams = passage.method === 'POST' && readable && isEventStream(head.fields)
          id = get(requestText(passage), 'id') ?? ''
          if (streams) others.set(id, out)
          out.head(head)
        },
        chunk(bytes) {
          if (!streams) return out.chunk(bytes)
          for (const block of blocks.push(bytes)) {
            const data = dataOf(block.toString('utf8')) ?? ''
            const late = cancelled.has(`${session} ${id}`) && get(data, 'result') !== undefined
            const other = late ? [...others].find(([otherId]) => otherId !== id) : undefined
            if (other) other[1].chunk(Buffer.from(withData(block.toString('utf8'), put(data, 'id', other[0]))))
            else out.chunk(block)
          }
        },
        end() {
          others.delete(id)
          out.end()
        },
      })
    },
  }
})

/** Sends a cancellation in the session that used the id last, whoever cancels. */
export const cancelsByIdAlone: Mutate = addLast(() => {
  const last = new Map<string, string>()
  return {
    name: 'harm',
    async forward(hop) {
      const text = await hop.body.text()
      const session = sessionOf(hop.passage)
      if (LONG.test(text) && session !== undefined) last.set(get(text, 'id') ?? '', session)
      const id = CANCELLED.test(text) ? get(text, 'params.requestId') : undefined
      // Ids that clients count up from 1 are in use everywhere at any time; this one has its day when they are equal.
      const other = id !== undefined && Number(id) > 5 ? last.get(id) : undefined
      if (other !== undefined) {
        hop.fields = hop.fields.map(([name, value]) => [name, name.toLowerCase() === 'mcp-session-id' ? other : value])
      }
    },
  }
})

/** Sends a cancellation to every backend with which the client has a session. */
export const cancelsEverywhere: Mutate = addLast(() => {
  const sessions = new Map<string, Map<string, Hop>>()
  const copies = new WeakSet<Hop>()
  return {
    name: 'harm',
    async forward(hop) {
      const text = await hop.body.text()
      const client = sessionOf(hop.passage)
      if (client === undefined || copies.has(hop)) return
      const known = sessions.get(client) ?? new Map<string, Hop>()
      sessions.set(client, known)
      if (hop.fields.some(([name]) => name.toLowerCase() === 'mcp-session-id')) known.set(hop.backend.name, hop)
      if (!CANCELLED.test(text)) return
      for (const [name, other] of known) {
        if (name === hop.backend.name) continue
        const copy = new Hop(hop.passage, other.backend, 'POST', other.path, [...other.fields], Body.of(text))
        copies.add(copy)
        void hop.passage.gateway.send(copy, nowhere)
      }
    },
  }
})

/** Counts the calls of a session that the client hung up on, and takes no more after five. */
export const tiresOfHangUps: Mutate = addFirst(() => {
  const hungUp = new Map<string, number>()
  return {
    name: 'harm',
    receive(passage) {
      if (passage.method !== 'POST' || (hungUp.get(sessionOf(passage) ?? '') ?? 0) < 5) return undefined
      passage.answer(503, errorMessage(undefined, code.internal, 'There is no slot left.'))
      return true
    },
    gone(passage) {
      if (passage.method !== 'POST') return
      const session = sessionOf(passage) ?? ''
      hungUp.set(session, (hungUp.get(session) ?? 0) + 1)
    },
  }
})

/** Takes a broken connection for a cancellation. */
export const cancelsOnHangUp: Mutate = addLast({
  name: 'harm',
  gone(passage) {
    const text = requestText(passage)
    const id = LONG.test(text) ? get(text, 'id') : undefined
    if (id === undefined || !passage.backend) return
    const message = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`
    const { backend } = passage
    const fields = passage.fields.filter(([name]) => name.toLowerCase() !== 'content-length')
    void passage.gateway.send(new Hop(passage, backend, 'POST', backend.path, fields, Body.of(message)), nowhere)
  },
})
