import { backend, client } from '../../kit/claims.ts'
import { claim } from '../../kit/define.ts'
import type { Claim, Evidence } from '../../kit/types.ts'

/** Before the token that is judged, a good one was taken. */
export const letIn: Claim = client('hello').succeeds()

/** Refused for want of a good token, and no server heard of it. */
export const refused = (label: string): readonly [Claim, Claim] => [client(label).status(401), backend(label).never()]

/** No server got a request by this method in this check: such requests carry no mark of their own. */
export const noServerGot = (method: string): Claim =>
  claim('backend', `no ${method} reaches a server`, ({ backend: seen }: Evidence) => {
    const found = seen.find(e => e.request.method === method)
    return found && `${method} ${found.request.path} reached ${found.server}`
  })
