import { suite } from '../kit/define.ts'
import { counting } from './budget/counting.ts'
import { limits } from './budget/limits.ts'

/** Tokens are counted for each agent, and limited by day and by month. */
export default suite({ id: 'budget', title: 'Token budgets', checks: [...counting, ...limits] })
