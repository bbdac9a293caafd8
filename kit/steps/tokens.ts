import { setToken, shareToken } from '../credentials.ts'
import { Unjudged } from '../session.ts'
import type { Step, TokenWish } from '../types.ts'

/** Gives a client another token, from now on: of these roles, a forged one. */
export const withToken = (wish: TokenWish, says: string, who = 'a'): Step => ({
  says: `takes ${says}${who === 'a' ? '' : ` as client ${who}`}`,
  async run(rig) {
    if (!rig.issuer) throw new Unjudged('there is no identity provider that could make a token')
    const claims = { sub: `agent-${rig.nonce}-${who}`, ...wish.claims }
    setToken(rig, who, await rig.issuer.token({ ...wish, claims }))
  },
})

/** Lets the identity provider sign with a new key from now on. */
export const rotateKeys = (options: { readonly keepOld?: boolean } = {}): Step => ({
  says: `lets the identity provider sign with a new key${options.keepOld === false ? ' and withdraw the old one' : ''}`,
  async run(rig) {
    if (!rig.issuer) throw new Unjudged('there is no identity provider')
    await rig.issuer.rotate(options)
  },
})

/** Gives a client the token of another one, from now on: another session of the same owner. */
export const sameOwner = (who: string, as = 'a'): Step => ({
  says: `takes the token of client ${as} as client ${who}`,
  run: rig => shareToken(rig, as, who),
})
