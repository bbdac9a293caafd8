import {
  code,
  dataOf,
  edit,
  editEvents,
  editReply,
  errorMessage,
  get,
  lengthless,
  type Mutant,
  replyStatus,
  requestIds,
  requestText,
  resultMessage,
  through,
  withData,
  wrapReply,
} from '../harm.ts'

const drop = () => undefined

const asResult = (message: string, more: string): string =>
  resultMessage(get(message, 'id') ?? 'null', `{"content":[{"type":"text","text":"failed"}]${more}}`)

/** Errors that get lost, or become something else. */
export const kept: readonly Mutant[] = [
  {
    name: 'dresses-errors-as-results',
    harm: 'Makes a result of an internal error.',
    platform: 'seed',
    caughtBy: [
      'error-table/no-fake-success',
      'error-table/internal-error',
      'error-table/never-empty',
      'error-table/batch-ids-kept',
      'problem-details/numbers-kept',
      'problem-details/on-stream',
    ],
    mutate: editReply(/"error":\{"code":-32603\b/, message => asResult(message, '')),
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
    harm: 'Says in words of its own, and with -32602, that there is no such tool.',
    platform: 'seed',
    caughtBy: ['error-table/unknown-tool', 'error-table/method-not-found'],
    mutate: editReply({ message: /"code":-32601\b/, request: /"tools\/call"/ }, message =>
      errorMessage(get(message, 'id'), code.params, 'Unknown tool'),
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
    mutate: editReply({ message: /"error":/, request: /^\[/ }, (message, { passage, n }) =>
      edit(message, 'id', raw => requestIds(requestText(passage))[n - 1] ?? raw),
    ),
  },
  {
    name: 'drops-data-of-errors-in-streams',
    harm: 'Leaves the data out of errors that come in a stream.',
    platform: 'seed',
    caughtBy: ['error-table/on-stream', 'error-table/after-progress', 'problem-details/on-stream'],
    mutate: editEvents(undefined, () => ({
      block(text) {
        const data = dataOf(text)
        if (!data?.includes('"error":')) return [text]
        return [withData(text, edit(data, 'error.data', drop))]
      },
    })),
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
