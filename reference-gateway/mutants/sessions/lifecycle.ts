import {
  addFirst,
  addLast,
  changeField,
  edit,
  editForward,
  editReply,
  errorMessage,
  field,
  get,
  getString,
  holdsFor,
  type Mutant,
  type Mutate,
  type Outlet,
  type Passage,
  put,
  refuse,
  requestField,
  requestText,
  sessionOf,
  swallow,
  through,
} from '../harm.ts'

const FIRST = /"method":"initialize"/
const VERSION = 'MCP-Protocol-Version'

/** Remembers the streams that clients have opened by GET, and writes a message on those of all other clients as well. */
const broadcasting = (message: RegExp): Mutate =>
  addFirst(() => {
    const streams = new Map<Passage, Outlet>()
    return {
      name: 'harm',
      reply(passage, out) {
        if (passage.method !== 'GET') return out
        streams.set(passage, out)
        return through(out, {
          chunk(bytes) {
            out.chunk(bytes)
            if (!message.test(bytes.toString('utf8'))) return
            for (const [other, stream] of streams) if (sessionOf(other) !== sessionOf(passage)) stream.chunk(bytes)
          },
        })
      },
      gone: passage => void streams.delete(passage),
    }
  })

/** Uses the session of whoever came first for all calls of a tool that looks cheap. */
const pooled: Mutate = addLast(() => {
  let first: string | undefined
  return {
    name: 'harm',
    async forward(hop) {
      await hop.passage.body.bytes()
      if (!holdsFor(/"name":"counter"/, hop.passage)) return
      first ??= field(hop.fields, 'mcp-session-id')
      hop.fields = changeField(hop.fields, 'Mcp-Session-Id', first)
    },
  }
})

/** Takes no more than four calls of a session at a time. */
const refusesCrowds: Mutate = addFirst(() => {
  const running = new Map<string, number>()
  return {
    name: 'harm',
    async receive(passage) {
      const text = await passage.body.text()
      const session = sessionOf(passage)
      if (session === undefined || getString(text, 'method') !== 'tools/call') return undefined
      const count = running.get(session) ?? 0
      if (count >= 4) {
        passage.answer(503, errorMessage(get(text, 'id'), -32603, 'The session is busy'))
        return true
      }
      running.set(session, count + 1)
      return undefined
    },
    reply(passage, out) {
      const session = sessionOf(passage)
      const calls = getString(requestText(passage) || '{}', 'method') === 'tools/call'
      const done = () => {
        if (calls && session !== undefined) running.set(session, Math.max(0, (running.get(session) ?? 1) - 1))
      }
      return through(out, {
        end() {
          done()
          out.end()
        },
        fail(failure) {
          done()
          out.fail(failure)
        },
      })
    },
  }
})

/** What goes wrong when a session begins. */
export const lifecycle: readonly Mutant[] = [
  {
    name: 'drops-server-version',
    harm: 'Answers initialize without the version of the server.',
    caughtBy: ['sessions/initialize-answered'],
    mutate: editReply({ request: FIRST }, message => edit(message, 'result.serverInfo.version', () => undefined)),
  },
  {
    name: 'insists-on-the-latest-revision',
    harm: 'Offers 2025-11-25 to clients that ask for 2025-06-18, which it speaks.',
    caughtBy: ['sessions/version-echoed'],
    mutate: editReply({ request: /"protocolVersion":"2025-06-18"/ }, message =>
      edit(message, 'result.protocolVersion', () => '"2025-11-25"'),
    ),
  },
  {
    name: 'agrees-to-any-revision',
    harm: 'Agrees to whatever revision a client asks for.',
    caughtBy: ['sessions/version-counter-offer'],
    mutate: editReply({ request: FIRST }, (message, { passage }) =>
      edit(message, 'result.protocolVersion', raw => get(requestText(passage), 'params.protocolVersion') ?? raw),
    ),
  },
  {
    name: 'swallows-initialized',
    harm: 'Accepts notifications/initialized and does not hand it on.',
    caughtBy: ['sessions/initialized-forwarded'],
    mutate: swallow(/"method":"notifications\/initialized"/),
  },
  {
    name: 'mends-versions',
    harm: 'Puts the latest revision for an MCP-Protocol-Version that it does not know.',
    caughtBy: ['sessions/version-invalid-400'],
    mutate: requestField(VERSION, values =>
      values.map(value => (/^2025-(03-26|06-18|11-25)$/.test(value) ? value : '2025-11-25')),
    ),
  },
  {
    name: 'drops-version-of-lists',
    harm: 'Asks the server for lists without MCP-Protocol-Version.',
    caughtBy: ['sessions/version-sent-upstream'],
    mutate: requestField(VERSION, undefined, /"method":"tools\/list"/),
  },
  {
    name: 'says-an-older-revision',
    harm: 'Asks the server for lists in 2025-06-18, whatever was agreed on.',
    caughtBy: ['sessions/version-as-agreed'],
    mutate: requestField(VERSION, values => values.map(() => '2025-06-18'), /"method":"tools\/list"/),
  },
  {
    name: 'drops-title-of-client',
    harm: 'Leaves the title of the client out of what the server hears of it.',
    caughtBy: ['sessions/client-described'],
    mutate: editForward(FIRST, message => edit(message, 'params.clientInfo.title', () => undefined)),
  },
  {
    name: 'claims-sampling',
    harm: 'Tells servers that it can sample, for clients that have said nothing.',
    caughtBy: ['sessions/client-not-inflated'],
    mutate: editForward(FIRST, message =>
      edit(message, 'params.capabilities', raw => (raw === '{}' ? put(raw, 'sampling', '{}') : raw)),
    ),
  },
  {
    name: 'drops-instructions',
    harm: 'Leaves the instructions of the server out.',
    caughtBy: ['sessions/instructions-kept'],
    mutate: editReply({ request: FIRST }, message => edit(message, 'result.instructions', () => undefined)),
  },
  {
    name: 'drops-completions-capability',
    harm: 'Does not declare completions, which work.',
    caughtBy: ['sessions/capabilities-declared'],
    mutate: editReply({ request: FIRST }, message => edit(message, 'result.capabilities.completions', () => undefined)),
  },
  {
    name: 'lacks-logging',
    harm: 'Declares logging and does not know logging/setLevel.',
    caughtBy: ['sessions/capabilities-work'],
    mutate: refuse(/"method":"logging\/setLevel"/, 200, request =>
      errorMessage(get(request, 'id'), -32601, 'Method not found: logging/setLevel'),
    ),
  },
]

/** What goes wrong with several clients, several calls and several streams. */
export const several: readonly Mutant[] = [
  {
    name: 'shares-sessions',
    harm: 'Sends some calls of all clients through the session of the first one.',
    caughtBy: ['sessions/state-isolated'],
    mutate: pooled,
  },
  {
    name: 'refuses-crowds',
    harm: 'Refuses a call while four of the same session are under way.',
    caughtBy: ['sessions/concurrent-first-calls'],
    mutate: refusesCrowds,
  },
  {
    name: 'wants-one-accept',
    harm: 'Answers GET with 406 unless Accept is just text/event-stream.',
    caughtBy: ['sessions/get-sse-or-405'],
    mutate: refuse({ http: /^GET/, fields: /^accept: (?!text\/event-stream$)/im }, 406),
  },
  {
    name: 'tells-everyone',
    harm: 'Tells all clients of a change in the list of one.',
    caughtBy: ['sessions/list-changed-not-to-others'],
    mutate: broadcasting(/notifications\/tools\/list_changed/),
  },
]
