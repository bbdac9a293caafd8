import { memberOf } from '../../kit/admin.ts'
import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, show, stringify } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { labelled } from '../../kit/steps/waits.ts'
import { call, finish, hangUp, start, step } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { decide, listed, NEEDS, notBefore, ran, resultOf, risky, roundTrip, tried, untilWaiting } from './risky.ts'

const spec = platform('approvals')

/** Where the first call was refused, and does not hang until it is decided. */
const repeat = step('sends the call again, where it was refused', async rig => {
  const answer = labelled(rig, 'risky')
  if (answer && at(reply(answer), 'error') !== undefined) await risky('repeat').run(rig)
})

/** What holds of every gate, whether it refuses risky calls or lets them hang until they are decided. */
export const gate: readonly Check[] = [
  check({
    id: 'hitl/not-run-before-approval',
    title: 'must run a risky call when an administrator has approved it, and not before',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'The index is gone before anyone was asked; or the administrator says yes, and nothing happens.',
    steps: [start(risky('risky')), untilWaiting, roundTrip, decide('approve'), repeat, finish()],
    claims: [notBefore('approve'), client('approve').status(200, 299), resultOf('risky', 'repeat'), ran(1)],
  }),
  check({
    id: 'hitl/waiting-listed',
    title: 'must list the call as WAITING_APPROVAL, with its tool and its arguments',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'An administrator who does not see what waits approves nothing, or does it blindly.',
    steps: [start(risky('risky', { args: { rows: 12 } })), untilWaiting, hangUp('risky')],
    claims: [
      claim('client', 'the list of approvals has the call, as WAITING_APPROVAL', evidence => {
        const state = memberOf(evidence.target, 'approvals', listed(evidence), 'state')
        return state === 'WAITING_APPROVAL' ? undefined : `its state is ${show(state)}`
      }),
      claim('client', 'the tool is named there', evidence => {
        const tool = memberOf(evidence.target, 'approvals', listed(evidence), 'tool')
        return typeof tool === 'string' && tool.includes('drop_index') ? undefined : `it is ${show(tool)}`
      }),
      claim('client', 'its arguments are there', evidence => {
        const args = stringify(memberOf(evidence.target, 'approvals', listed(evidence), 'arguments') ?? null)
        return ['tb_orders', 'ix_orders_customer', '12'].every(one => args.includes(one)) ? undefined : args
      }),
    ],
  }),
  check({
    id: 'hitl/approve-needs-credentials',
    title: 'must take approvals from administrators only',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: [...NEEDS, 'control-api'],
    why: 'The agent approves its own calls.',
    steps: [
      start(risky('risky')),
      untilWaiting,
      decide('approve', 'risky', { as: 'approval without credentials', anonymous: true }),
      tried('repeat'),
      hangUp('risky'),
      roundTrip,
    ],
    claims: [client('approval without credentials').status(401, 403), ran(0)],
  }),
  check({
    id: 'hitl/rejected-never-runs',
    title: 'must not run a call that was rejected',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'The administrator says no, and it is done all the same.',
    steps: [start(risky('risky')), untilWaiting, decide('reject'), tried('repeat'), hangUp('risky'), roundTrip],
    claims: [client('reject').status(200, 299), ran(0)],
  }),
  check({
    id: 'hitl/other-tools-run',
    title: 'must let calls of other tools through, also while one waits',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'An agent that asked for one risky thing stands still until somebody has time.',
    steps: [
      start(risky('risky')),
      untilWaiting,
      call('burst_target', {}, { as: 'other tool', on: 'syncboot' }),
      hangUp('risky'),
    ],
    claims: [client('other tool').succeeds(), backend('other tool').once()],
  }),
]
