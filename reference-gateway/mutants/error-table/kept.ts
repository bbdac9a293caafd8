import {
  code,
  edit,
  editReply,
  errorMessage,
  get,
  lengthless,
  type Mutant,
  refuse,
  replyStatus,
  resultMessage,
  through,
  wrapReply,
} from '../harm.ts'

const asResult = (message: string, more: string): string =>
  resultMessage(get(message, 'id') ?? 'null', `{"content":[{"type":"text","text":"failed"}]${more}}`)

/** Errors that get lost, or become something else. */
export const kept: readonly Mutant[] = [
  {
    name: 'dresses-errors-as-results',
    harm: 'Makes a result of an internal error that comes with 200.',
    platform: 'seed',
    caughtBy: ['error-table/no-fake-success'],
    mutate: editReply(/"message":"the agent failed"/, message => asResult(message, '')),
  },
  {
    name: 'takes-the-mark-off-failures',
    harm: 'Leaves isError out of results: the failed ones look like the others.',
    platform: 'seed',
    caughtBy: ['error-table/failed-tool-stays-failed'],
    mutate: editReply(/"isError":true/, message => edit(message, 'result.isError', () => undefined)),
  },
  {
    name: 'answers-for-unknown-tools',
    harm: 'Answers calls of tools that it does not know itself, with -32602.',
    platform: 'seed',
    caughtBy: ['error-table/unknown-tool'],
    mutate: refuse(/"name":"not_registered"/, 200, request =>
      errorMessage(get(request, 'id'), code.params, 'Unknown tool'),
    ),
  },
  {
    name: 'mistakes-forbidden-for-failure',
    harm: 'Gives Forbidden on as an internal error.',
    platform: 'seed',
    caughtBy: ['error-table/forbidden'],
    mutate: editReply(/"message":"Forbidden: Requires crm_admin/, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'empties-503',
    harm: 'Gives the status 503 on without its body.',
    platform: 'seed',
    caughtBy: ['error-table/never-empty'],
    mutate: wrapReply(undefined, out => {
      let empty = false
      return through(out, {
        head(head) {
          empty = head.status === 503
          out.head(empty ? lengthless(head) : head)
        },
        chunk: bytes => {
          if (!empty) out.chunk(bytes)
        },
      })
    }),
  },
  {
    name: 'numbers-errors-by-place',
    harm: 'Gives the errors of a batch the ids of its requests in the order in which they stood.',
    platform: 'seed',
    caughtBy: ['error-table/batch-ids-kept'],
    mutate: editReply({ message: /"error":/, request: /^\[/ }, (message, { n }) =>
      edit(message, 'id', () => `"b-${n}"`),
    ),
  },
  {
    name: 'drops-data-of-errors-in-streams',
    harm: 'Leaves the data out of errors that come first in a stream.',
    platform: 'seed',
    caughtBy: ['error-table/on-stream'],
    mutate: editReply({ message: /"code":-32002\b.*"data"/s, request: /burst_target/ }, (message, { passage, n }) =>
      n === 1 && !passage.body.now()?.includes('progressToken') && message.includes('모두 사용했습니다"')
        ? edit(message, 'error.data', () => undefined)
        : message,
    ),
  },
  {
    name: 'ends-tasks-well',
    harm: 'Makes an empty success of the error that ends a task which has told of its progress.',
    platform: 'seed',
    caughtBy: ['error-table/after-progress'],
    mutate: editReply({ message: /"error":/, request: /progressToken/ }, message => asResult(message, '')),
  },
  {
    name: 'answers-broken-json-with-500',
    harm: 'Fails inside over a body that is no JSON.',
    platform: 'seed',
    caughtBy: ['error-table/broken-json'],
    mutate: replyStatus(status => (status === 400 ? 500 : status), /[^}\]\s]\s*$/),
  },
  {
    name: 'takes-any-object',
    harm: 'Answers objects that are no JSON-RPC with 200.',
    platform: 'seed',
    caughtBy: ['error-table/no-request'],
    mutate: replyStatus(status => (status === 400 ? 200 : status), /^\{(?!.*"jsonrpc")/s),
  },
]
