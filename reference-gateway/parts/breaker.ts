import { Breaker } from '../breaker/breaker.ts'
import { limitsOf, type Rules, rules as right } from '../breaker/rules.ts'
import { all, field } from '../fields.ts'
import { code } from '../jsonrpc.ts'
import type { Gateway, Part, Refusal } from '../types.ts'

const TWO_IDS: Refusal = {
  status: 400,
  seed: { error: 'More than one Mcp-Session-Id header' },
  code: code.invalid,
  message: 'There is more than one header Mcp-Session-Id.',
}

/** The part, and the sessions that it holds for each gateway. */
export interface BreakerPart extends Part {
  /** Undefined where the gateway has no breaker. */
  of(gateway: Gateway): Breaker | undefined
}

/** The guard of each session; `changes` replace single decisions. */
export function makeBreaker(changes: Partial<Rules> = {}): BreakerPart {
  const rules = { ...right, ...changes }
  const breakers = new WeakMap<Gateway, Breaker>()
  const of = (gateway: Gateway) => {
    const { breaker: config } = gateway.settings
    if (!config) return undefined
    const known = breakers.get(gateway) ?? new Breaker(limitsOf(config), rules)
    breakers.set(gateway, known)
    return known
  }
  return {
    name: 'breaker',
    of,
    receive(passage) {
      const breaker = of(passage.gateway)
      if (!breaker) return
      // Of two ids nobody knows which one the server takes.
      if (all(passage.fields, 'mcp-session-id').length > 1) return passage.refuse(TWO_IDS).then(() => true)
      const stopped = breaker.stopped(passage)
      if (!stopped) return
      return Promise.resolve(stopped).then(async session => {
        if (session) await passage.refuse(rules.refusalOf(session, breaker.now()))
        return session !== undefined
      })
    },
    reply(passage, out) {
      const breaker = of(passage.gateway)
      if (!breaker || !rules.counts(passage)) return out
      const bytes = breaker.limits.payload?.bytes
      let meter: ReturnType<Rules['meterOf']>
      let noted: Promise<void> | undefined
      // The client must not be able to send its next request before the session is open.
      const last = (then: () => void) => {
        if (!meter) return then()
        meter.end(() => (noted ? void noted.then(then) : then()))
      }
      return {
        head(head) {
          const id = field(head.fields, 'mcp-session-id')
          if (id && !passage.header('mcp-session-id')) breaker.issued(id)
          if (bytes !== undefined) {
            meter = rules.meterOf(head, bytes, () => {
              noted = breaker.tooLarge(passage)
            })
          }
          out.head(head)
        },
        chunk(chunk) {
          if (meter) meter.add(chunk, () => out.chunk(chunk))
          else out.chunk(chunk)
        },
        end: () => last(() => out.end()),
        fail: failure => last(() => out.fail(failure)),
      }
    },
    close: gateway => breakers.get(gateway)?.stop(),
  }
}

/** Opens sessions that send too much, or have read too much: docs/gateway.md. */
export const breaker = makeBreaker()

/** The breaker of a gateway; undefined where it has none. */
export const breakerOf = (gateway: Gateway): Breaker | undefined =>
  (gateway.parts.find(part => part.name === 'breaker') as BreakerPart | undefined)?.of(gateway)
