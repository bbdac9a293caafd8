import { auth } from '../parts/auth.ts'
import type { Hop } from './harm.ts'
import {
  addBefore,
  addLast,
  changeField,
  edit,
  editReply,
  field,
  type Mutant,
  type Mutate,
  type Passage,
  replacePart,
  requestField,
  requestText,
  sendTwice,
} from './harm.ts'

/** Refuses, after the token was verified, those for whom this holds. */
const turnsAway = (status: number, error: string, when: (passage: Passage) => boolean): Mutate =>
  addBefore('route', {
    name: 'harm',
    receive(passage) {
      if (!when(passage)) return
      passage.answer(status, JSON.stringify({ error }))
      return true
    },
  })

/** Another token than the request's own goes to the server; `remember` says which. */
const otherToken = (remember: (hop: Hop, token: string, seen: Map<string, string>) => string): Mutate =>
  addLast(() => {
    const seen = new Map<string, string>()
    return {
      name: 'harm',
      async forward(hop) {
        await hop.body.bytes()
        const token = field(hop.fields, 'authorization')
        if (token !== undefined) hop.fields = changeField(hop.fields, 'Authorization', remember(hop, token, seen))
      },
    }
  })

const roles: readonly Mutant[] = [
  {
    name: 'turns-administrators-away',
    harm: 'Lets nobody in who has the role crm_admin.',
    caughtBy: ['auth-tier2/role-allows'],
    platform: 'seed',
    mutate: turnsAway(403, 'Forbidden', ({ identity }) => {
      const held = identity?.claims['roles']
      return Array.isArray(held) && held.includes('crm_admin')
    }),
  },
  {
    name: 'hides-the-missing-role',
    harm: "Answers with an internal error in place of the server's refusal.",
    caughtBy: ['auth-tier2/refusal-unchanged', 'error-table/forbidden'],
    platform: 'seed',
    mutate: editReply(/Forbidden: Requires/, text => edit(text, 'error.code', () => '-32603')),
  },
  {
    name: 'tries-refunds-again',
    harm: 'Sends approve_refund a second time, in case the first was refused.',
    caughtBy: ['auth-tier2/refusal-not-retried'],
    platform: 'seed',
    mutate: sendTwice(/"approve_refund"/),
  },
  {
    name: 'knows-ascii-names-only',
    harm: 'Fails where the subject of a token does not fit into a header field.',
    caughtBy: ['auth-tier2/claims-of-any-script'],
    platform: 'seed',
    mutate: turnsAway(500, 'Internal Server Error', ({ identity }) => /[^\x20-\x7e]/.test(identity?.subject ?? '')),
  },
  {
    name: 'wants-small-tokens',
    harm: 'Refuses tokens of more than 4 KB.',
    caughtBy: ['auth-tier2/large-token'],
    platform: 'seed',
    mutate: turnsAway(431, 'Request Header Fields Too Large', p => (p.header('authorization')?.length ?? 0) > 4096),
  },
]

const propagation: readonly Mutant[] = [
  {
    name: 'writes-the-scheme-anew',
    harm: 'Writes the scheme of tokens in small letters, in calls of tools.',
    caughtBy: ['auth-tier2/token-on-calls'],
    platform: 'seed',
    mutate: requestField('Authorization', ([value]) => value?.replace(/^Bearer/, 'bearer'), /"tools\/call"/),
  },
  {
    name: 'drops-tokens-of-notifications',
    harm: 'Sends notifications to the server without the token.',
    caughtBy: ['auth-tier2/token-on-notifications'],
    platform: 'seed',
    mutate: requestField('Authorization', undefined, /"method":"notifications\//),
  },
  {
    name: 'drops-tokens-of-streams',
    harm: 'Opens the stream at the server without the token.',
    caughtBy: ['auth-tier2/token-on-stream'],
    platform: 'seed',
    mutate: requestField('Authorization', undefined, { http: /^GET/ }),
  },
  {
    name: 'drops-tokens-of-deletes',
    harm: 'Ends sessions at the server without the token.',
    caughtBy: ['auth-tier2/token-on-delete'],
    platform: 'seed',
    mutate: requestField('Authorization', undefined, { http: /^DELETE/ }),
  },
  {
    name: 'keeps-the-first-token',
    harm: 'Uses the token of the first request of a session for all that come after it.',
    caughtBy: ['auth-tier2/token-of-the-request'],
    platform: 'seed',
    mutate: otherToken((hop, token, seen) => {
      const session = hop.passage.header('mcp-session-id')
      if (session === undefined) return token
      if (!seen.has(session)) seen.set(session, token)
      return seen.get(session) ?? token
    }),
  },
  {
    name: 'shares-one-token',
    harm: 'Reads resources for everybody with the token of the first who did.',
    caughtBy: ['auth-tier2/tokens-apart'],
    platform: 'seed',
    mutate: otherToken((hop, token, seen) => {
      if (!/"resources\/list"/.test(hop.body.now()?.toString() ?? '')) return token
      if (!seen.has('first')) seen.set('first', token)
      return seen.get('first') ?? token
    }),
  },
]

/** The client's token is not taken out. */
const keepsToken = (when: (hop: Hop) => boolean): Mutate =>
  replacePart('auth', {
    forward(hop) {
      if (!when(hop)) return auth.forward?.(hop)
    },
  })

const termination: readonly Mutant[] = [
  {
    name: 'hands-the-token-on-beside',
    harm: "Copies the client's token into X-Forwarded-Authorization.",
    caughtBy: [
      'auth-tier2/token-stops',
      'authorization/no-token-passthrough',
      'authorization/no-token-with-notifications',
    ],
    platform: 'official',
    mutate: addLast({
      name: 'harm',
      forward(hop) {
        const token = hop.passage.header('authorization')
        if (token !== undefined) hop.fields.push(['X-Forwarded-Authorization', token])
      },
    }),
  },
  {
    name: 'shows-no-token',
    harm: "Takes the client's token out, and shows none of its own.",
    caughtBy: ['auth-tier2/own-token-shown'],
    platform: 'official',
    mutate: requestField('Authorization', undefined),
  },
  {
    name: 'passes-tokens-through',
    harm: "Sends the client's token to the server with each POST.",
    caughtBy: [
      'auth-tier2/token-stops',
      'auth-tier2/own-token-shown',
      'authorization/no-token-passthrough',
      'authorization/no-token-with-notifications',
    ],
    platform: 'official',
    mutate: keepsToken(hop => hop.method === 'POST'),
  },
  {
    name: 'passes-tokens-of-notifications',
    harm: "Sends the client's token to the server with each notification.",
    caughtBy: ['authorization/no-token-with-notifications'],
    platform: 'official',
    mutate: replacePart('auth', {
      async forward(hop) {
        await hop.body.bytes()
        if (!/"method":"notifications\//.test(requestText(hop.passage))) await auth.forward?.(hop)
      },
    }),
  },
  {
    name: 'passes-tokens-of-streams',
    harm: "Sends the client's token to the server with each GET.",
    caughtBy: ['auth-tier2/token-stops-on-stream', 'authorization/no-token-with-streams'],
    platform: 'official',
    mutate: keepsToken(hop => hop.method === 'GET'),
  },
  {
    name: 'passes-tokens-of-deletes',
    harm: "Sends the client's token to the server with each DELETE.",
    caughtBy: ['auth-tier2/token-stops-on-delete', 'authorization/no-token-with-deletes'],
    platform: 'official',
    mutate: keepsToken(hop => hop.method === 'DELETE'),
  },
]

export const authTier2: readonly Mutant[] = [...roles, ...propagation, ...termination]
