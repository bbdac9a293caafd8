import { document, gate, result } from '../../kit/acts.ts'
import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, isObject, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { call, step } from '../../kit/steps.ts'
import type { Check, Step } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { REFUSED } from './running.ts'
import {
  BACK,
  begin,
  type Doing,
  generate,
  inState,
  look,
  NEEDS,
  publish,
  ran,
  traceOf,
  untilCalled,
  untilOver,
  verify,
} from './workflow.ts'

const rule = { pack: 'syncseries', spec: platform('sagas'), needs: NEEDS } as const

const TOOL_ERROR = document(
  result({ content: [{ type: 'text', text: '테스트 실패: 12개 스텝 중 11개 성공' }], isError: true }),
)

/** Its compensation takes until the exchange of that label has ended. */
const undoneAfter = (label: string): Doing =>
  publish({
    undo: { tool: 'unpublish_cms', args: { domainName: 'MembershipGrade' }, acts: [gate(1, label), { do: 'usual' }] },
  })

/** A client's call in the trace of the workflow, or in another one. */
const traced = (as: string, trace: (nonce: string) => string = traceOf): Step =>
  step(`calls a tool in ${trace === traceOf ? 'the trace of the workflow' : 'another trace'}`, rig =>
    call('burst_target', {}, { as, on: 'syncboot', meta: { traceId: trace(rig.nonce) } }).run(rig),
  )

/** How a workflow is undone. */
export const undoing: readonly Check[] = [
  check({
    id: 'saga/undone-in-reverse',
    title: 'must undo the steps before a failed one in reverse order, each once',
    ...rule,
    level: 'MUST',
    why: 'The schema is gone while the site that shows it is still up.',
    steps: [begin([generate(), publish(), verify(REFUSED)]), untilOver],
    claims: [ran(BACK, 'unpublish_cms', 'rollback_schema')],
  }),
  check({
    id: 'saga/only-done-undone',
    title: 'must undo neither the step that failed nor those that did not run',
    ...rule,
    level: 'MUST',
    why: 'What another workflow has published is taken offline by one that published nothing.',
    steps: [
      begin([
        generate(),
        publish({ acts: REFUSED }),
        { ...verify(), undo: { tool: 'unpublish_cms', args: { domainName: 'E2E' } } },
      ]),
      untilOver,
    ],
    claims: [ran(['unpublish_cms'])],
  }),
  check({
    id: 'saga/tool-error-fails',
    title: 'must take a result with isError for a failure',
    ...rule,
    level: 'MUST',
    why: 'A failed test is shipped: a failure is dressed as a success.',
    steps: [begin([generate(), verify(TOOL_ERROR)]), untilOver],
    claims: [ran(BACK, 'rollback_schema')],
  }),
  check({
    id: 'saga/undo-tried-again',
    title: 'tries a compensation that failed again, before it goes on to the next',
    ...rule,
    level: 'SHOULD',
    why: 'One hiccup of a server leaves the world half undone.',
    steps: [
      begin([
        generate(),
        publish({ undo: { tool: 'unpublish_cms', args: { domainName: 'MembershipGrade', failTimes: 1 } } }),
        verify(REFUSED),
      ]),
      untilOver,
    ],
    claims: [ran(BACK, 'unpublish_cms', 'unpublish_cms', 'rollback_schema')],
  }),
  check({
    id: 'saga/state-shown',
    title: 'shows that a workflow is COMPENSATING, and then COMPENSATED',
    ...rule,
    level: 'SHOULD',
    why: 'Nobody can tell whether it is safe to begin again.',
    steps: [
      begin([generate(), undoneAfter('while it is undone'), verify(REFUSED)]),
      untilCalled('unpublish_cms'),
      look('while it is undone'),
      untilOver,
    ],
    claims: [inState('COMPENSATING', 'while it is undone'), inState('COMPENSATED')],
  }),
  check({
    id: 'saga/trace-refused',
    title: 'must answer calls of a trace that is being compensated with -32003 and 500',
    ...rule,
    level: 'MUST',
    why: 'An agent goes on building on what is just being torn down.',
    steps: [
      begin([generate(), undoneAfter('in the trace'), verify(REFUSED)]),
      untilCalled('unpublish_cms'),
      traced('in the trace'),
      untilOver,
    ],
    claims: [
      client('in the trace').status(500),
      client('in the trace').error(-32003),
      client('in the trace').sameId(),
      client('in the trace').holds('its data is a problem with type, title, status and detail', e => {
        const data = at(reply(e), 'error.data')
        const missing = ['type', 'title', 'status', 'detail'].filter(name => at(data, name) === undefined)
        return isObject(data) && missing.length === 0 ? undefined : `${show(data)}, without ${missing.join(', ')}`
      }),
      backend('in the trace').never(),
    ],
  }),
  check({
    id: 'saga/other-traces-pass',
    title: 'must let calls of other traces through meanwhile',
    ...rule,
    level: 'MUST',
    why: 'One failed workflow stops all agents.',
    steps: [
      begin([generate(), undoneAfter('in another trace'), verify(REFUSED)]),
      untilCalled('unpublish_cms'),
      traced('in another trace', nonce => `trace-of-another-${nonce}`),
      untilOver,
    ],
    claims: [client('in another trace').succeeds(), backend('in another trace').once()],
  }),
  check({
    id: 'saga/trace-passes-again',
    title: 'must let calls of the trace through when all is undone',
    ...rule,
    level: 'MUST',
    why: 'The agent that was told to wait waits for ever.',
    steps: [begin([generate(), publish(), verify(REFUSED)]), untilOver, traced('afterwards')],
    claims: [client('afterwards').succeeds(), backend('afterwards').once()],
  }),
]
