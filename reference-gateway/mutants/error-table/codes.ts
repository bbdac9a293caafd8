import { edit, editReply, type Mutant, through, wrapAnswer } from '../harm.ts'

/** Traffic of plain calls: what a well-formed request is answered with. */
const CALL = /"method":"tools\/call"/

/** Gives one status of a server on as another; what the gateway itself answers stays as it is. */
const status = (from: number, to: number) =>
  wrapAnswer(CALL, out =>
    through(out, { head: head => out.head(head.status === from ? { status: to, fields: head.fields } : head) }),
  )

/** Errors of the table that come out as others. */
export const codes: readonly Mutant[] = [
  {
    name: 'takes-parse-errors-for-its-own',
    harm: 'Gives the parse error of a server on as a failure inside.',
    platform: 'seed',
    caughtBy: ['error-table/parse-error'],
    mutate: editReply({ message: /"code":-32700\b/, request: CALL }, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'takes-invalid-requests-for-its-own',
    harm: 'Gives on that a request is not valid as a failure inside.',
    platform: 'seed',
    caughtBy: ['error-table/invalid-request'],
    mutate: editReply({ message: /"code":-32600\b/, request: CALL }, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'hides-missing-tools',
    harm: 'Gives on that there is no such tool as a failure inside.',
    platform: 'seed',
    caughtBy: ['error-table/method-not-found'],
    mutate: editReply({ message: /"code":-32601\b.*"data":/s, request: CALL }, message =>
      edit(message, 'error.code', () => '-32603'),
    ),
  },
  {
    name: 'answers-422-as-400',
    harm: 'Gives 422 on as 400.',
    platform: 'seed',
    caughtBy: ['error-table/invalid-params'],
    mutate: status(422, 400),
  },
  {
    name: 'drops-data-of-failures',
    harm: 'Leaves the data out of internal errors.',
    platform: 'seed',
    caughtBy: [
      'error-table/internal-error',
      'error-table/never-empty',
      'problem-details/numbers-kept',
      'problem-details/on-stream',
    ],
    mutate: editReply({ message: /"code":-32603\b/, request: CALL }, message =>
      edit(message, 'error.data', () => undefined),
    ),
  },
  {
    name: 'answers-approvals-with-401',
    harm: 'Gives 403 of a server on as 401, as if a token were missing.',
    platform: 'seed',
    caughtBy: ['error-table/approval-required'],
    mutate: status(403, 401),
  },
  {
    name: 'answers-budgets-with-503',
    harm: 'Gives 429 of a server on as 503.',
    platform: 'seed',
    caughtBy: ['error-table/budget-exceeded'],
    mutate: status(429, 503),
  },
  {
    name: 'rewords-compensation',
    harm: 'Puts a message of its own in place of what a server says with -32003.',
    platform: 'seed',
    caughtBy: [
      'error-table/compensating',
      'error-table/forbidden',
      'error-table/after-progress',
      'auth-tier2/refusal-unchanged',
    ],
    mutate: editReply({ message: /"code":-32003\b/, request: CALL }, message =>
      edit(message, 'error.message', () => '"Internal Server Error"'),
    ),
  },
]
