import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, endSession, listen, notify, open, request, showing, start, untilHead } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform, spec } from '../spec.ts'
import { letIn, noServerGot, refused } from './seen.ts'

const RULES = platform('tier-1-the-gateway')
const anonymous = { Authorization: undefined }
const common = { pack: 'syncseries', level: 'MUST', spec: RULES, needs: ['auth', 'intermediary'] } as const

/** Requests without a token: of every kind, and with something else in its place. */
export const missing: readonly Check[] = [
  check({
    ...common,
    id: 'auth-tier1/handshake-needs-token',
    title: 'lets nobody begin a session without a token',
    why: 'Strangers open sessions with the servers, and learn what they are and can do.',
    steps: [open({ as: 'hello', headers: anonymous })],
    claims: refused('hello'),
  }),
  check({
    ...common,
    id: 'auth-tier1/call-needs-token',
    title: 'answers a call without a token with 401, also in a session that was begun with one',
    why: 'A session id that was seen in a log or guessed is enough to call tools in the name of another.',
    steps: [open({ as: 'hello' }), call('echo', { text: 'anonymous' }, { as: 'call', headers: anonymous })],
    given: [letIn],
    claims: refused('call'),
  }),
  check({
    ...common,
    id: 'auth-tier1/notification-needs-token',
    title: 'takes no notification without a token',
    why: 'Strangers cancel the calls of others.',
    steps: [
      open({ as: 'hello' }),
      notify('notifications/cancelled', { requestId: 1, reason: 'a stranger' }, { as: 'notice', headers: anonymous }),
    ],
    given: [letIn],
    claims: refused('notice'),
  }),
  check({
    ...common,
    id: 'auth-tier1/stream-needs-token',
    title: 'opens no stream by GET without a token',
    needs: ['auth', 'sessions', 'intermediary'],
    why: 'Strangers read along what the server sends to another.',
    steps: [open({ as: 'hello' }), start(listen({ as: 'stream', headers: anonymous })), untilHead('stream')],
    given: [letIn],
    claims: [client('stream').status(401), noServerGot('GET')],
  }),
  check({
    ...common,
    id: 'auth-tier1/delete-needs-token',
    title: 'ends no session by DELETE without a token',
    needs: ['auth', 'sessions', 'intermediary'],
    why: 'Strangers end the sessions of others.',
    steps: [open({ as: 'hello' }), endSession({ as: 'delete', headers: anonymous })],
    given: [letIn],
    claims: [client('delete').status(401), noServerGot('DELETE')],
  }),
  check({
    ...common,
    id: 'auth-tier1/other-scheme-refused',
    title: 'takes no other scheme for a token: Basic is refused',
    why: 'A name and a password that nobody verified open the servers.',
    steps: [
      open({ as: 'hello' }),
      call('echo', { text: 'basic' }, { as: 'call', headers: { Authorization: 'Basic YWdlbnQ6c2VjcmV0' } }),
    ],
    given: [letIn],
    claims: refused('call'),
  }),
  check({
    ...common,
    id: 'auth-tier1/token-in-address-refused',
    title: 'takes no token out of the address',
    spec: spec('2025-11-25', 'basic/authorization', 'token-requirements'),
    why: 'Addresses stand in logs and histories, and the tokens in them, too.',
    steps: [
      open({ as: 'hello' }),
      showing({ query: 'access_token={{token}}' }, o => call('echo', { text: 'address' }, o), { as: 'call' }),
    ],
    given: [letIn],
    claims: refused('call'),
  }),
  check({
    ...common,
    id: 'auth-tier1/two-tokens-refused',
    title: 'sends a request with a second token beside the good one to no server',
    level: 'SHOULD',
    why: 'The gateway verifies the one token, and the server believes the other.',
    steps: [
      open({ as: 'hello' }),
      showing(
        { fields: { Authorization: ['Bearer {{token}}', 'Bearer somebody.elses.token'] } },
        o => request('prompts/list', {}, o),
        {
          as: 'list',
        },
      ),
    ],
    given: [letIn],
    claims: [
      backend('list').all('no server gets more than one token', seen => {
        const tokens = seen.flatMap(e => e.request.headers.filter(([name]) => name.toLowerCase() === 'authorization'))
        return tokens.length > 1 || tokens.some(([, value]) => value.includes(','))
          ? `it got ${tokens.length} fields`
          : undefined
      }),
    ],
  }),
]
