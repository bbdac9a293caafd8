import { backend } from '../kit/claims.ts'
import { check, suite } from '../kit/define.ts'
import { call, endSession, hideToken, listen, notify, open, start, untilHead } from '../kit/steps.ts'
import type { Evidence, Exchange } from '../kit/types.ts'
import { everyServed, letIn, maskOf, shown } from './auth-tier2/seen.ts'
import { spec } from './spec.ts'

const common = {
  pack: 'mcp',
  level: 'MUST',
  spec: spec('2025-11-25', 'basic/authorization', 'access-token-privilege-restriction'),
  catalogue: ['auth.token-passthrough-forbidden'],
  since: '2025-06-18',
  needs: ['auth', 'intermediary'],
} as const
const withSessions = { ...common, needs: ['auth', 'sessions', 'intermediary'] } as const

const NOTHING = "nothing of the client's token is in the request"

/** Where in the request something of the token is that the client sent with that label. */
const tokenIn =
  (label: string) =>
  ({ request }: Exchange, evidence: Evidence): string | undefined => {
    const mask = maskOf(evidence, label)
    if (mask === undefined) return undefined
    const found = request.headers.find(([, value]) => value.includes(mask))
    if (found) return `the client's token is in ${found[0]}`
    return `${request.path} ${request.body}`.includes(mask) ? 'it is in the address or the body' : undefined
  }

/** The same by another word, for requests that carry no mark of their own. */
const tokenShown = (label: string) => (e: Exchange, evidence: Evidence) =>
  shown(e)?.split(' ').at(-1) === maskOf(evidence, label) ? "it got the client's token" : undefined

/** What the protocol says of tokens, where the platform says the opposite. */
export default suite({
  id: 'authorization',
  title: 'Authorization',
  checks: [
    check({
      ...common,
      id: 'authorization/no-token-passthrough',
      title: "MUST NOT pass the client's token on to a server with a call",
      contradicts: ['auth-tier2/token-on-calls'],
      why: 'A server that is not to be trusted calls others with the tokens of those who called it.',
      steps: [open({ as: 'hello' }), hideToken(), call('burst_target', {}, { as: 'call' })],
      given: [letIn, backend('call').once()],
      claims: [backend('call').holds(NOTHING, tokenIn('call'))],
    }),
    check({
      ...common,
      id: 'authorization/no-token-with-notifications',
      title: "MUST NOT pass the client's token on to a server with a notification",
      contradicts: ['auth-tier2/token-on-notifications'],
      why: 'Tokens are taken out of calls, and every server gets them with what it is told in passing.',
      steps: [open({ as: 'hello' }), hideToken(), notify('notifications/roots/list_changed', {}, { as: 'notice' })],
      given: [letIn, backend('notice').once()],
      claims: [backend('notice').holds(NOTHING, tokenIn('notice'))],
    }),
    check({
      ...withSessions,
      id: 'authorization/no-token-with-streams',
      title: "MUST NOT pass the client's token on to a server with a GET",
      contradicts: ['auth-tier2/token-on-stream'],
      why: 'The streams are forgotten where tokens are taken out of calls.',
      steps: [open({ as: 'hello' }), start(listen({ as: 'stream' })), untilHead('stream')],
      given: [letIn],
      claims: [everyServed('GET', "the server does not get the client's token", tokenShown('stream'))],
    }),
    check({
      ...withSessions,
      id: 'authorization/no-token-with-deletes',
      title: "MUST NOT pass the client's token on to a server with a DELETE",
      contradicts: ['auth-tier2/token-on-delete'],
      why: 'The end of sessions is forgotten where tokens are taken out of calls.',
      steps: [open({ as: 'hello' }), endSession({ as: 'delete' })],
      given: [letIn],
      claims: [everyServed('DELETE', "the server does not get the client's token", tokenShown('delete'))],
    }),
  ],
})
