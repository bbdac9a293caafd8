import type { State, Ticket } from './tickets.ts'

/** A ticket as the control plane shows it. */
export interface ApprovalView {
  readonly ticketId: string
  readonly state: State
  readonly tool: string
  /** As JSON reads them; numbers beyond 2^53 are exact in `argumentsText` alone. */
  readonly arguments: unknown
  /** As they were sent; null where there are none, or too many to be shown. */
  readonly argumentsText: string | null
  readonly backend: string | null
  readonly sessionId: string | null
  readonly subject: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

/** Shows a ticket. */
export function view(ticket: Ticket): ApprovalView {
  const { id, state, tool, arguments: raw, backend, sessionId, subject, createdAt, expiresAt } = ticket
  return {
    ticketId: id,
    state,
    tool,
    arguments: raw === undefined ? null : JSON.parse(raw),
    argumentsText: raw ?? null,
    backend: backend ?? null,
    sessionId: sessionId ?? null,
    subject: subject ?? null,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
