import type { Refusal } from '../types.ts'
import type { Reason, Tracked } from './sessions.ts'

/** Free for servers to use, and not used by the platform's own table. */
const CODE = -32000

const KINDS: Readonly<Record<Reason, { status: number; reason: string; detail: string }>> = {
  rate: { status: 429, reason: 'Rate limit exceeded', detail: 'This session has sent too many requests at a time.' },
  payload: { status: 413, reason: 'Payload threshold exceeded', detail: 'This session has read too large a resource.' },
}

/** The refusal of a request of an open session. `Retry-After` is there where the session closes by itself. */
export function refusalOf({ reason = 'rate', closesAt }: Tracked, now: number): Refusal {
  const { status, reason: says, detail } = KINDS[reason]
  const seconds = Math.max(1, Math.ceil((closesAt - now) / 1000))
  const waits = Number.isFinite(seconds)
  return {
    status,
    seed: { error: 'CircuitBreakerTripped', reason: says },
    code: CODE,
    message: `Circuit breaker tripped: ${says}`,
    data: {
      type: `urn:mcp-gateway:problem:breaker-${reason}`,
      title: says,
      status,
      detail: `${detail} ${waits ? `It is open for another ${seconds} s.` : 'It is open until an administrator resets it.'}`,
      ...(waits && { retryAfterSeconds: seconds }),
    },
    fields: waits ? [['Retry-After', String(seconds)]] : [],
  }
}
