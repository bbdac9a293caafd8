import { answerOf } from '../kit/admin.ts'
import { hasResult } from '../kit/claims/group.ts'
import { client } from '../kit/claims.ts'
import { claim } from '../kit/define.ts'
import { at, isObject, type Json, show, stringify, tryParse } from '../kit/json.ts'
import { reply, sent } from '../kit/messages.ts'
import { describe } from '../kit/session.ts'
import { type Amount, burst, call, open, pause } from '../kit/steps.ts'
import type { Claim, Evidence, Exchange, Limits, Rig, Step } from '../kit/types.ts'

/** How long a handshake counts in the window, and a little more: requests do not arrive just as they were sent. */
const SPARE_MS = 100

export const windowMs = ({ window = 1 }: Limits): number => window * 1000
export const openMs = ({ openSeconds = 5 }: Limits): number => openSeconds * 1000
/** For checks that begin with `rested`. */
export const restMs = (limits: Limits): number => windowMs(limits) + SPARE_MS

/** What the target declares; checks that ask for it need the feature `rate-guard`. */
export const allowed = ({ target }: Rig | Evidence): number => target.limits.rps ?? 0

export const asManyAsAllowed: Amount = { says: 'as many requests as the limit', of: allowed }
export const fiveTooMany: Amount = { says: 'five requests more than the limit', of: rig => allowed(rig) + 5 }
export const theWindow: Amount = { says: 'the window', of: rig => windowMs(rig.target.limits) }

/** The handshake leaves the window, so that what is sent next is all that counts. */
const rest = pause({ says: 'for the window', of: rig => restMs(rig.target.limits) }, 'so that nothing before counts')

/** These clients have their sessions, and nothing that they sent is in the window any more. */
export const rested = (...clients: readonly string[]): [Step, ...Step[]] => [
  ...((clients.length ? clients : ['a']).map(who => open({ who })) as [Step]),
  rest,
]

/** The window passes. */
export const pass = rest

/** Time for all that was sent before to arrive, wherever it goes. */
export const roundTrip: Step = open({ who: 'another one' })

/** The smallest tool, called. */
export const small = (as: string, who?: string): Step =>
  call('burst_target', {}, { as, ...(who !== undefined && { who }) })

/** More at once than is allowed. */
export const tooMany = (as: string, who?: string): Step =>
  burst(fiveTooMany, 'calls the tool burst_target', () => small(as, who))

/**
 * The requests of this label were sent and answered within one window: else the gateway may have seen them in two, and was
 * right not to refuse any.
 */
export const atOnce = (label: string): Claim =>
  claim('client', `all of "${label}" is answered within one window`, ({ client: seen, target }) => {
    const all = seen.filter(e => e.label === label)
    const took = Math.max(...all.map(e => e.response?.at ?? Number.POSITIVE_INFINITY)) - Math.min(...all.map(e => e.at))
    return took < windowMs(target.limits) ? undefined : `it took ${Math.round(took)} ms`
  })

export const isRefused = (e: Exchange): boolean => e.response?.status === 429 || e.response?.status === 413

/** The answer is a refusal of this status, and no result. */
export const refused = (label: string, status: number): Claim =>
  client(label).holds(`the request is refused by ${status}`, e =>
    e.response?.status === status && !hasResult(e) ? undefined : describe(e),
  )

/** What is left of a share of the time for which a session is open, since the burst that opened it was sent. */
export const sinceSent = (says: string, share: number): Amount => ({
  says,
  of(rig) {
    const sent = rig.recorder.exchanges(rig.nonce).client.find(e => e.label === 'burst')
    const now = rig.recorder.now()
    return Math.max(0, (sent?.at ?? now) + share * openMs(rig.target.limits) - now)
  },
})

/** Exactly this object, members in any order. */
export const bodyIs = (e: Exchange, expected: { readonly [name: string]: string }): string | undefined => {
  const got = tryParse(e.response?.body ?? '')
  const same = isObject(got) && sorted(got) === sorted(expected)
  return same ? undefined : `the body ${show(got ?? e.response?.body ?? '', 120)}`
}

const sorted = (value: { readonly [name: string]: Json }): string =>
  stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))))

/** A JSON-RPC error with the id of the request. */
export const rpcErrorWithId = (e: Exchange): string | undefined => {
  const error = at(reply(e), 'error')
  if (!isObject(error))
    return `no JSON-RPC error: ${e.failure ?? `status ${e.response?.status}, ${show(e.response?.body ?? '', 80)}`}`
  const [mine, got] = [at(sent(e), 'id') ?? null, at(reply(e), 'id') ?? null].map(stringify)
  return mine === got ? undefined : `the id ${got} in place of ${mine}`
}

/** The control plane shows the session in this state. */
export const state = (label: string, wanted: 'OPEN' | 'CLOSED'): Claim =>
  client(label).holds(`the session is shown as ${wanted}`, (e, { target }) => {
    const got = answerOf(target, 'sessionState', e)
    return typeof got === 'string' && got.toUpperCase() === wanted
      ? undefined
      : `${got === undefined ? `status ${e.response?.status ?? 'none'}` : show(got, 80)}`
  })
