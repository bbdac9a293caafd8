import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { body, call, open, read, request, withToken } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { ANSWER, CALL, CUSTOMERS, REFUND, REFUNDED, TRACE, USAGE } from './documents.ts'

const common = {
  pack: 'syncseries',
  level: 'MUST',
  spec: platform('envelope'),
  needs: ['header-routing', 'many-backends'],
} as const
const letter = { ...common, needs: ['header-routing', 'many-backends', 'http-backend', 'http-proxy'] } as const

const asWritten = body(CALL, "sends the call of the platform's documents", {
  on: 'syncboot',
  headers: { 'Mcp-Method': 'tools/call' },
})

const traced = Object.entries(TRACE).map(([name, value]) => backend().message(['params', '_meta', name], value)) as [
  Claim,
  ...Claim[],
]

/** Requests of the documents, each through the field Mcp-Name. */
export const calls: readonly Check[] = [
  check({
    ...letter,
    id: 'dialect/call-to-the-letter',
    title: "sends the call of the platform's documents on byte for byte, to the service that Mcp-Name names",
    why: 'Who looks into the body on the way writes it anew, and what is written anew is another call.',
    steps: [asWritten],
    claims: [backend().at('syncboot'), unchanged().requestBody(), unchanged().requestHeader('Mcp-Method')],
  }),
  check({
    ...letter,
    id: 'dialect/answer-to-the-letter',
    title: "passes the answer of the platform's documents on byte for byte: Korean text, SQL and the id",
    why: 'The agent writes the SQL to a file as it comes: one line break that is lost, and no table is made.',
    steps: [asWritten],
    claims: [
      unchanged().responseBody(),
      client().sameId(),
      client().result('content', ANSWER.content),
      client().result('isError', ANSWER.isError),
    ],
  }),
  check({
    ...common,
    id: 'dialect/trace-kept',
    title: 'sends traceId, callerAgent, targetAgent and timeoutMs of _meta on to the server',
    why: 'What one agent asked of another can no longer be put together from their records.',
    steps: [call('syncboot_generate_schema', { domainName: 'Trace', fields: [] }, { on: 'syncboot', meta: TRACE })],
    claims: traced,
  }),
  check({
    ...common,
    id: 'dialect/usage-kept',
    title: 'passes executionTimeMs and tokenUsage of _meta on to the client',
    why: 'Nobody can count tokens that nobody is told of: the bill at the end of the month is the first to say.',
    steps: [call('syncboot_generate_schema', { domainName: 'Usage', fields: [] }, { on: 'syncboot' })],
    claims: [
      client().result('_meta.executionTimeMs', USAGE.executionTimeMs),
      client().result('_meta.tokenUsage', USAGE.tokenUsage),
    ],
  }),
  check({
    ...common,
    id: 'dialect/read-by-service',
    title: 'reads crm://customers from the database where Mcp-Name is db-service, whatever the address says',
    why: 'The field chooses the server: two servers know this address, and the other one has other customers.',
    steps: [read('crm://customers', { on: 'db' })],
    claims: [
      backend().at('db'),
      client().result('contents', [{ uri: 'crm://customers', mimeType: 'application/json', text: CUSTOMERS }]),
    ],
  }),
  check({
    ...common,
    id: 'dialect/refund-to-the-letter',
    title: "passes the refund of the platform's documents on, arguments and answer to the letter",
    needs: ['header-routing', 'auth', 'token-propagation', 'http-proxy'],
    why: 'The reason stands in the books: an auditor reads it there years later.',
    steps: [
      withToken({ claims: { roles: ['crm_admin'] } }, 'a token with the role crm_admin'),
      open({ as: 'hello' }),
      request('tools/call', { name: 'approve_refund', arguments: REFUND }, { on: 'crm', as: 'refund', id: 3 }),
    ],
    given: [client('hello').succeeds()],
    claims: [
      backend('refund').at('crm'),
      backend('refund').message('params.arguments', REFUND),
      client('refund').sameId(),
      client('refund').result('content', [{ type: 'text', text: REFUNDED }]),
      client('refund').result('isError', false),
    ],
  }),
]
