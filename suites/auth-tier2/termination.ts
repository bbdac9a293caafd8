import { backend } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, endSession, hideToken, listen, open, request, start, untilHead } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { everyServed, letIn, maskOf, shown } from './seen.ts'

const common = {
  pack: 'syncseries',
  level: 'MUST',
  spec: spec('2025-11-25', 'basic/authorization', 'token-handling'),
  needs: ['auth', 'token-termination', 'intermediary'],
} as const
const withSessions = { ...common, needs: ['auth', 'token-termination', 'sessions', 'intermediary'] } as const

/** The client's token stops at the gateway. */
export const termination: readonly Check[] = [
  check({
    ...common,
    id: 'auth-tier2/token-stops',
    title: "sends the client's token to no server, in no field and no body",
    why: 'A server that is not to be trusted calls others with the tokens of those who called it.',
    steps: [open({ as: 'hello' }), hideToken(), call('echo', { text: 'whose' }, { as: 'call' })],
    given: [letIn],
    claims: [
      backend('call').all('nothing of the token is in the request', (seen, evidence) => {
        const mask = maskOf(evidence, 'call')
        if (!seen[0]) return 'nothing of it reached the server'
        if (mask === undefined) return undefined
        const { headers, body, path } = seen[0].request
        const found = headers.find(([, value]) => value.includes(mask))
        if (found) return `${found[0]} holds it`
        return `${path} ${body}`.includes(mask) ? 'the address or the body holds it' : undefined
      }),
    ],
  }),
  check({
    ...common,
    id: 'auth-tier2/own-token-shown',
    title: 'shows the server a token of its own in place of that of the client',
    level: 'SHOULD',
    why: 'The server cannot tell the gateway from a stranger.',
    steps: [open({ as: 'hello' }), request('tools/list', {}, { as: 'list' })],
    given: [letIn],
    claims: [
      backend('list').holds('the server gets a token of the gateway', (e, evidence) => {
        const got = shown(e)
        if (got === undefined) return 'no Authorization'
        return got.split(' ').at(-1) === maskOf(evidence, 'list') ? "the client's token" : undefined
      }),
    ],
  }),
  check({
    ...withSessions,
    id: 'auth-tier2/token-stops-on-stream',
    title: "sends the client's token to no server with a GET",
    why: 'The streams are forgotten where tokens are taken out of calls.',
    steps: [open({ as: 'hello' }), start(listen({ as: 'stream' })), untilHead('stream')],
    given: [letIn],
    claims: [
      everyServed('GET', "the server does not get the client's token with the GET", (e, evidence) =>
        shown(e)?.split(' ').at(-1) === maskOf(evidence, 'stream') ? "it got the client's token" : undefined,
      ),
    ],
  }),
  check({
    ...withSessions,
    id: 'auth-tier2/token-stops-on-delete',
    title: "sends the client's token to no server with a DELETE",
    why: 'The end of sessions is forgotten where tokens are taken out of calls.',
    steps: [open({ as: 'hello' }), endSession({ as: 'delete' })],
    given: [letIn],
    claims: [
      everyServed('DELETE', "the server does not get the client's token with the DELETE", (e, evidence) =>
        shown(e)?.split(' ').at(-1) === maskOf(evidence, 'delete') ? "it got the client's token" : undefined,
      ),
    ],
  }),
]
