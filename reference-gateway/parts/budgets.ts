import { agentOf } from '../budgets/agent.ts'
import { Ledger } from '../budgets/ledger.ts'
import { refuse } from '../budgets/refusal.ts'
import { type Watch, watchUsage } from '../budgets/usage.ts'
import { isEncoded } from '../fields.ts'
import type { Passage } from '../passage.ts'
import { mayCall, messagesOf, refuseUnread } from '../tool-calls.ts'
import type { Gateway, Part } from '../types.ts'

/** The part, and what it counts for each gateway. */
export interface BudgetsPart extends Part {
  /** Undefined where the gateway has no budgets. */
  of(gateway: Gateway): Ledger | undefined
}

/** The single decisions about budgets, each by itself. */
export interface BudgetRules {
  readonly agentOf: typeof agentOf
  readonly watchUsage: typeof watchUsage
  /** Ms since the epoch. */
  now(): number
  /** Where tokens are counted. */
  ledger(...given: ConstructorParameters<typeof Ledger>): Ledger
}

/** Counts tokens, and refuses calls of agents past their limits; `changes` replace single decisions. */
export function makeBudgets(changes: Partial<BudgetRules> = {}): BudgetsPart {
  const rules: BudgetRules = {
    agentOf,
    watchUsage,
    now: Date.now,
    ledger: (...given) => new Ledger(...given),
    ...changes,
  }
  const ledgers = new WeakMap<Gateway, Ledger>()
  const agents = new WeakMap<Passage, string>()
  const of = (gateway: Gateway) => {
    const { budgets: config } = gateway.settings
    if (!config) return undefined
    const ledger = ledgers.get(gateway) ?? rules.ledger(config, rules.now)
    ledgers.set(gateway, ledger)
    return ledger
  }
  const judged = async (passage: Passage, ledger: Ledger): Promise<boolean | undefined> => {
    const agent = await rules.agentOf(passage)
    agents.set(passage, agent)
    const over = mayCall(passage) ? ledger.exceeded(agent) : undefined
    if (!over) return
    // Where it does not come in whole, it has been refused, or nobody is there to be answered.
    const body = await passage.body.bytes().catch(() => undefined)
    if (!body) return true
    const messages = isEncoded(passage.fields) ? undefined : messagesOf(body)
    if (!messages) return refuseUnread(passage, body)
    if (!messages.some(one => one.params)) return
    refuse(passage, messages, over, rules.now())
    return true
  }
  return {
    name: 'budgets',
    of,
    receive(passage) {
      const ledger = of(passage.gateway)
      return ledger && judged(passage, ledger)
    },
    reply(passage, out) {
      const ledger = of(passage.gateway)
      if (!ledger) return out
      let watch: Watch | undefined
      return {
        head(head) {
          const agent = agents.get(passage)
          if (agent !== undefined) watch = rules.watchUsage(head, tokens => ledger.add(agent, tokens))
          out.head(head)
        },
        // Counted before it is passed on: who has read the answer finds it counted.
        chunk(bytes) {
          watch?.push(bytes)
          out.chunk(bytes)
        },
        end: () => (watch ? watch.end(() => out.end()) : out.end()),
        fail: failure => out.fail(failure),
      }
    },
  }
}

/** How many tokens each agent may use: docs/gateway.md. */
export const budgets = makeBudgets()

/** What a gateway has counted; undefined where it has no budgets. */
export const ledgerOf = (gateway: Gateway): Ledger | undefined =>
  (gateway.parts.find(part => part.name === 'budgets') as BudgetsPart | undefined)?.of(gateway)
