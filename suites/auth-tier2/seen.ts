import { client } from '../../kit/claims.ts'
import { claim } from '../../kit/define.ts'
import { clientExchange } from '../../kit/messages.ts'
import type { Claim, Evidence, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'

/** The token was taken. */
export const letIn: Claim = client('hello').succeeds()

/** What stands in the field, the secret masked: the same one has the same mask on both sides. */
export const shown = (e: Exchange | undefined): string | undefined => e && field(e.request.headers, 'authorization')

/** The mask of the token that the client sent with that label. */
export const maskOf = (evidence: Evidence, label: string): string | undefined =>
  shown(clientExchange(evidence, label))?.split(' ').at(-1)

/** About the requests by this method that reached servers in this check; they carry no mark of their own. */
export const everyServed = (
  method: string,
  says: string,
  refute: (e: Exchange, evidence: Evidence) => string | undefined,
): Claim =>
  claim('backend', says, evidence => {
    const found = evidence.backend.filter(e => e.request.method === method)
    if (found.length === 0) return `no ${method} reached a server`
    return found.map(e => refute(e, evidence)).find(seen => seen !== undefined)
  })
