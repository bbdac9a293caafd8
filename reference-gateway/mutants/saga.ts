import { makeSagas } from '../parts/sagas.ts'
import type { Rules } from '../sagas/rules.ts'
import { edit, editEndpoint, editReply, opens, replacePart, replyStatus } from './harm.ts'
import type { Mutant, Mutate } from './mutant.ts'

/** The right workflows but for these decisions. */
const deciding =
  (changes: Partial<Rules>): Mutate =>
  parts =>
    replacePart('sagas', makeSagas(changes))(parts)

const seed = { platform: 'seed' } as const

/** How a workflow goes forward. */
const running: readonly Mutant[] = [
  {
    ...seed,
    name: 'runs-the-last-step-early',
    harm: 'Runs the last step of a workflow before the second one.',
    caughtBy: [
      'saga/steps-in-order',
      'saga/stops-at-failure',
      'saga/arguments-exact',
      'saga/undone-in-reverse',
      'saga/only-done-undone',
      'saga/tool-error-fails',
      'saga/undo-tried-again',
      'saga/state-shown',
      'saga/trace-refused',
    ],
    mutate: deciding({ order: ({ plan }) => [0, 2, 1].slice(0, plan.steps.length) }),
  },
  {
    ...seed,
    name: 'undoes-what-succeeded',
    harm: 'Undoes each workflow in the end, whether a step failed or not.',
    caughtBy: ['saga/steps-in-order', 'saga/completed-stands'],
    mutate: deciding({ ends: () => 'COMPENSATING' }),
  },
  {
    ...seed,
    name: 'runs-on-behind-a-failure',
    harm: 'Runs the remaining steps, though one has failed.',
    caughtBy: ['saga/stops-at-failure', 'saga/only-done-undone'],
    mutate: deciding({ goesOn: true }),
  },
  {
    ...seed,
    name: 'rounds-arguments-of-steps',
    harm: 'Reads the arguments of steps as doubles.',
    caughtBy: ['saga/arguments-exact'],
    mutate: deciding({
      sent: action => ({ ...action, arguments: JSON.stringify(JSON.parse(action.arguments)) }),
    }),
  },
  {
    ...seed,
    name: 'lets-anyone-begin-workflows',
    harm: 'Takes workflows without the administrator’s token.',
    caughtBy: ['saga/start-needs-credentials', 'control-plane/token-demanded'],
    operate: opens('start-saga'),
  },
]

/** How a workflow is undone. */
const undoing: readonly Mutant[] = [
  {
    ...seed,
    name: 'undoes-in-the-order-of-the-steps',
    harm: 'Undoes the first step first.',
    caughtBy: ['saga/undone-in-reverse', 'saga/undo-tried-again'],
    mutate: deciding({
      undone: ({ progress }) => [...progress.keys()].filter(index => progress[index]!.run.state === 'done'),
    }),
  },
  {
    ...seed,
    name: 'undoes-twice',
    harm: 'Runs each compensation twice, to be sure.',
    caughtBy: ['saga/undone-in-reverse', 'saga/tool-error-fails', 'saga/undo-tried-again'],
    mutate: deciding({
      stands: () => true,
      undone: ({ progress }) =>
        [...progress.keys()]
          .filter(index => progress[index]!.run.state === 'done')
          .reverse()
          .flatMap(index => [index, index]),
    }),
  },
  {
    ...seed,
    name: 'undoes-the-failed-step',
    harm: 'Runs the compensation of the step that failed, too.',
    caughtBy: ['saga/only-done-undone'],
    mutate: deciding({
      undone: ({ progress }) =>
        [...progress.keys()].filter(index => progress[index]!.run.state !== 'pending').reverse(),
    }),
  },
  {
    ...seed,
    name: 'overlooks-failed-tools',
    harm: 'Takes every result for a success, also one with isError.',
    caughtBy: ['saga/tool-error-fails', 'saga/undo-tried-again'],
    mutate: deciding({ failure: ({ error }) => (error === undefined ? undefined : 'The server refused.') }),
  },
  {
    ...seed,
    name: 'gives-compensations-up-at-once',
    harm: 'Tries each compensation once.',
    caughtBy: ['saga/undo-tried-again'],
    mutate: deciding({ attempts: () => 1 }),
  },
  {
    ...seed,
    name: 'shows-undoing-as-running',
    harm: 'Shows a workflow that is being undone as one that runs.',
    caughtBy: ['saga/state-shown'],
    operate: editEndpoint('saga', reply => ({
      ...reply,
      json: JSON.parse(JSON.stringify(reply.json).replaceAll('"COMPENSATING"', '"RUNNING"')),
    })),
  },
]

/** What becomes of calls meanwhile. */
const refusing: readonly Mutant[] = [
  {
    ...seed,
    name: 'lets-calls-into-what-is-undone',
    harm: 'Lets calls of a trace through while its workflow is undone.',
    caughtBy: ['saga/trace-refused'],
    mutate: deciding({ refuses: () => false }),
  },
  {
    platform: 'official',
    name: 'refuses-compensating-calls-with-200',
    harm: 'Dresses the refusal as an answer like any other.',
    caughtBy: ['saga/trace-refused'],
    mutate: replyStatus(status => (status === 500 ? 200 : status), /"traceId"/),
  },
  {
    ...seed,
    name: 'drops-the-problem-of-compensating-calls',
    harm: 'Refuses calls of a trace without saying which workflow is the reason.',
    caughtBy: ['saga/trace-refused'],
    mutate: editReply(/urn:mcp-gateway:problem:compensating/, message => edit(message, 'error.data', () => undefined)),
  },
  {
    platform: 'official',
    name: 'confuses-traces',
    harm: 'Knows traces by their last characters only.',
    caughtBy: ['saga/other-traces-pass'],
    mutate: deciding({ trace: traceId => traceId.slice(-10) }),
  },
  {
    ...seed,
    name: 'refuses-traces-for-ever',
    harm: 'Goes on to refuse calls of a trace when its workflow has been undone.',
    caughtBy: ['saga/trace-passes-again'],
    mutate: deciding({ refuses: state => state.startsWith('COMPENSAT') }),
  },
]

export const saga: readonly Mutant[] = [...running, ...undoing, ...refusing]
