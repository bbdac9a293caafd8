import { setToken, shareToken, tokenOf } from '../credentials.ts'
import { afterwards } from '../rig.ts'
import { type HeaderOverrides, type Session, Unjudged } from '../session.ts'
import type { Issuer, Rig, Step, TokenWish } from '../types.ts'
import type { SendOptions } from './sending.ts'

/** Gives a client another token, from now on: of these roles, a forged one. */
export const withToken = (wish: TokenWish, says: string, who = 'a'): Step => ({
  says: `takes ${says}${who === 'a' ? '' : ` as client ${who}`}`,
  async run(rig) {
    const claims = { sub: `agent-${rig.nonce}-${who}`, ...wish.claims }
    setToken(rig, who, await issuerOf(rig).token({ ...wish, claims }))
  },
})

/** Lets the identity provider sign with a new key from now on. */
export const rotateKeys = (options: { readonly keepOld?: boolean } = {}): Step => ({
  says: `lets the identity provider sign with a new key${options.keepOld === false ? ' and withdraw the old one' : ''}`,
  async run(rig) {
    await issuerOf(rig).rotate(options)
  },
})

/** Gives a client the token of another one, from now on: another session of the same owner. */
export const sameOwner = (who: string, as = 'a'): Step => ({
  says: `takes the token of client ${as} as client ${who}`,
  run: rig => shareToken(rig, as, who),
})

/** Changes claims of the token that a client has, and leaves the signature as it is. */
export const tamper = (claims: object, says: string, who = 'a'): Step => ({
  says: `${says}, without signing the token anew`,
  async run(rig) {
    const [head, payload = '', signature] = held(rig, who).split('.')
    const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url')
    setToken(rig, who, `${head}.${forged}.${signature}`)
  },
})

/**
 * A step that sends with the client's token in another place or form. `{{token}}` in the fields and in `query` becomes
 * the token; without an `Authorization` among the fields there is none.
 */
export const showing = (
  {
    fields = {},
    query,
  }: { readonly fields?: Readonly<Record<string, string | readonly string[]>>; readonly query?: string },
  make: (o: SendOptions) => Step,
  o: SendOptions = {},
): Step => {
  const told: HeaderOverrides = { Authorization: undefined, ...fields }
  return {
    says: make({ ...o, headers: told }).says + (query ? `, with ${query} in the address` : ''),
    async run(rig) {
      const token = held(rig, o.who ?? 'a')
      const fill = (text: string) => text.replaceAll('{{token}}', token)
      const all = ([name, value]: [string, HeaderOverrides[string]]) => {
        if (value === undefined) return [name, value]
        return [name, typeof value === 'string' ? fill(value) : value.map(fill)]
      }
      const headers: HeaderOverrides = Object.fromEntries(Object.entries(told).map(all))
      if (query) rig.recorder.secret(token)
      const url = query && ((session: Session) => `${session.url}?${fill(query)}`)
      await make({ ...o, headers, ...(url && { url }) }).run(rig)
    },
  }
}

/** Hides the client's token wherever it turns up, so that claims can look for it everywhere: it has the same mask. */
export const hideToken = (who = 'a'): Step => ({
  says: 'looks for its token wherever it turns up',
  run: async rig => rig.recorder.secret(held(rig, who)),
})

/** Takes the identity provider away: it refuses connections, until the check is over at the latest. For checks that run alone. */
export const stopIssuer = (): Step => ({
  says: 'stops the identity provider',
  async run(rig) {
    const issuer = issuerOf(rig)
    await issuer.stop()
    afterwards(rig, () => issuer.start())
  },
})

/** Brings it back, with the same keys. */
export const startIssuer = (): Step => ({
  says: 'starts the identity provider again',
  run: rig => issuerOf(rig).start(),
})

function issuerOf({ issuer }: Rig): Issuer {
  if (!issuer) throw new Unjudged('there is no identity provider that makes tokens for this gateway')
  return issuer
}

function held(rig: Rig, who: string): string {
  const token = tokenOf(rig, who)
  if (token === undefined) throw new Unjudged(`the client ${who} has no token`)
  return token
}
