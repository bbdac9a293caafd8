/** What the control plane answers, as far as it is shown. */

/** A session of the breaker. */
export interface Session {
  readonly key: string
  readonly sessionId: string | null
  readonly subject: string | null
  readonly state: 'OPEN' | 'CLOSED'
  readonly reason: 'rate' | 'payload' | null
  readonly closesAt: string | null
  readonly requests: number
  readonly lastSeenAt: string
}

/** One call, as it was written down. */
export interface AuditRecord {
  readonly id: string
  readonly timestamp: string
  readonly sessionId: string | null
  readonly userId: string | null
  readonly mcpName: string | null
  readonly mcpMethod: string | null
  readonly toolName: string | null
  readonly responseStatus: number | null
  readonly executionTimeMs: number
  /** What the gateway added to that; null where nothing was sent to a server. */
  readonly addedMs: number | null
  readonly outcome: string
  readonly refusedBy: string | null
}

/** A call that waits, or has waited, for an administrator. */
export interface Approval {
  readonly ticketId: string
  readonly state: 'WAITING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'EXPIRED' | 'USED'
  readonly tool: string
  readonly arguments: unknown
  /** As they were sent, where the gateway says so: numbers beyond 2^53 are exact in it alone. */
  readonly argumentsText?: string | null
  readonly backend: string | null
  readonly sessionId: string | null
  readonly subject: string | null
  readonly expiresAt: string
}

/** A server behind the gateway. */
export interface Route {
  readonly name: string
  readonly service: string
  readonly url: string
  readonly registered?: boolean
}

/** What was used of an allowance; without a limit, null. */
export interface Allowance {
  readonly used: number
  readonly limit: number | null
}

/** The tokens of one agent. */
export interface Budget {
  readonly agent: string
  readonly day: Allowance
  readonly month: Allowance
}

/** A tool, as its server lists it. */
export interface Tool {
  readonly name: string
  readonly backend: string
  readonly title?: string
  readonly description?: string
}

/** A server, and whether it answered when it was asked for its tools. */
export interface Backend {
  readonly name: string
  readonly service: string
  readonly state: 'up' | 'down'
  /** Why it is down: the end of "the server …". */
  readonly reason?: string
}
