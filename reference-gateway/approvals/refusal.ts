import type { Ticket } from './tickets.ts'

/** The platform's code for a call that waits for an administrator. */
export const APPROVAL_REQUIRED = -32001

/** Message and data of the error that answers a call with this ticket; without one, there was no room for it. */
export function errorOf(tool: string, ticket: Ticket | undefined): { message: string; data: string } {
  const said = SAID[ticket?.state === 'REJECTED' ? 'rejected' : ticket ? 'waiting' : 'full']
  const data = {
    type: 'urn:mcp-gateway:problem:hitl-approval-required',
    title: 'HITL_APPROVAL_REQUIRED',
    status: 403,
    detail: said,
    instance: `/tools/call/${tool}`,
    ...(ticket && {
      approvalTicketId: ticket.id,
      state: ticket.state,
      expiresAt: new Date(ticket.expiresAt).toISOString(),
    }),
  }
  return { message: `HITL Approval Required: ${said}`, data: JSON.stringify(data) }
}

const SAID = {
  waiting: 'This call was not run. Send it again, unchanged, once an administrator has approved it.',
  rejected: 'An administrator has rejected this call.',
  full: 'Too many calls wait for an administrator already: this one was not taken in.',
} as const
