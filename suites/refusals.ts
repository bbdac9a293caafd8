import { group } from '../kit/claims/group.ts'
import { client } from '../kit/claims.ts'
import { check, suite } from '../kit/define.ts'
import { describe } from '../kit/session.ts'
import { call } from '../kit/steps.ts'
import type { Claim } from '../kit/types.ts'
import { readSized, sentAtLeast } from './breaker-payload/sized.ts'
import { isRefused, rested, restMs, rpcErrorWithId, small, tooMany } from './breakers.ts'
import { spec } from './spec.ts'

const common = {
  pack: 'mcp',
  level: 'SHOULD',
  spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
  catalogue: ['errors.gateway-origin-is-jsonrpc', 'envelope.id-echo'],
} as const

/** It is refused, with whatever body. */
const turnedAway = (label: string): Claim =>
  client(label).holds('the request is refused', e => ((e.response?.status ?? 0) >= 400 ? undefined : describe(e)))

/** What the protocol says of requests that a gateway itself refuses, where the platform has bodies of its own. */
export default suite({
  id: 'refusals',
  title: 'Refusals of the gateway itself',
  checks: [
    check({
      ...common,
      id: 'refusals/rate-is-rpc-error',
      title: 'refuses a request beyond its rate with a JSON-RPC error that has the id of the request',
      needs: ['rate-guard', 'intermediary'],
      contradicts: ['breaker-rate/seed-body'],
      waits: restMs,
      why: 'Clients drop an answer without the id of a request, and the call waits until its time is up.',
      steps: [...rested(), tooMany('burst')],
      given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
      claims: [group('burst').each('each refusal is a JSON-RPC error with the id', isRefused, rpcErrorWithId)],
    }),
    check({
      ...common,
      id: 'refusals/payload-is-rpc-error',
      title: 'refuses a request after a large read with a JSON-RPC error that has the id of the request',
      needs: ['payload-guard', 'http-backend', 'intermediary'],
      contradicts: ['breaker-payload/seed-body'],
      why: 'Clients drop an answer without the id of a request, and nobody hears why the agent stands still.',
      steps: [readSized({ share: 1.5, of: 'text' }), small('next call')],
      given: [sentAtLeast(1), turnedAway('next call')],
      claims: [client('next call').holds('the refusal is a JSON-RPC error with the id', rpcErrorWithId)],
    }),
    check({
      ...common,
      id: 'refusals/unknown-service-is-rpc-error',
      title:
        'refuses a request for a service that it does not know with a JSON-RPC error that has the id of the request',
      until: '2026-07-28',
      needs: ['header-routing', 'intermediary'],
      contradicts: ['routing/unknown-502'],
      why: 'A name with a typo in it looks like a server that does not answer.',
      steps: [call('burst_target', {}, { as: 'unknown', headers: { 'Mcp-Name': 'no-such-service' } })],
      given: [turnedAway('unknown')],
      claims: [client('unknown').holds('it is a JSON-RPC error with the id of the request', rpcErrorWithId)],
    }),
    check({
      ...common,
      id: 'refusals/nameless-is-rpc-error',
      title: 'refuses a request that names no service with a JSON-RPC error that has the id of the request',
      until: '2026-07-28',
      needs: ['header-routing', 'intermediary'],
      contradicts: ['routing/missing-400'],
      why: 'A client of the protocol does not know the field, and shows its user nothing of what it lacks.',
      steps: [call('burst_target', {}, { as: 'nameless', headers: { 'Mcp-Name': undefined } })],
      given: [turnedAway('nameless')],
      claims: [client('nameless').holds('it is a JSON-RPC error with the id of the request', rpcErrorWithId)],
    }),
  ],
})
