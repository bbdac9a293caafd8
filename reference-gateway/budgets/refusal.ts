import { errorMessage } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Message } from '../tool-calls.ts'
import type { Exceeded } from './ledger.ts'

/** The platform's code for tokens that are used up. */
const BUDGET_EXCEEDED = -32002

/** Refuses the calls of an agent that is past its limit: 429, and an error for each request. */
export function refuse(passage: Passage, messages: readonly Message[], over: Exceeded, now: number): void {
  const { period, used, limit, resetsAt } = over
  const detail = `The tokens of this ${period} are used up: ${used} of ${limit}.`
  const data = (tool: string | undefined) =>
    JSON.stringify({
      type: 'urn:mcp-gateway:problem:token-budget-exceeded',
      title: 'TOKEN_BUDGET_EXCEEDED',
      status: 429,
      detail,
      instance: tool === undefined ? passage.path : `/tools/call/${tool}`,
      period,
      used,
      limit,
      resetsAt: new Date(resetsAt).toISOString(),
    })
  const answered = messages.filter(one => one.isRequest || one.params)
  const errors = answered.map(one =>
    errorMessage(one.id, BUDGET_EXCEEDED, `Token Budget Exceeded: ${detail}`, data(one.tool)),
  )
  const seconds = Math.max(1, Math.ceil((resetsAt - now) / 1000))
  passage.answer(429, messages.length > 1 ? `[${errors.join(',')}]` : errors[0]!, [['Retry-After', String(seconds)]])
}
