import {
  editReply,
  editRequest,
  type Fields,
  field,
  type Head,
  type Mutant,
  type Mutate,
  refuse,
  replacePart,
  replyField,
  replyStatus,
  retryAfterFailure,
  through,
  wrapReply,
} from '../harm.ts'

const withLength = (head: Head, length: number): Head => {
  const others = head.fields.filter(([name]) => name.toLowerCase() !== 'content-length')
  const fields: Fields = [...others, ['Content-Length', String(length)]]
  return { ...head, fields }
}

/** Waits for the whole body, and declares its characters as its length. */
const countsCharacters: Mutate = wrapReply(/영수증 🧾/u, out => {
  let held: Head | undefined
  const chunks: Buffer[] = []
  return through(out, {
    head(head) {
      held = head
    },
    chunk: bytes => chunks.push(bytes),
    end() {
      const body = Buffer.concat(chunks)
      const told = field(held!.fields, 'content-length') !== undefined
      out.head(told ? withLength(held!, body.toString('utf8').length) : held!)
      out.chunk(body)
      out.end()
    },
  })
})

/** Bodies, methods, paths and connections. */
export const bodies: readonly Mutant[] = [
  {
    name: 'trims-requests',
    harm: 'Cuts white space off the end of requests.',
    caughtBy: ['forwarding/request-bytes-kept'],
    mutate: editRequest(/\s$/, message => message.trim()),
  },
  {
    name: 'trims-answers',
    harm: 'Cuts white space off the end of answers.',
    caughtBy: ['forwarding/answer-bytes-kept'],
    mutate: editReply(/\s$/, message => message.trim()),
  },
  {
    name: 'counts-characters',
    harm: 'Gives the number of characters as Content-Length, where a text holds an emoji.',
    caughtBy: ['forwarding/length-is-true'],
    mutate: countsCharacters,
  },
  {
    name: 'refuses-chunked-requests',
    harm: 'Wants to be told the length of every request ahead.',
    caughtBy: ['forwarding/chunked-requests'],
    mutate: refuse({ http: /^POST /, fields: /^transfer-encoding: chunked/im }, 411),
  },
  {
    name: 'refuses-expect',
    harm: 'Answers 417 to every Expect.',
    caughtBy: ['forwarding/expect-continue'],
    mutate: refuse({ fields: /^expect:/im }, 417),
  },
  {
    name: 'sends-mail-twice',
    harm: 'Sends a call again when the answer was lost.',
    caughtBy: ['forwarding/sent-at-most-once'],
    mutate: retryAfterFailure(/"name":"send_email"/),
  },
  {
    name: 'drops-query',
    harm: 'Forwards no query.',
    caughtBy: ['forwarding/query-kept'],
    mutate: replacePart('relay', old => ({
      receive(passage) {
        Object.defineProperty(passage, 'query', { value: '' })
        return old.receive?.(passage)
      },
    })),
  },
  {
    name: 'accepts-put',
    harm: 'Answers 200 to PUT, and does nothing.',
    caughtBy: ['forwarding/other-methods-refused'],
    mutate: refuse({ http: /^PUT / }, 200),
  },
  {
    name: 'routes-by-prefix',
    harm: 'Serves every path that begins like the right one.',
    caughtBy: ['forwarding/other-paths-refused'],
    mutate: replacePart('route', old => ({
      receive(passage) {
        const backend = passage.gateway.routes.all.find(({ name }) => passage.path.startsWith(`/${name}/mcp-`))
        if (!backend) return old.receive?.(passage)
        passage.mode = 'path'
        passage.backend = backend
        return undefined
      },
    })),
  },
  {
    name: 'redirects-a-slash-by-301',
    harm: 'Redirects from the address with a slash to the one without by 301, which clients follow with GET.',
    caughtBy: ['forwarding/slash-keeps-the-call'],
    mutate: refuse({ http: /\/mcp\/$/ }, 301, '', [['Location', '/crm/mcp']]),
  },
  {
    name: 'circles-around-a-slash',
    harm: 'Redirects from the address with a slash to itself.',
    caughtBy: ['forwarding/slash-keeps-the-call'],
    mutate: refuse({ http: /\/mcp\/$/ }, 308, '', [['Location', '/crm/mcp/']]),
  },
  {
    name: 'takes-redirects-for-success',
    harm: "Turns a server's redirect into a 200 with nothing in it.",
    caughtBy: ['forwarding/redirect-is-no-success'],
    mutate: replyStatus(status => (status === 307 ? 200 : status)),
  },
  {
    name: 'fails-on-broken-escapes',
    harm: 'Decodes the path without care, and fails with 500 where it cannot be decoded.',
    caughtBy: ['forwarding/malformed-http-contained'],
    mutate: refuse({ http: /%(?![0-9a-f]{2})/i }, 500),
  },
  {
    name: 'closes-every-connection',
    harm: 'Closes the connection after each answer.',
    caughtBy: ['forwarding/connection-stays-open'],
    mutate: replyField('Connection', 'close'),
  },
]
