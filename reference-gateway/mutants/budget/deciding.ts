import { type BudgetRules, makeBudgets } from '../../parts/budgets.ts'
import { replacePart } from '../harm.ts'
import type { Mutate } from '../mutant.ts'

/** The right budgets but for these decisions. */
export const deciding =
  (changes: Partial<BudgetRules>): Mutate =>
  parts =>
    replacePart('budgets', makeBudgets(changes))(parts)

/** The checks that see an agent past its limit refused. */
export const LIMITS = [
  'budget/day-limit',
  'budget/month-limit',
  'budget/refusal-shape',
  'budget/other-agent-goes-on',
  'budget/new-session-no-way-out',
  'budget/raise-recovers',
  'budget/negative-usage-ignored',
]
