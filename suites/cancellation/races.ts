import { event, gate, head, progress, says, write } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { stringify } from '../../kit/json.ts'
import { messages } from '../../kit/messages.ts'
import { call, callWithProgress, cancel, finish, notify, start, untilEvents } from '../../kit/steps.ts'
import type { Act, Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { startLongTask, untilWorking } from './cancelled.ts'

const TIMING = spec('2025-11-25', 'basic/utilities/cancellation', 'timing-considerations')
const ERRORS = spec('2025-11-25', 'basic/utilities/cancellation', 'error-handling')

/** Answers although it was cancelled: when the client knows that it was, and waits for another call. */
const TOO_LATE: Act[] = [
  head(),
  write(event(progress(1))),
  gate(0, 'cancel'),
  gate(1, 'next'),
  write(event(says('too late'))),
]

/** Leaves the late answer time to come before this one. */
const NEXT: Act[] = [head(), write(event(progress(1))), gate(1), { do: 'wait', ms: 60 }, write(event(says('next')))]

/** A cancellation that comes at the wrong time, or is none. */
export const races: readonly Check[] = [
  check({
    id: 'cancellation/too-late-is-harmless',
    title: 'MUST put up with the cancellation of a call that is answered already',
    pack: 'mcp',
    level: 'MUST',
    spec: TIMING,
    catalogue: ['cancellation.race-tolerated'],
    why: 'It happens whenever a user is a little slower than the server: an error pops up, or the session is gone.',
    steps: [
      call('burst_target', {}, { as: 'call' }),
      cancel('call', { as: 'cancel' }),
      call('burst_target', {}, { as: 'next' }),
    ],
    claims: [client('cancel').status(200, 299), client('next').succeeds()],
  }),
  check({
    id: 'cancellation/unknown-is-ignored',
    title: 'ignores the cancellation of a call that there never was',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['cancellation.invalid-ignored'],
    why: 'After a restart clients cancel what nobody knows any more: an error helps no one, a broken session hurts.',
    steps: [
      notify('notifications/cancelled', { requestId: 'never-sent', reason: 'lost' }, { as: 'cancel' }),
      call('burst_target', {}, { as: 'next' }),
    ],
    claims: [client('cancel').status(202), client('next').succeeds()],
  }),
  check({
    id: 'cancellation/malformed-is-ignored',
    title: 'ignores a cancellation that does not say of what',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['cancellation.invalid-ignored'],
    why: 'One careless client makes the gateway fail for everyone.',
    steps: [notify('notifications/cancelled', {}, { as: 'cancel' }), call('burst_target', {}, { as: 'next' })],
    claims: [
      client('cancel').holds('the answer is no failure of the gateway', e => {
        const status = e.response?.status
        return status !== undefined && status < 500 ? undefined : `status ${status ?? 'none'}`
      }),
      client('next').succeeds(),
    ],
  }),
  check({
    id: 'cancellation/other-calls-go-on',
    title: 'goes on with the other calls of a client that cancels one',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/utilities/cancellation', 'behavior-requirements'),
    catalogue: ['cancellation.forwarded'],
    waits: 800,
    why: 'One cancelled call takes the whole connection to the server with it, and all that runs there.',
    steps: [
      startLongTask(1500, { as: 'call' }),
      startLongTask(800, { as: 'other' }),
      untilWorking('call'),
      untilWorking('other'),
      cancel('call'),
      call('burst_target', {}, { as: 'next' }),
      finish(),
    ],
    claims: [client('other').result('structuredContent.finished', true), client('next').succeeds()],
  }),
  check({
    id: 'cancellation/late-answer-stays-apart',
    title: 'gives the late answer to a cancelled call to no other call',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TIMING,
    catalogue: ['cancellation.race-tolerated', 'envelope.no-response-crosstalk'],
    why: 'The answer to what was cancelled is taken for the answer to the next question: wrong data, and no error.',
    steps: [
      start(callWithProgress('slow', {}, 'late', { as: 'late', acts: TOO_LATE })),
      untilEvents('late', 1),
      cancel('late', { as: 'cancel' }),
      callWithProgress('slow', {}, 'next', { as: 'next', acts: NEXT }),
      call('burst_target', {}, { as: 'after' }),
    ],
    claims: [
      client('next').result('content.0.text', 'next'),
      client('after').result('content.0.text', 'ok'),
      claim('client', 'only the cancelled call may get the late answer', ({ client: all }) => {
        const wrong = all.find(e => e.label !== 'late' && messages(e).some(m => stringify(m).includes('too late')))
        return wrong && `"${wrong.label ?? 'another exchange'}" got it`
      }),
    ],
  }),
]
