import type { State, Ticket, Tickets } from '../../approvals/tickets.ts'
import { view } from '../../approvals/view.ts'
import { ticketsOf } from '../../parts/approvals.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'

const STATES: readonly State[] = ['WAITING_APPROVAL', 'APPROVED', 'REJECTED', 'EXPIRED', 'USED']

/** Calls that wait for an administrator, and what he says to them. */
export const approvals: readonly Endpoint[] = [
  {
    name: 'approvals',
    method: 'GET',
    path: '/api/v1/approvals',
    run({ gateway, query }) {
      const found = ticketsOf(gateway)?.list(stateOf(query.get('state'))) ?? []
      return { json: { approvals: found.map(view) } }
    },
  },
  {
    name: 'approval-stream',
    method: 'GET',
    path: '/api/v1/approvals/stream',
    run(call) {
      const tickets = needed(call)
      const stream = call.stream()
      for (const ticket of tickets.list('WAITING_APPROVAL').reverse()) stream.send('approval', view(ticket))
      const stop = tickets.watch(ticket => stream.send('approval', view(ticket)))
      stream.over.addEventListener('abort', stop, { once: true })
      return undefined
    },
  },
  {
    name: 'approve',
    method: 'POST',
    path: '/api/v1/approvals/:ticketId/approve',
    run: call => decide(call, 'APPROVED'),
  },
  {
    name: 'reject',
    method: 'POST',
    path: '/api/v1/approvals/:ticketId/reject',
    run: call => decide(call, 'REJECTED'),
  },
]

function decide(call: Call, state: 'APPROVED' | 'REJECTED') {
  const tickets = needed(call)
  const ticket = tickets.find(call.params['ticketId']!) ?? unknown(call)
  // Whoever says the same thing again, because the answer was lost, has not gone wrong.
  if (ticket.state !== state) {
    if (ticket.state !== 'WAITING_APPROVAL') throw decided(ticket)
    tickets.move(ticket, state)
  }
  return { json: view(ticket) }
}

function needed({ gateway }: Call): Tickets {
  const tickets = ticketsOf(gateway)
  if (tickets) return tickets
  throw new Problem(404, 'no-approvals', 'No approvals', 'The gateway runs without approvals: configure `approvals`.')
}

function unknown({ params }: Call): never {
  const detail = `There is no ticket ${params['ticketId']}: it never was, or it has been over for long.`
  throw new Problem(404, 'no-such-ticket', 'No such ticket', detail)
}

const decided = ({ id, state }: Ticket): Problem =>
  new Problem(409, 'ticket-decided', 'Decided already', `The ticket ${id} waits no more: it is ${state}.`, {
    more: { state },
  })

function stateOf(text: string | null): State | undefined {
  const state = STATES.find(one => one === text)
  if (state || text === null) return state
  throw new Problem(400, 'bad-query', 'Bad query', `state is one of ${STATES.join(', ')}, not ${text}.`)
}
