import { client, unchanged } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const structured = spec('2025-11-25', 'server/tools', 'structured-content')

/** Absent says the same as false. */
const noError = (label: string) =>
  client(label).holds('the answer is a result, and isError is not true', e =>
    at(reply(e), 'result') !== undefined && at(reply(e), 'result.isError') !== true ? undefined : describe(e),
  )

/** What comes back from a call, beside its content. */
export const results: readonly Check[] = [
  check({
    id: 'tools/structured-content-kept',
    title: 'hands on structured content',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: structured,
    catalogue: ['tools.result-structured-content-preserved'],
    why: 'A client that was promised an output schema refuses a result without structured content.',
    steps: [
      call('structured_output', {}, { as: 'with a schema' }),
      call('structured_variants', { variant: 'nested' }, { as: 'nested' }),
    ],
    claims: [
      unchanged('with a schema').result('structuredContent'),
      client('with a schema').result('structuredContent.tags', ['vip', '재구매']),
      unchanged('nested').result('structuredContent'),
    ],
  }),
  check({
    id: 'tools/structured-content-absent',
    title: 'keeps empty structured content apart from none',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: structured,
    catalogue: ['tools.result-structured-content-preserved'],
    why: 'A made up {} does not fit the output schema; a lost {} is missing where the schema asks for one.',
    steps: [
      call('structured_variants', { variant: 'empty' }, { as: 'empty' }),
      call('structured_variants', { variant: 'absent' }, { as: 'absent' }),
    ],
    claims: [
      client('empty').result('structuredContent', {}),
      client('absent').succeeds(),
      client('absent').holds('there is no structuredContent in the answer', e => {
        const found = at(reply(e), 'result.structuredContent')
        return found === undefined ? undefined : sayChanges(differences(undefined, found), 'expected', 'got')
      }),
    ],
  }),
  check({
    id: 'tools/content-beside-null',
    title: 'hands on the content of a result whose structured content is null',
    pack: 'mcp',
    level: 'MAY',
    since: '2025-06-18',
    spec: structured,
    catalogue: ['tools.result-content-preserved'],
    why: 'Some servers write null where there is nothing; a gateway that then drops the text leaves the agent with an empty answer.',
    steps: [call('structured_variants', { variant: 'null' })],
    claims: [client().result('content.0.text', '이 글은 남아야 합니다')],
  }),
  check({
    id: 'tools/success-stays-success',
    title: 'makes no failure of a result that is none',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'error-handling'),
    catalogue: ['tools.result-is-error-preserved'],
    why: 'An agent that reads of a failure does again what has been done already.',
    steps: [
      call('echo', { text: 'no errors found' }, { as: 'isError is false' }),
      call('hints_empty', {}, { as: 'isError is absent' }),
    ],
    claims: [noError('isError is false'), noError('isError is absent')],
  }),
]
