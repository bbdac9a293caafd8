import { answerOf, memberOf } from '../../kit/admin.ts'
import { claim } from '../../kit/define.ts'
import { at, type Json, json, show } from '../../kit/json.ts'
import { clientExchange, sent } from '../../kit/messages.ts'
import { labelled } from '../../kit/steps/waits.ts'
import { admin, step, untilAdmin, untilSeen } from '../../kit/steps.ts'
import type { Act, Claim, Evidence, Exchange, Feature, Rig, Step } from '../../kit/types.ts'

export const NEEDS: readonly Feature[] = ['sagas', 'many-backends']

/** One call in a workflow. */
export interface Action {
  readonly tool: string
  readonly args: object
  /** What the server does in place of its usual answer. */
  readonly acts?: readonly Act[]
}

/** One step of a workflow, and what undoes it. */
export type Doing = Action & { readonly undo?: Action }

const DOMAIN = { domainName: 'MembershipGrade' }
const FIELDS = [{ name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true }]

/** The steps of the platform's workflow: a schema is generated, the site published, the whole tested. */
export const generate = (more: object = {}): Doing => ({
  tool: 'syncboot_generate_schema',
  args: { ...DOMAIN, fields: FIELDS, enableAuditing: true, ...more },
  undo: { tool: 'rollback_schema', args: DOMAIN },
})
export const publish = (more: Partial<Doing> = {}): Doing => ({
  tool: 'publish_cms',
  args: DOMAIN,
  undo: { tool: 'unpublish_cms', args: DOMAIN },
  ...more,
})
export const verify = (acts?: readonly Act[]): Doing => ({
  tool: 'run_regression_test',
  args: { scenarioId: 'scn-checkout-flow' },
  ...(acts && { acts }),
})

/** The trace of the workflow of a check. */
export const traceOf = (nonce: string): string => `trace-${nonce}`

/** Begins a workflow; each call in it has a mark of its own. Labelled `startSaga`. */
export const begin = (steps: readonly Doing[], { anonymous = false } = {}): Step =>
  step(
    `begins a workflow of ${steps.map(one => one.tool).join(', ')}${anonymous ? ', without credentials' : ''}`,
    rig =>
      admin('startSaga', {
        on: 'syncboot',
        ...(anonymous && { anonymous }),
        vars: () => ({
          saga: json({
            name: 'a workflow of the kit',
            traceId: traceOf(rig.nonce),
            steps: steps.map(one => ({
              name: one.tool,
              ...marked(rig, one),
              ...(one.undo && { compensate: marked(rig, one.undo) }),
            })),
          }),
        }),
      }).run(rig),
  )

function marked(rig: Rig, { tool, args, acts }: Action) {
  const nonce = rig.next()
  if (acts) rig.stage(nonce, acts)
  return { backend: 'syncboot', tool, arguments: { ...args, nonce } }
}

const idOf = (rig: Rig): string => {
  const id = memberOf(rig.target, 'startSaga', answerOf(rig.target, 'startSaga', labelled(rig, 'startSaga')), 'id')
  return typeof id === 'string' ? id : 'none'
}

const OVER = ['COMPLETED', 'COMPENSATED', 'COMPENSATION_FAILED']

/** Asks for the workflow once. */
export const look = (as: string): Step => admin('saga', { as, on: 'syncboot', vars: rig => ({ saga: idOf(rig) }) })

/** Waits until the workflow is over, bounded in time; labelled `saga`. */
export const untilOver: Step = untilAdmin(
  'saga',
  'the workflow is over',
  (value, rig) => OVER.includes(String(memberOf(rig.target, 'saga', value, 'state'))),
  { on: 'syncboot', vars: rig => ({ saga: idOf(rig) }) },
  4000,
)

/** Waits until a call of that tool has reached the server. */
export const untilCalled = (tool: string): Step =>
  untilSeen(`${tool} has reached the server`, ({ backend }) => backend.some(e => toolOf(e) === tool))

const toolOf = (e: Exchange): string | undefined => {
  const name = at(sent(e), 'method') === 'tools/call' ? at(sent(e), 'params.name') : undefined
  return typeof name === 'string' ? name : undefined
}

export const FORWARD = ['syncboot_generate_schema', 'publish_cms', 'run_regression_test'] as const
export const BACK = ['rollback_schema', 'unpublish_cms'] as const

/** The calls of these tools that reached the servers, in order. */
export const calls = ({ backend }: Evidence, tools: readonly string[]): Exchange[] =>
  backend.filter(e => tools.includes(toolOf(e) ?? ''))

/** Of these tools, the servers get just those calls, in this order. */
export const ran = (of: readonly string[], ...expected: readonly string[]): Claim =>
  claim(
    'backend',
    expected.length ? `${expected.join(', ')} run, in this order` : `none of ${of.join(', ')} runs`,
    e => {
      const seen = calls(e, of).map(toolOf).join(', ')
      return seen === expected.join(', ') ? undefined : seen === '' ? 'none ran' : `what ran: ${seen}`
    },
  )

/** The workflow, as the control plane showed it under that label. */
export const shown = (evidence: Evidence, label = 'saga'): Json | undefined =>
  answerOf(evidence.target, 'saga', clientExchange(evidence, label))

/** The control plane shows the workflow in this state. */
export const inState = (state: string, label = 'saga'): Claim =>
  claim('client', `the workflow is ${state}`, evidence => {
    const seen = memberOf(evidence.target, 'saga', shown(evidence, label), 'state')
    return seen === state ? undefined : `its state is ${show(seen)}`
  })
