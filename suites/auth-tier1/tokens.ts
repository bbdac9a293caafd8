import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call, open, showing, tamper, withToken } from '../../kit/steps.ts'
import type { Check, Step, TokenWish } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { letIn, refused } from './seen.ts'

/** How long ago a token is over, in s: no gateway allows clocks to differ by so much. */
const HOUR = 3600
const RULES = platform('tier-1-the-gateway')

/** A check that a session goes on with a token of this kind, and is refused. */
const refuses = (
  bad: string,
  more: Pick<Check, 'id' | 'title' | 'why'> & { readonly level?: Check['level'] },
  ...makes: readonly [Step, ...Step[]]
): Check =>
  check({
    pack: 'syncseries',
    level: 'MUST',
    spec: RULES,
    needs: ['auth', 'intermediary'],
    ...more,
    steps: [open({ as: 'hello' }), ...makes, call('echo', { text: bad }, { as: 'call' })],
    given: [letIn],
    claims: refused('call'),
  })

const takes = (wish: TokenWish, says: string): Step => withToken(wish, says)

/** Tokens that no gateway may take. */
export const tokens: readonly Check[] = [
  refuses(
    'expired',
    {
      id: 'auth-tier1/expired-refused',
      title: 'refuses a token that is over',
      why: 'A token that leaked once opens the servers for ever.',
    },
    takes({ expiresIn: -HOUR }, 'a token that is over for an hour'),
  ),
  refuses(
    'not yet',
    {
      id: 'auth-tier1/not-yet-valid-refused',
      title: 'refuses a token before its time',
      why: 'Rights that were granted for next month are used today.',
    },
    takes(
      { claims: { nbf: Math.floor(Date.now() / 1000) + HOUR }, expiresIn: 2 * HOUR },
      'a token whose time begins in an hour',
    ),
  ),
  refuses(
    'no end',
    {
      id: 'auth-tier1/endless-refused',
      title: 'refuses a token that never ends',
      level: 'SHOULD',
      why: 'A token without an end can be withdrawn by nobody.',
    },
    takes({ expiresIn: null }, 'a token without exp'),
  ),
  refuses(
    'wrong key',
    {
      id: 'auth-tier1/wrong-key-refused',
      title: 'refuses a token that was signed by another key',
      why: 'Anyone can make tokens for themselves, in the name of anyone.',
    },
    takes({ kind: 'wrong-key' }, "a token that names the identity provider's key, and was signed by another"),
  ),
  refuses(
    'unknown key',
    {
      id: 'auth-tier1/unknown-key-refused',
      title: 'refuses a token whose key the identity provider does not have',
      why: 'A gateway that lets through what it cannot verify verifies nothing.',
    },
    takes({ kind: 'wrong-key', kid: 'nobody-has-this-key' }, 'a token that names a key that nobody published'),
  ),
  refuses(
    'own key',
    {
      id: 'auth-tier1/embedded-key-refused',
      title: 'verifies no token by a key that the token itself brings along',
      why: 'The sender chooses the key, and so every forged token is a good one.',
    },
    takes({ kind: 'embedded-key' }, 'a token signed by another key, which stands in its header'),
  ),
  refuses(
    'unsigned',
    {
      id: 'auth-tier1/unsigned-refused',
      title: 'refuses a token with the algorithm none',
      why: 'Anyone can write such a token.',
    },
    takes({ kind: 'unsigned' }, 'a token without a signature'),
  ),
  refuses(
    'confused',
    {
      id: 'auth-tier1/confused-algorithm-refused',
      title: 'refuses a token that was signed by HS256 with the public key as its secret',
      why: 'The public key is known to everyone: so everyone can sign, where the token chooses the algorithm.',
    },
    takes({ kind: 'confused' }, 'a token signed by HS256, with the public key as the secret'),
  ),
  refuses(
    'other algorithm',
    {
      id: 'auth-tier1/other-algorithm-refused',
      title: 'refuses a token that was signed by RS512',
      why: 'What the algorithm is, is agreed beforehand, and is not for a token to say.',
    },
    takes({ kind: 'rs512' }, 'a token signed by the right key, with RS512'),
  ),
  refuses(
    'tampered',
    {
      id: 'auth-tier1/tampered-refused',
      title: 'refuses a token that was changed after it was signed, also where it has taken the right one before',
      why: 'Anyone with a token of their own becomes an administrator.',
    },
    tamper({ roles: ['crm_admin'] }, 'writes the role crm_admin into its token'),
  ),
  check({
    id: 'auth-tier1/scheme-case',
    title: 'takes the word Bearer in any case',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-11.1',
    needs: ['auth', 'intermediary'],
    why: 'Schemes have no case; some clients write it small, and are refused with a good token.',
    steps: [
      open({ as: 'hello' }),
      showing({ fields: { Authorization: 'bearer {{token}}' } }, o => call('echo', { text: 'small' }, o), {
        as: 'call',
      }),
    ],
    given: [letIn],
    claims: [client('call').succeeds()],
  }),
]
