import { backend, client, unchanged } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { body, call, endSession, listen, open, start, untilStream } from '../../kit/steps.ts'
import type { Check, Claim, ServerName } from '../../kit/types.ts'
import { platform, rfc9110 } from '../spec.ts'

const spec = platform('routing')

/** What the server behind got by this HTTP method, and no other server did. */
const reaches = (method: string, server: ServerName): Claim =>
  claim('backend', `the ${method} reaches the server ${server} alone`, ({ backend: seen }) => {
    const where = [...new Set(seen.filter(e => e.request.method === method).map(e => e.server))]
    if (where.length === 1 && where[0] === server) return undefined
    return where.length ? where.join(' and ') : 'it reached no server'
  })

/** Which server a request finds, by the field and by nothing else. */
export const found: readonly Check[] = [
  check({
    id: 'routing/by-name',
    title: 'sends a request to the server that Mcp-Name names, and to no other',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until: '2026-07-28',
    needs: ['header-routing', 'many-backends'],
    why: 'A refund is asked of the database, and customers are looked for in the code generator.',
    steps: [
      call('echo', {}, { as: 'to crm' }),
      call('echo', {}, { on: 'db', as: 'to db' }),
      call('echo', {}, { on: 'syncboot', as: 'to syncboot' }),
    ],
    claims: [
      backend('to crm').at('crm'),
      backend('to db').at('db'),
      backend('to syncboot').at('syncboot'),
      client('to crm').succeeds(),
      client('to db').succeeds(),
      client('to syncboot').succeeds(),
    ],
  }),
  check({
    id: 'routing/every-method',
    title: 'finds the server for GET and DELETE as it does for POST',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until: '2026-07-28',
    needs: ['header-routing', 'many-backends', 'sessions'],
    why: 'Calls go through, but the stream of the session never opens, and sessions are never ended: they pile up at the server.',
    steps: [
      open({ on: 'db' }),
      start(listen({ on: 'db', as: 'stream' })),
      untilStream('db'),
      endSession({ on: 'db', as: 'end' }),
    ],
    claims: [reaches('GET', 'db'), reaches('DELETE', 'db'), client('end').status(200, 299)],
  }),
  check({
    id: 'routing/field-name-in-any-case',
    title: 'knows the field Mcp-Name in whatever case it is written',
    pack: 'syncseries',
    level: 'MUST',
    spec: rfc9110('5.1'),
    until: '2026-07-28',
    needs: ['header-routing'],
    why: 'Names of fields have no case: every client on HTTP/2, and every proxy that speaks it, writes them small.',
    steps: [call('echo', {}, { as: 'small', headers: { 'mcp-name': 'crm-service' } })],
    claims: [client('small').succeeds(), backend('small').at('crm')],
  }),
  check({
    id: 'routing/body-names-nothing',
    title: 'finds the server by the field alone, whatever the body names',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until: '2026-07-28',
    needs: ['header-routing', 'many-backends'],
    why: 'What a body says is the client’s to choose, and a model writes it: rules for a service that are put in front of the gateway are then walked around.',
    steps: [
      call(
        'echo',
        { 'Mcp-Name': 'db-service', targetAgent: 'db-service' },
        { as: 'two minds', meta: { 'Mcp-Name': 'db-service', targetAgent: 'db-service' } },
      ),
    ],
    claims: [backend('two minds').at('crm'), client('two minds').succeeds()],
  }),
  check({
    id: 'routing/method-field-decides-nothing',
    title: 'relays a request whose field Mcp-Method says something else than its body',
    pack: 'syncseries',
    level: 'SHOULD',
    spec,
    until: '2026-07-28',
    needs: ['header-routing'],
    why: 'The body is not parsed for the route, so it can’t be compared: whoever refuses here has read it all, and is slow.',
    steps: [
      call('echo', {}, { as: 'another method', headers: { 'Mcp-Method': 'resources/read' } }),
      call('echo', {}, { as: 'no method', headers: { 'Mcp-Method': undefined } }),
    ],
    claims: [
      client('another method').succeeds(),
      unchanged('another method').requestHeader('Mcp-Method'),
      client('no method').succeeds(),
    ],
  }),
  check({
    id: 'routing/body-as-sent',
    title: 'hands the body on byte for byte',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until: '2026-07-28',
    needs: ['header-routing', 'http-proxy'],
    why: 'Signatures over bodies break, and numbers that a double can’t hold change on the way.',
    steps: [
      body(
        '\n {"method" : "tools/call",\t"jsonrpc":"2.0", "id":  1e2,"params":{"name":"{{tool:echo}}","arguments":{"nonce":"{{nonce}}","n":9007199254740993,"\\u00e9":"\\u00e9"}}}\n',
        'calls the tool echo in a body with unusual spaces, escapes and numbers',
        { as: 'odd' },
      ),
    ],
    claims: [unchanged('odd').requestBody(), client('odd').succeeds()],
  }),
]
