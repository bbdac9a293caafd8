import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, stringify } from '../../kit/json.ts'
import { isReply, messages, reply, sent } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, request } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { json } from '../answers.ts'
import { spec } from '../spec.ts'

const TOOL_ERRORS = spec('2025-11-25', 'server/tools', 'error-handling')

const answerSaying = (id: string, text: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`

/** What is an error, of which kind, and whose. */
export const kinds: readonly Check[] = [
  check({
    id: 'errors/tool-error-stays-result',
    title: 'gives on a result with isError as a result with isError',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TOOL_ERRORS,
    catalogue: ['errors.kind-not-converted', 'tools.result-is-error-preserved'],
    why: 'Only results are shown to the model: it would never learn what went wrong and could not put it right.',
    steps: [call('fails_as_result')],
    claims: [client().succeeds(), client().status(200)],
  }),
  check({
    id: 'errors/wrong-arguments-stay-result',
    title: 'gives on what a tool says about wrong arguments as the result that it is',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TOOL_ERRORS,
    catalogue: ['tools.input-validation-as-tool-error', 'errors.kind-not-converted'],
    since: '2025-11-25',
    why: 'The model is not told what was wrong with its arguments, and makes the same call again.',
    steps: [call('find__by_email', {})],
    claims: [
      client().succeeds(),
      client().result('isError', true),
      client().holds('the text names the argument', e => {
        const text = at(reply(e), 'result.content.0.text')
        return typeof text === 'string' && text.includes('email') ? undefined : describe(e)
      }),
    ],
  }),
  check({
    id: 'errors/tool-error-content-kept',
    title: 'keeps content and structuredContent of a result with isError',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TOOL_ERRORS,
    catalogue: ['tools.result-is-error-preserved'],
    why: 'It says what was wrong, and when it is worth another try.',
    steps: [call('fails_as_result')],
    claims: [
      unchanged().result('content'),
      unchanged().result('structuredContent'),
      client().result('structuredContent.reason', 'out_of_stock'),
    ],
  }),
  check({
    id: 'errors/error-stays-error',
    title: 'gives on a JSON-RPC error as a JSON-RPC error, not as a result',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TOOL_ERRORS,
    catalogue: ['errors.kind-not-converted', 'errors.no-swallowing'],
    why: 'The client takes it for the answer of the tool, and its code and data are gone.',
    steps: [call('fails_as_error', { code: -32010, message: '승인 대기 중입니다', data: { ticket: 7 } })],
    claims: [client().error(), client().sameId()],
  }),
  check({
    id: 'errors/unknown-tool-is-error',
    title: 'answers a call of an unknown tool with an error',
    pack: 'mcp',
    level: 'SHOULD',
    spec: TOOL_ERRORS,
    catalogue: ['tools.unknown-tool-protocol-error'],
    why: 'A model that has made a tool up believes that it has worked.',
    steps: [call('no_such_tool')],
    claims: [client().error(), client().sameId()],
  }),
  check({
    id: 'errors/unknown-method-32601',
    title: 'MUST answer an unknown method with -32601',
    pack: 'mcp',
    level: 'MUST',
    spec: 'https://www.jsonrpc.org/specification#error_object',
    catalogue: ['errors.standard-codes'],
    why: 'Clients try newer methods and fall back on this code alone; anything else they take for a failure.',
    steps: [request('conformance/no-such-method')],
    claims: [client().error(-32601), client().sameId()],
  }),
  check({
    id: 'errors/wrong-id-is-no-answer',
    title: 'does not take an answer with another id for the answer to the request',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/index', 'result-responses'),
    catalogue: ['errors.backend-garbage', 'envelope.no-response-crosstalk'],
    why: "It is the answer to someone else's request: one customer sees the data of another.",
    steps: [
      call('burst_target', {}, { as: 'JSON', acts: json(answerSaying('"of-someone-else"', 'not for you')) }),
      call(
        'burst_target',
        {},
        {
          as: 'stream',
          acts: [
            { do: 'write', text: `data: ${answerSaying('"of-someone-else"', 'not for you')}\n\n` },
            { do: 'write', text: `data: ${answerSaying('{{id}}', 'for you')}\n\n` },
            { do: 'end' },
          ],
        },
      ),
    ],
    claims: ['JSON', 'stream'].map(label =>
      client(label).holds('nothing that answers another id comes as the answer to the request', e => {
        const id = stringify(at(sent(e), 'id') ?? null)
        const own = messages(e).filter(m => stringify(m['id'] ?? null) === id)
        return own.some(m => at(m, 'result.content.0.text') === 'not for you')
          ? 'the other result, with the id of the request'
          : undefined
      }),
    ) as [Claim, ...Claim[]],
  }),
  check({
    id: 'errors/first-answer-counts',
    title: 'takes the first of two answers to one request for the answer',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    why: 'What a client has acted upon is followed by something else, or never came at all.',
    steps: [
      call(
        'burst_target',
        {},
        {
          acts: [
            { do: 'write', text: `data: ${answerSaying('{{id}}', 'first')}\n\n` },
            { do: 'write', text: `data: ${answerSaying('{{id}}', 'second')}\n\n` },
            { do: 'end' },
          ],
        },
      ),
    ],
    claims: [
      client().holds('the first answer that arrives is the first that was sent', e => {
        const first = messages(e).find(isReply)
        return at(first, 'result.content.0.text') === 'first' ? undefined : describe(e)
      }),
    ],
  }),
]
