import type { Account, Ledger, Period } from '../../budgets/ledger.ts'
import { ledgerOf } from '../../parts/budgets.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'
import { members, type Reader } from '../members.ts'

/** The tokens that agents have used, and may use. */
export const budgets: readonly Endpoint[] = [
  {
    name: 'budgets',
    method: 'GET',
    path: '/api/v1/budgets',
    run({ gateway }) {
      const ledger = ledgerOf(gateway)
      return { json: { budgets: ledger?.all().map(account => view(ledger, account)) ?? [] } }
    },
  },
  {
    name: 'set-budget',
    method: 'PUT',
    path: '/api/v1/budgets/:agent',
    async run(call) {
      const ledger = needed(call)
      const { perDay: day, perMonth: month } = members(await call.json(), { perDay: LIMIT, perMonth: LIMIT })
      const own = { day, month }
      return { json: view(ledger, ledger.limitTo(call.params['agent']!, own)) }
    },
  },
  {
    name: 'reset-budget',
    method: 'POST',
    path: '/api/v1/budgets/:agent/reset',
    run(call) {
      const ledger = needed(call)
      return { json: view(ledger, ledger.reset(call.params['agent']!) ?? unknown(call)) }
    },
  },
]

function view(ledger: Ledger, account: Account) {
  const shown = (period: Period) => ({ used: account.used[period], limit: ledger.limit(account, period) })
  return { agent: account.agent, day: shown('day'), month: shown('month') }
}

function needed({ gateway }: Call): Ledger {
  const ledger = ledgerOf(gateway)
  if (ledger) return ledger
  throw new Problem(404, 'no-budgets', 'No budgets', 'The gateway runs without budgets: configure `budgets`.')
}

function unknown({ params }: Call): never {
  throw new Problem(404, 'no-such-agent', 'No such agent', `No agent ${params['agent']} has used any tokens.`)
}

/** Null for none, undefined for the usual one. */
const LIMIT: Reader<number | null | undefined> = value => {
  if (value === undefined || value === null) return value
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new Error('must be a whole number of tokens, or null for no limit')
}
