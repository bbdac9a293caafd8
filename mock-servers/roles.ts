import { at, tryParse } from '../kit/json.ts'

/**
 * The roles in a bearer token. The signature is not looked at: that is what tier 1, the gateway, is for.
 * Anything that is no JSON Web Token has none.
 */
export function rolesIn(authorization: string | undefined): readonly string[] {
  const payload = /^Bearer +[^.\s]+\.([^.\s]+)\./i.exec(authorization ?? '')?.[1]
  if (payload === undefined) return []
  const roles = at(tryParse(Buffer.from(payload, 'base64url').toString('utf8')), 'roles')
  return Array.isArray(roles) ? roles.filter(role => typeof role === 'string') : []
}
