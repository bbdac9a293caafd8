import { document, result } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, type Json } from '../../kit/json.ts'
import { reply, sent } from '../../kit/messages.ts'
import { body, call, prompt, read } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const META = {
  'com.example.kit/trace': { hop: 7, 경로: ['가', '나'], none: null },
  'example.org/flag': false,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  callerAgent: 'SyncVerse',
  timeoutMs: 3000,
  'com.example.kit/nothing': null,
}
const UNKNOWN = { note: '모르는 필드', deep: [{ a: [null] }], no: false }

/** The member "x-unknown" of a message, here and there. */
const same = (from: Json | undefined, to: Json | undefined): string | undefined =>
  sayChanges(differences(at(from, 'x-unknown'), at(to, 'x-unknown')), 'sent', 'got')

const meta = spec('2025-11-25', 'basic', '_meta')

/** Members that nobody has to know: metadata and extensions. */
export const members: readonly Check[] = [
  check({
    id: 'envelope/meta-of-calls-kept',
    title: 'hands on the _meta of a tool call, of whatever namespace',
    pack: 'mcp',
    level: 'SHOULD',
    spec: meta,
    catalogue: ['envelope.meta-request-preserved'],
    why: 'Traces, deadlines and budgets travel there. Where they are lost, nobody sees it until they are needed.',
    steps: [call('echo', {}, { meta: META })],
    claims: [unchanged().params('_meta')],
  }),
  check({
    id: 'envelope/meta-of-reads-kept',
    title: 'hands on the _meta of a request to read a resource',
    pack: 'mcp',
    level: 'SHOULD',
    spec: meta,
    catalogue: ['envelope.meta-request-preserved'],
    needs: ['resources'],
    why: 'Gateways that hand it on for tool calls have forgotten it for resources.',
    steps: [read('crm://customers', { meta: META })],
    claims: [unchanged().params('_meta')],
  }),
  check({
    id: 'envelope/meta-of-prompts-kept',
    title: 'hands on the _meta of a request for a prompt',
    pack: 'mcp',
    level: 'SHOULD',
    spec: meta,
    catalogue: ['envelope.meta-request-preserved'],
    needs: ['prompts'],
    why: 'Gateways that hand it on for tool calls have forgotten it for prompts.',
    steps: [prompt('no_arguments', {}, { meta: META })],
    claims: [unchanged().params('_meta')],
  }),
  check({
    id: 'envelope/meta-of-results-kept',
    title: 'hands on the _meta of a result, of whatever namespace',
    pack: 'mcp',
    level: 'SHOULD',
    spec: meta,
    catalogue: ['envelope.meta-result-preserved'],
    why: 'Costs, durations and traces of the server travel there.',
    steps: [
      call('slow', {}, { as: 'a success', acts: document(result({ content: [], _meta: META })) }),
      call('slow', {}, { as: 'a failure', acts: document(result({ content: [], isError: true, _meta: META })) }),
    ],
    claims: [
      unchanged('a success').result('_meta'),
      unchanged('a failure').result('_meta'),
      client('a success').result('_meta.timeoutMs', 3000),
    ],
  }),
  check({
    id: 'envelope/unknown-members-kept',
    title: 'hands on members of params and results that no revision knows',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'basic', 'result-responses'),
    catalogue: ['envelope.unknown-members-preserved'],
    why: 'Extensions and later revisions add members; a gateway that drops them must be changed before anyone can use those.',
    steps: [
      call('echo', {}, { extra: { 'x-unknown': UNKNOWN }, as: 'with an unknown parameter' }),
      call('slow', {}, { as: 'answered with more', acts: document(result({ content: [], 'x-unknown': UNKNOWN })) }),
    ],
    claims: [
      unchanged('with an unknown parameter').params('x-unknown'),
      unchanged('answered with more').result('x-unknown'),
      client('answered with more').result('x-unknown.note', '모르는 필드'),
    ],
  }),
  check({
    id: 'envelope/unknown-top-level-kept',
    title: 'hands on members beside method and params, and beside result',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'basic', 'messages'),
    catalogue: ['envelope.unknown-members-preserved'],
    needs: ['http-proxy'],
    why: 'A gateway that says that it passes messages on as they are has them all the same taken apart.',
    steps: [
      body(
        `{"jsonrpc":"2.0","id":"top-1","x-unknown":{"kept":[1.0,null]},"method":"tools/call","params":` +
          `{"name":"{{tool:slow}}","arguments":{"nonce":"{{nonce}}"}}}`,
        'calls a tool with a member "x-unknown" beside the params',
        {
          acts: document('{"jsonrpc":"2.0","id":{{id}},"x-unknown":{"kept":"있음"},"result":{"content":[]}}'),
        },
      ),
    ],
    claims: [
      unchanged().holds('backend', '"x-unknown" reaches the server as the client sent it', (c, b) =>
        same(sent(c), sent(b)),
      ),
      unchanged().holds('client', '"x-unknown" arrives as the server sent it', (c, b) => same(reply(b), reply(c))),
    ],
  }),
  check({
    id: 'envelope/empty-arguments-kept',
    title: 'keeps null and empty values in arguments apart from what is not there',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    catalogue: ['envelope.null-vs-absent-preserved', 'envelope.content-integrity'],
    why: '"Set it to nothing" and "leave it alone" are two orders, and the server gets the wrong one.',
    steps: [
      call('echo', {
        text: '',
        list: [],
        object: {},
        none: null,
        no: false,
        zero: 0,
        '': 'unnamed',
        deep: [[], {}, [null]],
      }),
    ],
    claims: [unchanged().params('arguments')],
  }),
  check({
    id: 'envelope/empty-results-kept',
    title: 'keeps null and empty values in results apart from what is not there',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/tools', 'structured-content'),
    catalogue: ['envelope.null-vs-absent-preserved', 'envelope.content-integrity'],
    why: 'Clients go over a list that is empty, and fall over one that is null.',
    steps: [call('empty_values')],
    claims: [
      unchanged().result('content'),
      unchanged().result('structuredContent'),
      client().result('structuredContent.array', []),
    ],
  }),
]
