import {
  atEndWithoutResponse,
  CANCELLED,
  cancelsAll,
  cancelsByIdAlone,
  cancelsEverywhere,
  cancelsOnHangUp,
  passesOnLateAnswers,
  refusesCancelling,
  tiresOfHangUps,
} from './cancellation/harms.ts'
import { edit, editRequest, errorMessage, eventOf, refuse, replacePart, swallow } from './harm.ts'
import type { Mutant } from './mutant.ts'

/** What goes wrong when calls are cancelled, or clients hang up. */
export const cancellation: readonly Mutant[] = [
  {
    name: 'swallows-cancellations',
    harm: 'Accepts cancellations, and tells no server.',
    caughtBy: ['cancellation/forwarded'],
    mutate: swallow(CANCELLED),
  },
  {
    name: 'makes-numbers-of-cancelled-ids',
    harm: 'Makes a number of the id of a cancelled call, where it is a string of digits.',
    caughtBy: ['cancellation/names-the-right-call'],
    mutate: editRequest(CANCELLED, message =>
      edit(message, 'params.requestId', raw => (/^"\d+"$/.test(raw) ? raw.slice(1, -1) : raw)),
    ),
  },
  {
    name: 'cancels-by-id-alone',
    harm: 'Cancels the call that had this id last, of whichever client.',
    caughtBy: ['cancellation/of-one-client-alone'],
    mutate: cancelsByIdAlone,
  },
  {
    name: 'cancels-everywhere',
    harm: 'Sends a cancellation to every server.',
    caughtBy: ['cancellation/to-one-server-alone'],
    mode: 'aggregate',
    mutate: cancelsEverywhere,
  },
  {
    name: 'drops-reasons',
    harm: 'Forwards cancellations without their reason.',
    caughtBy: ['cancellation/reason-kept'],
    mutate: editRequest(CANCELLED, message => edit(message, 'params.reason', () => undefined)),
  },
  {
    name: 'keeps-cancelled-calls-open',
    harm: 'Leaves the answer to a call open that the server has ended without a response.',
    caughtBy: ['cancellation/call-is-released'],
    mutate: atEndWithoutResponse(() => {}),
  },
  {
    name: 'answers-cancelled-calls',
    harm: 'Answers a call itself that was cancelled.',
    caughtBy: ['cancellation/no-answer-afterwards'],
    mutate: atEndWithoutResponse((out, id) => {
      out.chunk(Buffer.from(eventOf(errorMessage(id, -32800, 'Request cancelled'))))
      out.end()
    }),
  },
  {
    name: 'refuses-late-cancellations',
    harm: 'Refuses to cancel what is answered already.',
    caughtBy: ['cancellation/too-late-is-harmless'],
    mutate: refusesCancelling(400, (_, answered) => answered),
  },
  {
    name: 'refuses-unknown-cancellations',
    harm: 'Refuses to cancel what it has not seen.',
    caughtBy: ['cancellation/unknown-is-ignored'],
    mutate: refusesCancelling(404, seen => !seen),
  },
  {
    name: 'fails-on-malformed-cancellations',
    harm: 'Fails on a cancellation that names no call.',
    caughtBy: ['cancellation/malformed-is-ignored'],
    mutate: refuse({ request: /^(?!.*"requestId")(?=.*"method":"notifications\/cancelled")/s }, 500),
  },
  {
    name: 'cancels-all',
    harm: 'Breaks all calls of a client off when it cancels one.',
    caughtBy: ['cancellation/other-calls-go-on'],
    mutate: cancelsAll,
  },
  {
    name: 'passes-on-late-answers',
    harm: 'Gives the late answer to a cancelled call to the next call.',
    caughtBy: ['cancellation/late-answer-stays-apart'],
    mutate: passesOnLateAnswers,
  },
  {
    name: 'cancels-on-hang-up',
    harm: 'Cancels a call when the connection of the client breaks.',
    caughtBy: ['cancellation/disconnect-is-none'],
    mutate: cancelsOnHangUp,
  },
  {
    name: 'tires-of-hang-ups',
    harm: 'Takes no more of a client that has hung up on five calls.',
    caughtBy: ['cancellation/works-after-hang-up'],
    mutate: tiresOfHangUps,
  },
  {
    name: 'keeps-get-streams',
    harm: 'Keeps the stream to the server open when a client hangs up on its GET stream.',
    caughtBy: ['cancellation/hang-up-ends-get-stream'],
    mutate: replacePart('departure', { gone: () => {} }),
  },
]
