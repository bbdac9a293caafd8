import type { BudgetsConfig } from '../guards.ts'

/** What a day or a month is counted in. */
export type Period = 'day' | 'month'

/** Tokens of one agent. */
export interface Account {
  readonly agent: string
  readonly used: Record<Period, number>
  /** Of its own; null for none, undefined where the usual one holds. */
  readonly own: Record<Period, number | null | undefined>
  /** The day and the month that `used` is of: `2026-08-15`, `2026-08`. */
  readonly of: Record<Period, string>
}

/** A limit that is used up. */
export interface Exceeded {
  readonly period: Period
  readonly used: number
  readonly limit: number
  /** When it begins anew, in ms since the epoch. */
  readonly resetsAt: number
}

/** Those for whom there is no place share this one. */
export const OVERFLOW = 'overflow:'

/** The tokens of all agents, by UTC's days and months. Bounded: the one that used none for longest is forgotten first. */
export class Ledger {
  private readonly limits: BudgetsConfig
  private readonly now: () => number
  private readonly most: number
  /** In the order of their last use. */
  private readonly accounts = new Map<string, Account>()

  constructor(limits: BudgetsConfig, now: () => number = Date.now, most = 10_000) {
    this.limits = limits
    this.now = now
    this.most = most
  }

  /** Adds tokens that an agent has used. */
  add(agent: string, tokens: number): void {
    const { used } = this.account(agent)
    used.day += tokens
    used.month += tokens
  }

  /** The limit that is used up, the one that lasts longer where both are; undefined while the agent may go on. */
  exceeded(agent: string): Exceeded | undefined {
    const account = this.find(agent) ?? (this.hasRoom() ? undefined : this.find(OVERFLOW)) ?? this.fresh(agent)
    for (const period of ['month', 'day'] as const) {
      const limit = this.limit(account, period)
      const used = account.used[period]
      if (limit !== null && used >= limit) return { period, used, limit, resetsAt: this.resetsAt(period) }
    }
    return undefined
  }

  /** The account as it is today. Undefined for an agent that has used nothing, and has no limits of its own. */
  find(agent: string): Account | undefined {
    const account = this.accounts.get(agent)
    if (account) this.roll(account)
    return account
  }

  /** Sets limits of its own for an agent: a number, null for none, undefined for the usual one. */
  limitTo(agent: string, { day, month }: Account['own']): Account {
    const account = this.account(agent)
    Object.assign(account.own, { day, month })
    return account
  }

  /** Forgets what an agent has used. */
  reset(agent: string): Account | undefined {
    const account = this.find(agent)
    if (account) Object.assign(account.used, { day: 0, month: 0 })
    return account
  }

  /** All accounts, the one that was used last first. */
  all(): Account[] {
    const all = [...this.accounts.values()].reverse()
    for (const account of all) this.roll(account)
    return all
  }

  /** The limit that holds; null where there is none. */
  limit({ own }: Account, period: Period): number | null {
    const usual = period === 'day' ? this.limits.perDay : this.limits.perMonth
    return own[period] === undefined ? (usual ?? null) : own[period]
  }

  private account(agent: string): Account {
    const known = this.find(agent)
    if (!known && agent !== OVERFLOW && !this.hasRoom()) return this.account(OVERFLOW)
    const account = known ?? this.fresh(agent)
    if (!known && this.accounts.size >= this.most) this.accounts.delete(this.dispensable() ?? '')
    this.accounts.delete(agent)
    this.accounts.set(agent, account)
    return account
  }

  private fresh(agent: string): Account {
    return {
      agent,
      used: { day: 0, month: 0 },
      own: { day: undefined, month: undefined },
      of: periods(this.now()),
    }
  }

  private roll({ of, used }: Account): void {
    const now = periods(this.now())
    for (const period of ['day', 'month'] as const) {
      if (of[period] === now[period]) continue
      of[period] = now[period]
      used[period] = 0
    }
  }

  private hasRoom(): boolean {
    return this.accounts.size < this.most || this.dispensable() !== undefined
  }

  /** Who is forgotten first; never one who is past a limit, or has limits of its own. */
  private dispensable(): string | undefined {
    for (const { agent, own } of this.accounts.values()) {
      const counts = own.day !== undefined || own.month !== undefined || this.exceeded(agent) !== undefined
      if (agent !== OVERFLOW && !counts) return agent
    }
    return undefined
  }

  private resetsAt(period: Period): number {
    const now = new Date(this.now())
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
    return period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  }
}

function periods(now: number): Record<Period, string> {
  const iso = new Date(now).toISOString()
  return { day: iso.slice(0, 10), month: iso.slice(0, 7) }
}
