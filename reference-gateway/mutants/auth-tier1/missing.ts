import { bearerOf, makeAuth } from '../../parts/auth.ts'
import { edit, editReply, type Mutant, type Passage, replacePart, replyField } from '../harm.ts'
import { skips } from './skips.ts'

const anonymous = (passage: Passage): boolean =>
  passage.header('authorization') === undefined && !passage.query.includes('access_token')

const lets = (
  name: string,
  harm: string,
  id: string,
  when: (passage: Passage, request: string) => boolean,
): Mutant => ({
  name,
  harm,
  caughtBy: [`auth-tier1/${id}`],
  platform: 'seed',
  mutate: skips((passage, request) => anonymous(passage) && when(passage, request)),
})

/** Requests without a token get through, or are refused in other words. */
export const missing: readonly Mutant[] = [
  lets('shakes-any-hand', 'Asks for no token in the handshake.', 'handshake-needs-token', (_, request) =>
    /"method":"initialize"/.test(request),
  ),
  lets(
    'takes-sessions-for-tokens',
    'Lets tools be called in any session without a token.',
    'call-needs-token',
    (passage, request) => passage.header('mcp-session-id') !== undefined && /"tools\/call"/.test(request),
  ),
  lets('lets-notifications-in', 'Asks for no token where no answer is due.', 'notification-needs-token', (_, request) =>
    /"notifications\//.test(request),
  ),
  lets(
    'opens-streams-to-anyone',
    'Asks for tokens at POST only, not at GET.',
    'stream-needs-token',
    passage => passage.method === 'GET',
  ),
  lets(
    'lets-anyone-delete',
    'Asks for no token at DELETE.',
    'delete-needs-token',
    passage => passage.method === 'DELETE',
  ),
  {
    name: 'leaves-basic-to-the-server',
    harm: 'Verifies the scheme Bearer, and lets every other one through.',
    caughtBy: ['auth-tier1/other-scheme-refused'],
    platform: 'seed',
    mutate: skips(passage => /^basic /i.test(passage.header('authorization') ?? '')),
  },
  {
    name: 'reads-tokens-in-addresses',
    harm: 'Takes the token out of the query, where there is none in a field.',
    caughtBy: ['auth-tier1/token-in-address-refused'],
    platform: 'seed',
    mutate: replacePart(
      'auth',
      makeAuth({
        tokenOf: passage => bearerOf(passage) ?? /[?&]access_token=([^&]+)/.exec(passage.query)?.[1],
      }),
    ),
  },
  {
    name: 'verifies-the-first-token-only',
    harm: 'Looks at the first of several tokens, and sends them all on.',
    caughtBy: ['auth-tier1/two-tokens-refused'],
    platform: 'seed',
    mutate: replacePart(
      'auth',
      makeAuth({ tokenOf: passage => /^bearer +(.+)$/i.exec(passage.header('authorization') ?? '')?.[1] }),
    ),
  },
  {
    name: 'words-the-missing-token-otherwise',
    harm: 'Says "Authentication required" where the platform says "Missing Bearer token".',
    caughtBy: ['auth-tier1/missing-body'],
    platform: 'seed',
    mutate: editReply(/Missing Bearer token/, text => text.replace('Missing Bearer token', 'Authentication required')),
  },
  {
    name: 'words-the-invalid-token-otherwise',
    harm: 'Tells what is wrong with a token, where the platform says "Invalid token" and no more.',
    caughtBy: ['auth-tier1/invalid-body'],
    platform: 'seed',
    mutate: editReply(/Invalid token/, text => text.replace('Invalid token', 'Invalid token: jwt malformed')),
  },
  {
    name: 'refuses-without-the-id',
    harm: 'Answers for a bad token with an error that has no id.',
    caughtBy: ['auth-tier1/refusal-has-id'],
    platform: 'official',
    mutate: editReply(/Unauthorized: Invalid token/, text => edit(text, 'id', () => 'null')),
  },
  {
    name: 'drops-the-challenge',
    harm: 'Answers 401 without WWW-Authenticate.',
    caughtBy: ['auth-tier1/challenge'],
    platform: 'seed',
    mutate: replyField('WWW-Authenticate', undefined),
  },
]
