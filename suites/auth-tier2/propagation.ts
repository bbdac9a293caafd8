import { unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { clientExchange } from '../../kit/messages.ts'
import {
  call,
  endSession,
  listen,
  notify,
  open,
  request,
  start,
  together,
  untilHead,
  withToken,
} from '../../kit/steps.ts'
import type { Check, Evidence, Exchange } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { everyServed, letIn, shown } from './seen.ts'

const common = {
  pack: 'syncseries',
  level: 'MUST',
  spec: platform('tier-1-the-gateway'),
  needs: ['auth', 'token-propagation', 'intermediary'],
} as const
const withSessions = { ...common, needs: ['auth', 'token-propagation', 'sessions', 'intermediary'] } as const

/** The same token as the client sent with that label. */
const asIn = (label: string) => (e: Exchange, evidence: Evidence) => {
  const sent = shown(clientExchange(evidence, label))
  return shown(e) === sent ? undefined : `the client sent ${sent}, the server got ${shown(e) ?? 'none'}`
}

/** The client's token goes on to the server. */
export const propagation: readonly Check[] = [
  check({
    ...common,
    id: 'auth-tier2/token-on-calls',
    title: 'sends the token of a call on to the server byte for byte',
    contradicts: ['authorization/no-token-passthrough'],
    why: 'The server cannot verify the token, or takes the call for that of the gateway.',
    steps: [open({ as: 'hello' }), call('echo', { text: 'whose' }, { as: 'call' })],
    given: [letIn],
    claims: [unchanged('call').requestHeader('Authorization')],
  }),
  check({
    ...common,
    id: 'auth-tier2/token-on-notifications',
    title: 'sends the token of a notification on to the server byte for byte',
    contradicts: ['authorization/no-token-with-notifications'],
    why: 'The server does not know who cancels, and refuses.',
    steps: [open({ as: 'hello' }), notify('notifications/roots/list_changed', {}, { as: 'notice' })],
    given: [letIn],
    claims: [unchanged('notice').requestHeader('Authorization')],
  }),
  check({
    ...withSessions,
    id: 'auth-tier2/token-on-stream',
    title: 'sends the token of a GET on to the server byte for byte',
    contradicts: ['authorization/no-token-with-streams'],
    why: 'The server does not open the stream: what it sends of its own accord reaches nobody.',
    steps: [open({ as: 'hello' }), start(listen({ as: 'stream' })), untilHead('stream')],
    given: [letIn],
    claims: [everyServed('GET', 'the server gets the token with the GET', asIn('stream'))],
  }),
  check({
    ...withSessions,
    id: 'auth-tier2/token-on-delete',
    title: 'sends the token of a DELETE on to the server byte for byte',
    contradicts: ['authorization/no-token-with-deletes'],
    why: 'The server keeps sessions that their owners have ended.',
    steps: [open({ as: 'hello' }), endSession({ as: 'delete' })],
    given: [letIn],
    claims: [everyServed('DELETE', 'the server gets the token with the DELETE', asIn('delete'))],
  }),
  check({
    ...common,
    id: 'auth-tier2/token-of-the-request',
    title: 'sends the token of the request on, not the one that the session was begun with',
    why: 'After a token was renewed the server still gets the old one: an hour later nothing works any more.',
    steps: [
      open({ as: 'hello' }),
      request('tools/list', {}, { as: 'before' }),
      withToken({ claims: { renewed: true } }, 'a new token'),
      request('tools/list', {}, { as: 'after' }),
    ],
    given: [letIn],
    claims: [unchanged('after').requestHeader('Authorization')],
  }),
  check({
    ...common,
    id: 'auth-tier2/tokens-apart',
    title: 'keeps the tokens of two clients apart that call at the same time',
    why: 'One does what only the other may do.',
    steps: [
      open({ as: 'hello' }),
      open({ who: 'b', as: 'hello of b' }),
      together(request('resources/list', {}, { as: 'of a' }), request('resources/list', {}, { who: 'b', as: 'of b' })),
    ],
    given: [letIn],
    claims: [unchanged('of a').requestHeader('Authorization'), unchanged('of b').requestHeader('Authorization')],
  }),
]
