import { backend, client, unchanged } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, prompt, read } from '../../kit/steps.ts'
import type { Check, Claim, Step } from '../../kit/types.ts'
import { failing, json } from '../answers.ts'
import { spec } from '../spec.ts'

const ERRORS = spec('2025-11-25', 'basic/index', 'error-responses')

/** One call for each value, which the server answers with an error that has it. */
const failsWith = (member: string, values: Readonly<Record<string, unknown>>): [Step, ...Step[]] =>
  Object.entries(values).map(([as, value]) => call('fails_as_error', { code: -32050, [member]: value }, { as })) as [
    Step,
    ...Step[],
  ]

/** The error's member arrives unchanged, in each of these exchanges. */
const kept = (path: string, values: Readonly<Record<string, unknown>>): [Claim, ...Claim[]] =>
  Object.keys(values).map(as => unchanged(as).error(path)) as [Claim, ...Claim[]]

const OWN_CODES = { '-32050': -32050, '-1': -1, 1001: 1001, 2147483647: 2147483647 }
const STANDARD_CODES = { '-32600': -32600, '-32601': -32601, '-32602': -32602, '-32603': -32603, '-32700': -32700 }
const MESSAGES = {
  Korean: '환불 한도를 넘었습니다. 관리자에게 문의하세요 🙏',
  lines: 'first line\nsecond\tline "quoted" \\ and </b>',
  long: '오류 '.repeat(2000),
}
const DATA = {
  text: '상세 내용',
  number: 42.5,
  false: false,
  null: null,
  list: [1, null, { a: [] }],
  empty: {},
}

/** Members that hold numbers beyond 2^53. */
const NUMBERS = [/(^|\.)(limit|big)$/]

/** Errors of a server, on their way to the client. */
export const relayed: readonly Check[] = [
  check({
    id: 'errors/own-codes-kept',
    title: "keeps error codes of the server's own, whatever range they are in",
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.code-preserved'],
    why: 'Clients decide by the code what to do: to ask a person, to wait, or to give up.',
    steps: failsWith('code', OWN_CODES),
    claims: kept('code', OWN_CODES),
  }),
  check({
    id: 'errors/standard-codes-kept',
    title: 'keeps the standard error codes that a server gives',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.code-preserved'],
    why: 'Wrong parameters that arrive as an internal error are sent again, just as wrong, instead of being put right.',
    steps: failsWith('code', STANDARD_CODES),
    claims: kept('code', STANDARD_CODES),
  }),
  check({
    id: 'errors/message-kept',
    title: 'keeps the message of an error to the letter',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.message-data-preserved'],
    why: 'It is what the user reads, and what a model tries to make sense of.',
    steps: failsWith('message', MESSAGES),
    claims: kept('message', MESSAGES),
  }),
  check({
    id: 'errors/problem-kept',
    title: 'keeps the data of an error, with every member and text in it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.message-data-preserved'],
    why: 'The ticket that a person must approve, or the fields that were wrong, stand only there.',
    steps: [call('fails_as_error')],
    claims: [
      unchanged(undefined, { ignore: NUMBERS }).error('data'),
      client().holds('data.approvalTicketId is "ticket-hitl-88219"', e => {
        const ticket = at(reply(e), 'error.data.approvalTicketId')
        return ticket === 'ticket-hitl-88219' ? undefined : show(ticket)
      }),
    ],
  }),
  check({
    id: 'errors/numbers-in-data-kept',
    title: 'keeps the numbers in the data of an error, also those beyond 2^53',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['envelope.number-fidelity'],
    why: 'Ids of orders and tickets are such numbers; a rounded one is that of another order.',
    steps: [call('fails_as_error')],
    claims: [
      client().error(),
      unchanged().holds(
        'client',
        'violations.0.limit, where it arrives, is the number that the server sent',
        (c, b) => {
          const [from, to] = [b, c].map(e => at(reply(e), 'error.data.violations.0.limit'))
          return to === undefined ? undefined : sayChanges(differences(from, to), 'the server sent', 'the client got')
        },
      ),
    ],
  }),
  check({
    id: 'errors/data-of-any-type-kept',
    title: 'keeps the data of an error that is text, a number, a list, false, null or empty',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.message-data-preserved'],
    why: 'Data may be any JSON; what is no object gets lost where it is read into one.',
    steps: failsWith('data', DATA),
    claims: kept('data', DATA),
  }),
  check({
    id: 'errors/no-data-invented',
    title: 'adds no data to an error that has none',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.message-data-preserved'],
    why: 'A client that finds data there takes it for what the server wants to tell it.',
    steps: [call('burst_target', {}, { acts: json(failing(-32050, 'no more than this')) })],
    given: [
      backend().holds('the server sends an error without data', e =>
        at(reply(e), 'error.code') !== undefined && at(reply(e), 'error.data') === undefined ? undefined : describe(e),
      ),
    ],
    claims: [
      client().error(),
      client().holds('the error has no data', e => {
        const data = at(reply(e), 'error.data')
        return data === undefined ? undefined : show(data)
      }),
    ],
  }),
  check({
    id: 'errors/url-elicitation-kept',
    title: 'gives on -32042 with the URLs to visit',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'client/elicitation', 'url-elicitation-required-error'),
    catalogue: ['elicitation.url-required-error-relayed'],
    since: '2025-11-25',
    until: '2026-07-28',
    why: 'The user is never asked to sign in, and the tool fails for ever.',
    steps: [
      call('fails_as_error', {
        code: -32042,
        message: '로그인이 필요합니다',
        data: {
          elicitations: [
            {
              mode: 'url',
              elicitationId: '550e8400-e29b-41d4-a716-446655440000',
              url: 'https://crm.example/connect?next=%2F%ED%99%98%EB%B6%88&elicitationId=550e8400',
              message: 'CRM 계정을 연결하세요',
            },
          ],
        },
      }),
    ],
    claims: [unchanged().error('code'), unchanged().error('data')],
  }),
  check({
    id: 'errors/failed-read-is-no-success',
    title: 'does not give on a failed read or prompt as an empty success',
    pack: 'mcp',
    level: 'SHOULD',
    spec: ERRORS,
    catalogue: ['errors.no-swallowing'],
    needs: ['resources', 'prompts'],
    why: 'The model goes on with nothing as if nothing were there: no customers, no orders.',
    steps: [
      read('crm://customers', { as: 'read', acts: json(failing(-32000, 'the database is gone')) }),
      prompt('no_arguments', {}, { as: 'prompt', acts: json(failing(-32000, 'the database is gone')) }),
    ],
    given: ['read', 'prompt'].map(label =>
      backend(label).holds('the server answers with an error', e =>
        at(reply(e), 'error') === undefined ? describe(e) : undefined,
      ),
    ),
    claims: [client('read').error(), client('prompt').error()],
  }),
]
