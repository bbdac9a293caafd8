import { document, error } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, JsonNumber, json, show } from '../../kit/json.ts'
import { sent } from '../../kit/messages.ts'
import { open } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { BACK, begin, calls, FORWARD, generate, inState, NEEDS, publish, ran, untilOver, verify } from './workflow.ts'

const rule = { pack: 'syncseries', spec: platform('sagas'), needs: NEEDS } as const

/** The server refuses the call. */
export const REFUSED = document(error(-32603, '12개 스텝 중 3번째에서 실패했습니다'))

const EXACT = { note: '회원 등급 🧭', limit: new JsonNumber('9007199254740993') }

/** How a workflow goes forward. */
export const running: readonly Check[] = [
  check({
    id: 'saga/steps-in-order',
    title: 'must run each step of a workflow once, one after the other',
    ...rule,
    level: 'MUST',
    why: 'The site is published before its schema is there, or twice.',
    steps: [begin([generate(), publish(), verify()]), untilOver],
    claims: [client('startSaga').status(200, 299), ran(FORWARD, ...FORWARD), inState('COMPLETED')],
  }),
  check({
    id: 'saga/completed-stands',
    title: 'must not undo a workflow that has succeeded',
    ...rule,
    level: 'MUST',
    why: 'The site goes offline as soon as it is tested.',
    steps: [begin([generate(), publish(), verify()]), untilOver, open({ who: 'another one', on: 'syncboot' })],
    given: [
      claim('backend', 'the last step runs', e => (calls(e, ['run_regression_test']).length ? undefined : 'not')),
    ],
    claims: [ran(BACK)],
  }),
  check({
    id: 'saga/stops-at-failure',
    title: 'must not run the steps behind one that failed',
    ...rule,
    level: 'MUST',
    why: 'What builds on the failed step runs on what is not there.',
    steps: [begin([generate(), publish({ acts: REFUSED }), verify()]), untilOver],
    claims: [ran(FORWARD, 'syncboot_generate_schema', 'publish_cms')],
  }),
  check({
    id: 'saga/arguments-exact',
    title: 'must hand the arguments of steps and compensations to the servers as they were given',
    ...rule,
    level: 'MUST',
    why: 'An order is refunded under a number that is off by one.',
    steps: [
      begin([
        generate(EXACT),
        publish({ undo: { tool: 'unpublish_cms', args: { domainName: '회원등급', ...EXACT } } }),
        verify(REFUSED),
      ]),
      untilOver,
    ],
    claims: ['syncboot_generate_schema', 'unpublish_cms'].map(tool =>
      claim('backend', `${tool} gets its arguments, letter for letter and digit for digit`, evidence => {
        const e = calls(evidence, [tool])[0]
        if (!e) return 'it did not run'
        const args = at(sent(e), 'params.arguments')
        const found = json({ note: at(args, 'note') ?? null, limit: at(args, 'limit') ?? null })
        return sayChanges(differences(json(EXACT), found), 'given', `the server got ${show(args)}:`)
      }),
    ) as [ReturnType<typeof claim>, ...ReturnType<typeof claim>[]],
  }),
  check({
    id: 'saga/start-needs-credentials',
    title: 'must begin workflows for administrators only',
    ...rule,
    level: 'MUST',
    needs: [...NEEDS, 'control-api'],
    why: 'Anyone who reaches the port runs tools with the rights of the gateway.',
    steps: [begin([generate()], { anonymous: true }), open({ who: 'another one', on: 'syncboot' })],
    claims: [client('startSaga').status(401, 403), ran(FORWARD)],
  }),
]
