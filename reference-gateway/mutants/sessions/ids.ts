import {
  addFirst,
  changeField,
  editHead,
  field,
  get,
  getString,
  type Mutant,
  type Mutate,
  type Part,
  type Passage,
  refuse,
  replyStatus,
  requestField,
  requestText,
  resultMessage,
  sessionOf,
  through,
} from '../harm.ts'

const ID = 'Mcp-Session-Id'

interface Known {
  /** The id came from a server. */
  readonly issued: boolean
  /** Its client has ended the session. */
  readonly ended: boolean
  /** The server says that the session is gone, and its client has not ended it. */
  readonly lost: boolean
}

/** Knows what became of each session, and chooses the status by that; or, by a text, another answer of status 200. */
const remembering = (judge: (known: Known, status: number, request: string) => number | string): Mutate =>
  addFirst((): Part => {
    const issued = new Set<string>()
    const ended = new Set<string>()
    return {
      name: 'harm',
      receive(passage) {
        if (passage.method === 'DELETE') ended.add(sessionOf(passage) ?? '')
        return undefined
      },
      reply(passage, out) {
        let replaced = false
        return through(out, {
          head(head) {
            const made = field(head.fields, ID)
            if (made !== undefined) issued.add(made)
            const id = sessionOf(passage)
            if (id === undefined || !passage.backend) return out.head(head)
            const known = { issued: issued.has(id), ended: ended.has(id) }
            const lost = known.issued && !known.ended && head.status === 404
            const answer = judge({ ...known, lost }, head.status, requestText(passage))
            if (typeof answer === 'number') return out.head({ ...head, status: answer })
            replaced = true
            out.head({ status: 200, fields: [['Content-Type', 'application/json']] })
            out.chunk(Buffer.from(answer))
            out.end()
          },
          chunk: bytes => (replaced ? undefined : out.chunk(bytes)),
          end: () => (replaced ? undefined : out.end()),
          fail: failure => (replaced ? undefined : out.fail(failure)),
        })
      },
    }
  })

/** Gives clients other session ids than the servers gave, and finds the servers' again. */
const renaming = (name: (id: string, n: number) => string): Mutate =>
  addFirst(() => {
    const own = new Map<string, string>()
    return {
      name: 'harm',
      receive(passage) {
        passage.fields = passage.fields.map(([key, value]) =>
          key.toLowerCase() === 'mcp-session-id' ? [key, own.get(value) ?? value] : [key, value],
        )
        return undefined
      },
      reply: (_, out) =>
        through(out, {
          head(head) {
            const id = field(head.fields, ID)
            if (id === undefined) return out.head(head)
            const made = name(id, own.size + 1)
            own.set(made, id)
            out.head({ ...head, fields: changeField(head.fields, ID, made) })
          },
        }),
    }
  })

/** Accepts DELETE, tells the server nothing, and remembers by itself that the session has ended. */
const endsAlone: Mutate = addFirst(() => {
  const ended = new Set<string>()
  return {
    name: 'harm',
    receive(passage) {
      const id = sessionOf(passage) ?? ''
      if (ended.has(id)) passage.answer(404)
      else if (passage.method === 'DELETE') {
        ended.add(id)
        passage.answer(200)
      } else return undefined
      return true
    },
  }
})

const isFirst = (passage: Passage) => getString(requestText(passage), 'method') === 'initialize'

/** What goes wrong with session ids. */
export const ids: readonly Mutant[] = [
  {
    name: 'issues-ids-with-spaces',
    harm: 'Issues session ids with a space in them.',
    caughtBy: ['sessions/id-visible-ascii'],
    mutate: renaming(id => `crm ${id}`),
  },
  {
    name: 'counts-sessions',
    harm: 'Issues the numbers of the sessions as their ids.',
    caughtBy: ['sessions/id-unguessable'],
    mutate: renaming((_, n) => `session-${n}`),
  },
  {
    name: 'fails-without-session',
    harm: 'Answers requests without a session id with 500.',
    caughtBy: ['sessions/id-missing-400'],
    mutate: refuse(
      { http: /^POST/, also: passage => sessionOf(passage) === undefined && !isFirst(passage) },
      500,
      '{"error":"session is undefined"}',
    ),
  },
  {
    name: 'refuses-unknown-sessions-with-400',
    harm: 'Answers requests with a session id that it has never issued with 400.',
    caughtBy: ['sessions/id-unknown-404'],
    mutate: remembering(({ issued }, status) => (!issued && status === 404 ? 400 : status)),
  },
  {
    name: 'knows-one-spelling',
    harm: 'Looks for the session id under Mcp-Session-Id, and under no other spelling.',
    caughtBy: ['sessions/id-any-case'],
    mutate: addFirst({
      name: 'harm',
      receive(passage) {
        passage.fields = passage.fields.filter(([name]) => name === ID || name.toLowerCase() !== 'mcp-session-id')
        return undefined
      },
    }),
  },
  {
    name: 'repeats-session-id',
    harm: 'Writes the session id over the answer to a ping twice.',
    caughtBy: ['sessions/header-once'],
    mutate: editHead(/"method":"ping"/, (head, passage) => {
      const id = sessionOf(passage)
      return id === undefined ? head : { ...head, fields: [...head.fields, [ID, id], [ID, id]] }
    }),
  },
  {
    name: 'drops-session-of-notifications',
    harm: 'Sends notifications about roots on without the session id.',
    caughtBy: ['sessions/id-sent-upstream'],
    mutate: requestField(ID, undefined, /^\{.*"method":"notifications\/roots/),
  },
]

/** What goes wrong at the end of a session. */
export const ends: readonly Mutant[] = [
  {
    name: 'answers-delete-with-501',
    harm: 'Ends the session on DELETE, and says 501.',
    caughtBy: ['sessions/delete-answered'],
    mutate: replyStatus(() => 501, { http: /^DELETE/ }),
  },
  {
    name: 'refuses-ended-sessions-with-400',
    harm: 'Answers requests in a session that its client has ended with 400.',
    caughtBy: ['sessions/ended-404'],
    mutate: remembering(({ ended }, status) => (ended && status === 404 ? 400 : status)),
  },
  {
    name: 'ends-sessions-alone',
    harm: 'Ends a session on DELETE without a word to the server.',
    caughtBy: ['sessions/delete-propagated'],
    mutate: endsAlone,
  },
  {
    name: 'fails-on-lost-sessions',
    harm: 'Answers 502 where the server has lost a session, each time.',
    caughtBy: ['sessions/expired-session-told'],
    mutate: remembering(({ lost }, status) => (lost ? 502 : status)),
  },
  {
    name: 'hides-lost-sessions',
    harm: 'Answers with an empty success where the server has lost a session.',
    caughtBy: ['sessions/expired-session-told'],
    mutate: remembering(({ lost }, status, request) => {
      const id = lost ? get(request, 'id') : undefined
      return id === undefined ? status : resultMessage(id, '{"content":[]}')
    }),
  },
]
