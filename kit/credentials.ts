import type { Pairs, Rig } from './types.ts'

/** What lets a client in: the target's own fields, and the client's token. */
export const credentials = (rig: Rig, who: string): Pairs => {
  const token = tokenOf(rig, who)
  return token === undefined ? rig.target.headers : [...rig.target.headers, ['Authorization', `Bearer ${token}`]]
}

const tokenKey = (who: string): string => `token ${who}`

/** The token that a client has; undefined for none. */
export const tokenOf = (rig: Rig, who: string): string | undefined =>
  rig.memory.get(tokenKey(who)) as string | undefined

/** The token that a client sends from now on. */
export const setToken = (rig: Rig, who: string, token: string): void => void rig.memory.set(tokenKey(who), token)

/** Sees to it that a client has a token where the gateway asks for one: each client is a subject of its own. */
export async function identify(rig: Rig, who: string): Promise<void> {
  if (!rig.issuer || !rig.target.features.includes('auth') || rig.memory.has(tokenKey(who))) return
  const token = await rig.issuer.token({ claims: { sub: `agent-${rig.nonce}-${who}`, roles: [] } })
  if (!rig.memory.has(tokenKey(who))) setToken(rig, who, token)
}

/** Lets a client send the token of another one: two sessions of one subject. */
export async function shareToken(rig: Rig, from: string, to: string): Promise<void> {
  await identify(rig, from)
  const token = rig.memory.get(tokenKey(from)) as string | undefined
  if (token !== undefined) setToken(rig, to, token)
}
