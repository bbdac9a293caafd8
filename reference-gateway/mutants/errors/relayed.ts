import {
  edit,
  editEvents,
  editReply,
  errorMessage,
  get,
  getString,
  kindOf,
  type Mutant,
  put,
  replyField,
  replyStatus,
  requestIds,
  requestText,
  resultMessage,
} from '../harm.ts'

const CALL = /"method":"tools\/call"/

/** A result of a tool that failed, with this text. */
const failedTool = (message: string, text: string): string =>
  resultMessage(
    get(message, 'id') ?? 'null',
    `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`,
  )

/** Errors of a server that are changed on their way. */
export const relayed: readonly Mutant[] = [
  {
    name: 'replaces-own-codes',
    harm: 'Knows no codes but those around -32000, and gives others on as -32603.',
    caughtBy: ['errors/own-codes-kept'],
    mutate: editReply({ message: /"code":-?\d{1,4}[,}]/, request: CALL }, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'maps-wrong-parameters-to-failure',
    harm: 'Gives -32602 of a tool on as -32603.',
    caughtBy: ['errors/standard-codes-kept'],
    mutate: editReply({ message: /"code":-32602\b/, request: /"name":"fails_as_error"/ }, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'prefixes-messages',
    harm: 'Puts "MCP error" and the code before the messages of errors.',
    caughtBy: ['errors/message-kept'],
    mutate: editReply({ message: /"error":/, request: /"message":/ }, message =>
      edit(message, 'error.message', () =>
        JSON.stringify(`MCP error ${get(message, 'error.code')}: ${getString(message, 'error.message')}`),
      ),
    ),
  },
  {
    name: 'keeps-only-known-problem-members',
    harm: 'Reads the data of an error as a problem (RFC 7807), and leaves out what that does not have.',
    caughtBy: ['errors/problem-kept'],
    mutate: editReply(/"approvalTicketId"/, message =>
      edit(message, 'error.data', data => {
        const known = ['type', 'title', 'status', 'detail', 'instance']
        return `{${known.flatMap(key => (get(data, key) === undefined ? [] : `"${key}":${get(data, key)}`)).join(',')}}`
      }),
    ),
  },
  {
    name: 'rounds-error-data',
    harm: 'Reads the numbers in the data of an error as doubles, and writes them anew.',
    caughtBy: ['errors/numbers-in-data-kept'],
    mutate: editReply(/"approvalTicketId"/, message =>
      edit(message, 'error.data', data => JSON.stringify(JSON.parse(data))),
    ),
  },
  {
    name: 'drops-data-that-is-no-object',
    harm: 'Drops the data of an error where it is no object.',
    caughtBy: ['errors/data-of-any-type-kept'],
    mutate: editReply({ message: /"error":/, request: /"name":"fails_as_error"/ }, message =>
      edit(message, 'error.data', data => (data.startsWith('{') ? data : undefined)),
    ),
  },
  {
    name: 'invents-data',
    harm: 'Names itself as the source in errors without data.',
    caughtBy: ['errors/no-data-invented'],
    mutate: editReply({ message: /"error":/, request: /"name":"burst_target"/ }, message =>
      get(message, 'error.data') === undefined
        ? edit(message, 'error', error => put(error, 'data', '{"source":"gateway"}'))
        : message,
    ),
  },
  {
    name: 'moves-url-elicitation-into-data',
    harm: 'Does not know -32042, and gives it on as -32603 with the error in its data.',
    caughtBy: ['errors/url-elicitation-kept'],
    mutate: editReply(/"code":-32042\b/, message =>
      errorMessage(get(message, 'id'), -32603, 'Error calling tool', get(message, 'error')),
    ),
  },
  {
    name: 'answers-failed-reads-with-nothing',
    harm: 'Gives a read that failed in the server on as one that found nothing.',
    caughtBy: ['errors/failed-read-is-no-success'],
    mutate: editReply({ message: /"code":-32000\b/, request: /"method":"resources\/read"/ }, message =>
      resultMessage(get(message, 'id') ?? 'null', '{"contents":[]}'),
    ),
  },
  {
    name: 'turns-tool-errors-into-errors',
    harm: 'Turns a result with isError into a JSON-RPC error.',
    caughtBy: ['errors/tool-error-stays-result', 'errors/tool-error-content-kept'],
    mutate: editReply({ message: /"isError":true/, request: /"name":"fails_as_result"/ }, message =>
      errorMessage(get(message, 'id'), -32603, getString(message, 'result.content.0.text') ?? ''),
    ),
  },
  {
    name: 'turns-wrong-arguments-into-errors',
    harm: 'Answers -32602 where a tool tells in its result that the arguments are wrong.',
    caughtBy: ['errors/wrong-arguments-stay-result'],
    mutate: editReply(/"Invalid arguments: /, message =>
      errorMessage(get(message, 'id'), -32602, getString(message, 'result.content.0.text') ?? ''),
    ),
  },
  {
    name: 'answers-500-for-tool-errors',
    harm: 'Answers 500 where a tool says that it failed.',
    caughtBy: ['errors/tool-error-stays-result'],
    mutate: replyStatus(() => 500, /"name":"fails_as_result"/),
  },
  {
    name: 'drops-structure-of-tool-errors',
    harm: 'Drops structuredContent where a result has isError.',
    caughtBy: ['errors/tool-error-content-kept'],
    mutate: editReply({ message: /"isError":true/, request: /"name":"fails_as_result"/ }, message =>
      edit(message, 'result.structuredContent', () => undefined),
    ),
  },
  {
    name: 'turns-errors-into-results',
    harm: 'Turns a JSON-RPC error that it does not know into a result with isError.',
    caughtBy: ['errors/error-stays-error'],
    mutate: editReply(/"code":-32010\b/, message => failedTool(message, getString(message, 'error.message') ?? '')),
  },
  {
    name: 'answers-unknown-tools-with-results',
    harm: 'Gives the error of an unknown tool on as a result.',
    caughtBy: ['errors/unknown-tool-is-error'],
    mutate: editReply(/Unknown tool/, message => failedTool(message, 'Unknown tool')),
  },
  {
    name: 'renames-unknown-methods',
    harm: 'Answers -32000 for methods that nobody knows.',
    caughtBy: ['errors/unknown-method-32601'],
    mutate: editReply({ message: /"code":-32601\b/, request: /"method":"conformance\/no-such-method"/ }, message =>
      edit(message, 'error.code', () => '-32000'),
    ),
  },
  {
    name: 'takes-any-id',
    harm: 'Takes whatever a server answers for the answer to the request, and gives it its id.',
    caughtBy: ['errors/wrong-id-is-no-answer'],
    mutate: editReply(/"result":/, (message, { passage }) => {
      const ids = requestIds(requestText(passage))
      return kindOf(message) === 'response' && ids.length === 1 ? edit(message, 'id', () => ids[0]) : message
    }),
  },
  {
    name: 'lets-last-answer-count',
    harm: 'Collects a stream to its end, and answers with the last answer in it.',
    caughtBy: ['errors/first-answer-counts'],
    mutate: editEvents(/"name":"burst_target"/, () => {
      let last: string | undefined
      return {
        block(block) {
          const data = /^data: (.*)$/m.exec(block)?.[1] ?? ''
          if (!data.startsWith('{') || kindOf(data) !== 'response') return [block]
          last = block
          return []
        },
        end: () => (last === undefined ? [] : [last]),
      }
    }),
  },
  {
    name: 'flattens-statuses',
    harm: 'Gives errors on with status 200, whatever the server said.',
    caughtBy: ['errors/http-status-kept'],
    mutate: replyStatus(status => (status === 422 ? 200 : status)),
  },
  {
    name: 'shortens-challenges',
    harm: 'Leaves of a challenge only its scheme.',
    caughtBy: ['errors/challenge-kept'],
    mutate: replyField('WWW-Authenticate', values => values.map(value => value.split(' ')[0]!)),
  },
  {
    name: 'drops-retry-after',
    harm: 'Leaves Retry-After out of answers.',
    caughtBy: ['errors/retry-after-kept'],
    mutate: replyField('Retry-After', undefined, { also: passage => passage.method === 'POST' }),
  },
]
