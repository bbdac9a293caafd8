import { Gate } from '../approvals/gate.ts'
import { limitsOf, type Rules, rules as right } from '../approvals/rules.ts'
import { Tickets } from '../approvals/tickets.ts'
import { isEncoded } from '../fields.ts'
import { mayCall, messagesOf, refuseUnread } from '../tool-calls.ts'
import type { Gateway, Part } from '../types.ts'

/** The part, and the tickets that it holds for each gateway. */
export interface ApprovalsPart extends Part {
  /** Undefined where the gateway has no approvals. */
  of(gateway: Gateway): Tickets | undefined
}

/** Lets calls of risky tools wait for an administrator; `changes` replace single decisions. */
export function makeApprovals(changes: Partial<Rules> = {}): ApprovalsPart {
  const rules = { ...right, ...changes }
  const known = new WeakMap<Gateway, Tickets>()
  const of = (gateway: Gateway) => {
    const { approvals: config } = gateway.settings
    if (!config) return undefined
    const tickets = known.get(gateway) ?? new Tickets(limitsOf(config), rules.clock, rules.newId)
    known.set(gateway, tickets)
    return tickets
  }
  return {
    name: 'approvals',
    of,
    receive(passage) {
      const { approvals: config } = passage.gateway.settings
      const tickets = of(passage.gateway)
      if (!config || !tickets || !mayCall(passage)) return
      // Where it does not come in whole, it has been refused, or nobody is there to be answered.
      const whole = passage.body.bytes().catch(() => undefined)
      return whole.then(body => {
        if (!body) return true
        const messages = isEncoded(passage.fields) ? undefined : messagesOf(body)
        if (!messages) return refuseUnread(passage, body)
        const refused = new Gate(config.tools, rules, tickets).decide(passage, messages)
        if (refused) passage.answer(refused.status, refused.body)
        return refused !== undefined
      })
    },
    close: gateway => known.get(gateway)?.stop(),
  }
}

/** Calls of risky tools wait for an administrator: docs/gateway.md. */
export const approvals = makeApprovals()

/** The tickets of a gateway; undefined where it has no approvals. */
export const ticketsOf = (gateway: Gateway): Tickets | undefined =>
  (gateway.parts.find(part => part.name === 'approvals') as ApprovalsPart | undefined)?.of(gateway)
