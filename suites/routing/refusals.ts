import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { describe } from '../../kit/session.ts'
import { call } from '../../kit/steps.ts'
import type { Check, Claim, Feature } from '../../kit/types.ts'
import { bodyIs, roundTrip, rpcErrorWithId } from '../breakers.ts'
import { platform } from '../spec.ts'

const spec = platform('routing')
const until = '2026-07-28'
const header: Feature = 'header-routing'

const unknown = call('echo', {}, { as: 'unknown', headers: { 'Mcp-Name': 'no-such-service' } })
const missing = call('echo', {}, { as: 'nameless', headers: { 'Mcp-Name': undefined } })

const refused = (label: string): [Claim, Claim] => [
  client(label).holds('the request is refused', e => {
    const status = e.response?.status ?? 0
    return status >= 400 && status < 600 ? undefined : describe(e)
  }),
  backend(label).never(),
]

/** The refusal is the platform's own, to the letter. */
const answeredBy = (label: string, status: number, error: string): [Claim, ...Claim[]] => [
  client(label).status(status),
  client(label).header('Content-Type', /^application\/json\b/),
  client(label).holds('the body is that of the platform', e => bodyIs(e, { error })),
]

/** Requests that have no server. */
export const refusals: readonly Check[] = [
  check({
    id: 'routing/unknown-refused',
    title: 'refuses a request for a service that it does not know, and asks no server',
    pack: 'policy',
    level: 'MUST',
    spec,
    until,
    needs: [header],
    why: 'A name with a typo in it reaches whichever server happens to be the default, which does what it was never asked for.',
    steps: [unknown, roundTrip],
    claims: refused('unknown'),
  }),
  check({
    id: 'routing/unknown-502',
    title: 'answers a request for an unknown service with 502 and the body of the platform',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until,
    needs: [header, 'seed-errors'],
    contradicts: ['refusals/unknown-service-is-rpc-error'],
    why: 'Clients of the platform tell by status and body that a service is not there, from one that has failed.',
    steps: [unknown],
    claims: answeredBy('unknown', 502, 'Route not found for Mcp-Name'),
  }),
  check({
    id: 'routing/unknown-rpc',
    title: 'answers a request for an unknown service with a JSON-RPC error that has its id',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    until,
    needs: [header, 'rpc-errors'],
    why: 'A client waits for the answer with its id: anything else looks as if none had come.',
    steps: [unknown],
    claims: [client('unknown').holds('it is a JSON-RPC error with the id of the request', rpcErrorWithId)],
  }),
  check({
    id: 'routing/missing-refused',
    title: 'refuses a request without Mcp-Name, and asks no server',
    pack: 'policy',
    level: 'MUST',
    spec,
    until,
    needs: [header],
    why: 'A client that forgets the field talks to a server that somebody else chose.',
    steps: [missing, roundTrip],
    claims: refused('nameless'),
  }),
  check({
    id: 'routing/missing-400',
    title: 'answers a request without Mcp-Name with 400 and the body of the platform',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    until,
    needs: [header, 'seed-errors'],
    contradicts: ['refusals/nameless-is-rpc-error'],
    why: 'Clients of the platform tell by status and body that it is they who forgot something.',
    steps: [missing],
    claims: answeredBy('nameless', 400, 'Missing Mcp-Name header'),
  }),
  check({
    id: 'routing/missing-rpc',
    title: 'answers a request without Mcp-Name with a JSON-RPC error that has its id',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    until,
    needs: [header, 'rpc-errors'],
    why: 'A client waits for the answer with its id: anything else looks as if none had come.',
    steps: [missing],
    claims: [client('nameless').holds('it is a JSON-RPC error with the id of the request', rpcErrorWithId)],
  }),
  check({
    id: 'routing/empty-refused',
    title: 'refuses a request whose Mcp-Name is empty, and asks no server',
    pack: 'policy',
    level: 'MUST',
    spec,
    until,
    needs: [header],
    why: 'A client whose setting is empty sends an empty field, and a gateway that takes it for none falls back to some server.',
    steps: [call('echo', {}, { as: 'empty', headers: { 'Mcp-Name': '' } }), roundTrip],
    claims: refused('empty'),
  }),
  check({
    id: 'routing/whole-name',
    title: 'compares the whole name of a service',
    pack: 'policy',
    level: 'MUST',
    spec,
    until,
    needs: [header],
    why: 'A pattern that matches the beginning lets crm-service-test reach the real one, and refunds are tested on customers.',
    steps: [
      call('echo', {}, { as: 'longer', headers: { 'Mcp-Name': 'crm-service-test' } }),
      call('echo', {}, { as: 'shorter', headers: { 'Mcp-Name': 'crm-servic' } }),
      roundTrip,
    ],
    claims: [...refused('longer'), ...refused('shorter')],
  }),
  check({
    id: 'routing/two-names',
    title: 'sends a request with two fields Mcp-Name to one server at most',
    pack: 'policy',
    level: 'MUST',
    spec,
    until,
    needs: [header, 'many-backends'],
    why: 'One call is made twice, at two servers, and only one of them is in the record.',
    steps: [call('echo', {}, { as: 'two names', headers: { 'Mcp-Name': ['crm-service', 'db-service'] } }), roundTrip],
    claims: [
      backend('two names').all('the request reaches one server at most', seen =>
        seen.length > 1 ? `it reached ${seen.map(e => e.server).join(' and ')}` : undefined,
      ),
      client('two names').whole(),
    ],
  }),
]
