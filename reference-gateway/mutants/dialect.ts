import { addBefore, changeField, edit, editReply, editRequest, type Mutant, requestText } from './harm.ts'

const platform = 'seed' as const

const ESCAPED = /[^\x20-\x7e]/g
const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Messages of the platform that lose something on their way. */
export const dialect: readonly Mutant[] = [
  {
    name: 'takes-line-breaks-out',
    harm: 'Writes requests that span several lines on one.',
    platform,
    caughtBy: ['dialect/call-to-the-letter'],
    mutate: editRequest(/\{\n/, message => JSON.stringify(JSON.parse(message))),
  },
  {
    name: 'escapes-results-with-sql',
    harm: 'Writes letters that are not ASCII as escapes, in results that hold SQL.',
    platform,
    caughtBy: ['dialect/answer-to-the-letter'],
    mutate: editReply(/"application\/sql"/, message => message.replace(ESCAPED, escaped)),
  },
  {
    name: 'hides-who-calls',
    harm: 'Leaves callerAgent out of what the server is told.',
    platform,
    caughtBy: ['dialect/call-to-the-letter', 'dialect/trace-kept'],
    mutate: editRequest(/"callerAgent"/, message => edit(message, 'params._meta.callerAgent', () => undefined)),
  },
  {
    name: 'drops-times-of-results',
    harm: 'Leaves executionTimeMs out of results.',
    platform,
    caughtBy: ['dialect/answer-to-the-letter', 'dialect/usage-kept'],
    mutate: editReply(/"executionTimeMs"/, message => edit(message, 'result._meta.executionTimeMs', () => undefined)),
  },
  {
    name: 'routes-reads-by-scheme',
    harm: 'Reads addresses that begin with crm: from crm-service, whatever Mcp-Name says.',
    platform,
    caughtBy: ['dialect/read-by-service'],
    mutate: addBefore('route', {
      name: 'harm',
      async receive(passage) {
        await passage.body.bytes()
        if (!/"uri":"crm:/.test(requestText(passage))) return
        passage.fields = changeField(passage.fields, 'Mcp-Name', 'crm-service')
        return
      },
    }),
  },
  {
    name: 'cuts-reasons-of-refunds',
    harm: 'Keeps twelve letters of the reason of a refund.',
    platform,
    caughtBy: ['dialect/refund-to-the-letter'],
    mutate: editRequest(/"approve_refund"/, message =>
      edit(message, 'params.arguments.reason', raw => JSON.stringify((JSON.parse(raw) as string).slice(0, 12))),
    ),
  },
  {
    name: 'speaks-newer-revisions-only',
    harm: 'Tells a host that asks for 2024-11-05 that the server speaks a newer revision.',
    platform,
    caughtBy: ['dialect/handshake-to-the-letter'],
    mutate: editReply(/"protocolVersion":"2024-11-05"/, message =>
      edit(message, 'result.protocolVersion', () => '"2025-11-25"'),
    ),
  },
  {
    name: 'signs-for-its-clients',
    harm: 'Shakes hands with servers under a name of its own.',
    platform,
    caughtBy: ['dialect/host-described'],
    mutate: editRequest(/"method":"initialize"/, message =>
      edit(message, 'params.clientInfo', () => '{"name":"gateway","version":"1"}'),
    ),
  },
]
