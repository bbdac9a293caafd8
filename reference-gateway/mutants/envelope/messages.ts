import {
  edit,
  editForward,
  editReply,
  errorMessage,
  get,
  kindOf,
  type Mutant,
  type Passage,
  put,
  refuse,
  replyField,
  replyStatus,
  requestText,
  resultMessage,
  sendTwice,
  swallow,
  valid,
  values,
} from '../harm.ts'

/** What a client has posted, where it is JSON. */
const posted = (passage: Passage, test: (body: string) => boolean): boolean => {
  const text = requestText(passage)
  return passage.method === 'POST' && text !== '' && valid(text) && test(text)
}

const isBatch = (body: string) => body.trimStart()[0] === '['
const asks = (body: string) => values(body).some(message => kindOf(message) === 'request')

/** What goes wrong with messages as such. */
export const plain: readonly Mutant[] = [
  {
    name: 'drops-version-of-errors',
    harm: 'Writes errors without "jsonrpc".',
    caughtBy: ['envelope/jsonrpc-version'],
    mutate: editReply(/"error":\{/, message => edit(message, 'jsonrpc', () => undefined)),
  },
  {
    name: 'adds-null-results',
    harm: 'Writes errors that have data with "result": null beside, as JSON-RPC 1.0 had it.',
    caughtBy: ['envelope/result-xor-error'],
    mutate: editReply(/"error":\{.*"data":/s, message => put(message, 'result', 'null')),
  },
  {
    name: 'answers-in-plain-text',
    harm: 'Says text/plain over its errors for unknown methods.',
    caughtBy: ['envelope/answer-content-type'],
    mutate: replyField('Content-Type', 'text/plain', /"method":"x-/),
  },
  {
    name: 'answers-initialized-with-200',
    harm: 'Answers notifications/initialized with 200.',
    caughtBy: ['envelope/notification-202'],
    mutate: replyStatus(() => 200, /"method":"notifications\/initialized"/),
  },
  {
    name: 'answers-unknown-notifications',
    harm: 'Answers a notification that it does not know with an error, as if it were a request.',
    caughtBy: ['envelope/notification-no-answer'],
    mutate: refuse(
      /"method":"notifications\/(?!initialized|cancelled|progress|roots)/,
      200,
      errorMessage(undefined, -32601, 'Method not found'),
    ),
  },
  {
    name: 'numbers-notifications',
    harm: 'Sends notifications about roots on with an id.',
    caughtBy: ['envelope/notification-no-id'],
    mutate: editForward({ request: /^\{/, message: /"method":"notifications\/roots/ }, message =>
      put(message, 'id', '0'),
    ),
  },
  {
    name: 'repeats-notifications',
    harm: 'Sends notifications about roots to the server twice.',
    caughtBy: ['envelope/notification-once'],
    mutate: sendTwice(/^\{.*"method":"notifications\/roots/),
  },
  {
    name: 'swallows-notifications',
    harm: 'Accepts notifications about roots and tells the server nothing.',
    caughtBy: ['envelope/notification-once', 'forwarding/unknown-fields-kept'],
    mutate: swallow(/^\{.*"method":"notifications\/roots/),
  },
  {
    name: 'swallows-responses',
    harm: 'Accepts the responses of clients and does not hand them on.',
    caughtBy: ['envelope/server-ping-answered'],
    mutate: swallow({ also: passage => posted(passage, body => kindOf(body) === 'response') }),
  },
  {
    name: 'answers-responses-with-200',
    harm: 'Answers the response of a client with 200.',
    caughtBy: ['envelope/response-202'],
    mutate: replyStatus(() => 200, { also: passage => posted(passage, body => kindOf(body) === 'response') }),
  },
  {
    name: 'demands-params',
    harm: 'Takes requests without params for malformed.',
    caughtBy: ['envelope/ping-answered'],
    mutate: refuse(
      { also: passage => posted(passage, body => kindOf(body) === 'request' && get(body, 'params') === undefined) },
      200,
      request => errorMessage(get(request, 'id'), -32602, 'params are missing'),
    ),
  },
  {
    name: 'answers-unknown-methods-with-404',
    harm: 'Answers unknown methods with the status 404.',
    caughtBy: ['envelope/no-404-in-session'],
    mutate: replyStatus(() => 404, /"method":"x-/),
  },
]

/** What goes wrong with what is no message, and with batches. */
export const refusals: readonly Mutant[] = [
  {
    name: 'fails-on-bad-json',
    harm: 'Throws where the body is not JSON, and answers 500.',
    caughtBy: ['envelope/parse-error'],
    mutate: refuse(
      { also: passage => passage.method === 'POST' && requestText(passage) !== '' && !valid(requestText(passage)) },
      500,
      'Internal Server Error',
      [['Content-Type', 'text/plain']],
    ),
  },
  {
    name: 'accepts-messages-without-method',
    harm: 'Accepts what has an id, but no method, with 202.',
    caughtBy: ['envelope/invalid-request'],
    mutate: swallow({
      also: passage => posted(passage, body => kindOf(body) === 'other' && get(body, 'id') !== undefined),
    }),
  },
  {
    name: 'takes-null-ids-for-none',
    harm: 'Takes a request with the id null for a notification and accepts it with 202.',
    caughtBy: ['envelope/id-null-refused'],
    mutate: swallow({ also: passage => posted(passage, body => !isBatch(body) && get(body, 'id') === 'null') }),
  },
  {
    name: 'answers-batches',
    harm: 'Answers batches in revisions that have none.',
    caughtBy: ['envelope/batch-refused'],
    mutate: refuse(
      {
        fields: /mcp-protocol-version: 2025-(?:06|11)/i,
        also: passage => posted(passage, isBatch),
      },
      200,
      body => `[${values(body).map(message => resultMessage(get(message, 'id') ?? 'null', '{}'))}]`,
    ),
  },
  {
    name: 'answers-first-of-batch',
    harm: 'Reads the first answer to a batch and forgets the others.',
    caughtBy: ['envelope/batch-answered'],
    mutate: editReply({ also: passage => posted(passage, isBatch) }, (message, { n }) => (n === 1 ? message : [])),
  },
  {
    name: 'answers-notification-batches-with-200',
    harm: 'Answers a batch of notifications with 200.',
    caughtBy: ['envelope/batch-of-notifications-202'],
    mutate: replyStatus(() => 200, { also: passage => posted(passage, body => isBatch(body) && !asks(body)) }),
  },
]
