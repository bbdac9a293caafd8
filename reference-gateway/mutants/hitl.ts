import { canonical } from '../approvals/canonical.ts'
import { rules } from '../approvals/rules.ts'
import { makeApprovals, ticketsOf } from '../parts/approvals.ts'
import {
  addBefore,
  addFirst,
  edit,
  editEndpoint,
  editReply,
  opens,
  replaceEndpoint,
  replacePart,
  replyStatus,
  requestText,
  sessionOf,
  several,
  through,
} from './harm.ts'
import type { Mutant, Mutate } from './mutant.ts'

/** The right approvals but for these decisions. */
const deciding =
  (changes: Parameters<typeof makeApprovals>[0]): Mutate =>
  parts =>
    replacePart('approvals', makeApprovals(changes))(parts)

/** Its own answers alone: servers have the same code for other things. */
const REFUSAL = /urn:mcp-gateway:problem:hitl/

const ONCE = ['hitl/approved-runs-once', 'hitl/repeats-at-once']

/** Calls that run when they should not, or do not run when they should. */
const passing: readonly Mutant[] = [
  {
    name: 'runs-risky-calls-while-they-wait',
    harm: 'Makes a ticket, and runs the call before anyone has looked at it.',
    caughtBy: [
      'hitl/not-run-before-approval',
      'hitl/waiting-listed',
      'hitl/approve-needs-credentials',
      'hitl/rejected-never-runs',
      'hitl/refusal-shape',
      'hitl/same-ticket',
      'hitl/ticket-unguessable',
    ],
    platform: 'seed',
    mutate: deciding({ opens: state => state === 'APPROVED' || state === 'WAITING_APPROVAL' }),
  },
  {
    name: 'runs-rejected-calls',
    harm: 'Takes any decision of an administrator for a yes.',
    caughtBy: ['hitl/rejected-never-runs'],
    platform: 'official',
    mutate: deciding({ opens: state => state !== 'WAITING_APPROVAL' }),
  },
  {
    name: 'never-runs-approved-calls',
    harm: 'Asks again, whatever the administrator has said.',
    caughtBy: ['hitl/not-run-before-approval', ...ONCE, 'hitl/same-in-meaning'],
    platform: 'seed',
    mutate: deciding({ opens: () => false }),
  },
  {
    name: 'approves-for-ever',
    harm: 'Lets a call through as often as it comes, once it was approved.',
    caughtBy: ONCE,
    platform: 'seed',
    mutate: deciding({ spent: 'APPROVED' }),
  },
  {
    name: 'uses-tickets-up-too-late',
    harm: 'Takes a ticket for used when its call has been answered, so that repeats at the same time all run.',
    caughtBy: ['hitl/repeats-at-once'],
    platform: 'official',
    mutate: several(
      deciding({ spent: 'APPROVED' }),
      addFirst({
        name: 'harm',
        reply: (passage, out) => {
          const approved = requestText(passage).includes('drop_index')
            ? ticketsOf(passage.gateway)
                ?.list('APPROVED')
                .filter(one => one.sessionId === sessionOf(passage))
            : undefined
          return through(out, {
            end() {
              for (const ticket of approved ?? [])
                if (ticket.state === 'APPROVED') ticketsOf(passage.gateway)!.move(ticket, 'USED')
              out.end()
            },
          })
        },
      }),
    ),
  },
  {
    name: 'holds-the-session-while-a-call-waits',
    harm: 'Refuses all that an agent calls while one of its calls waits.',
    caughtBy: ['hitl/other-tools-run'],
    platform: 'seed',
    mutate: addBefore('approvals', {
      name: 'harm',
      async receive(passage) {
        const waiting = ticketsOf(passage.gateway)?.list('WAITING_APPROVAL') ?? []
        const request = await passage.body.text()
        const isCall = request.includes('tools/call') && !request.includes('drop_index')
        if (!isCall || !waiting.some(one => one.sessionId === sessionOf(passage))) return undefined
        passage.answer(403, '{"error":"Waiting for approval"}')
        return true
      },
    }),
  },
]

/** Calls that are taken for the approved one, or not. */
const binding: readonly Mutant[] = [
  {
    name: 'approves-whatever-the-arguments',
    harm: 'Looks for the approval by the tool alone.',
    caughtBy: ['hitl/other-arguments-ask-anew', 'hitl/exact-numbers', 'hitl/ticket-unguessable'],
    platform: 'seed',
    mutate: deciding({ sameness: () => '' }),
  },
  {
    name: 'rounds-arguments-of-approvals',
    harm: 'Compares arguments as doubles: beyond 2^53 two numbers are one.',
    caughtBy: ['hitl/exact-numbers'],
    platform: 'official',
    mutate: deciding({ sameness: params => canonical(JSON.stringify(JSON.parse(params)), '_meta') }),
  },
  {
    name: 'compares-arguments-as-text',
    harm: 'Does not know an approved call again whose members come in another order.',
    caughtBy: ['hitl/same-in-meaning'],
    platform: 'seed',
    mutate: deciding({ sameness: params => edit(params, '_meta', () => undefined).replace(/\s/g, '') }),
  },
  {
    name: 'approves-for-everyone',
    harm: 'Looks for the approval by the call, whoever sends it.',
    caughtBy: ['hitl/other-agent-asks-anew', 'hitl/other-session-asks-anew'],
    platform: 'seed',
    mutate: deciding({ whose: () => ['anyone'] }),
  },
  {
    name: 'approves-for-every-session',
    harm: 'Looks for the approval by the agent, in whatever session it is now.',
    caughtBy: ['hitl/other-session-asks-anew'],
    platform: 'official',
    mutate: deciding({ whose: passage => [passage.identity?.subject ?? ''] }),
  },
  {
    name: 'counts-tickets',
    harm: 'Gives tickets by number, the next one after the last.',
    caughtBy: ['hitl/ticket-unguessable'],
    platform: 'seed',
    mutate: parts => {
      let next = 88_219
      return deciding({ newId: () => `ticket-hitl-${next++}` })(parts)
    },
  },
]

/** What the agent and the administrator are told. */
const telling: readonly Mutant[] = [
  {
    name: 'gives-a-new-ticket-each-time',
    harm: 'Shows another ticket at each repeat of a call that waits.',
    caughtBy: ['hitl/same-ticket'],
    platform: 'official',
    mutate: parts => {
      const shown = new Set<string>()
      return editReply(REFUSAL, message =>
        edit(message, 'error.data.approvalTicketId', id => {
          if (!shown.has(id)) return shown.add(id) && id
          return JSON.stringify(rules.newId())
        }),
      )(parts)
    },
  },
  {
    name: 'refuses-risky-calls-with-200',
    harm: 'Dresses a call that waits as an answer like any other.',
    caughtBy: ['hitl/refusal-shape'],
    platform: 'seed',
    mutate: replyStatus(status => (status === 403 ? 200 : status), /drop_index/),
  },
  {
    name: 'drops-the-title-of-approval-problems',
    harm: 'Leaves out by what an agent knows that it has to ask.',
    caughtBy: ['hitl/refusal-shape'],
    platform: 'seed',
    mutate: editReply(REFUSAL, message => edit(message, 'error.data.title', () => undefined)),
  },
  {
    name: 'lists-waiting-calls-as-pending',
    harm: 'Calls the state of what waits by another name.',
    caughtBy: ['hitl/waiting-listed'],
    platform: 'seed',
    operate: editEndpoint('approvals', reply => ({
      ...reply,
      json: JSON.parse(JSON.stringify(reply.json).replaceAll('WAITING_APPROVAL', 'PENDING')),
    })),
  },
  {
    name: 'lets-anyone-approve',
    harm: 'Takes approvals without the administrator’s token.',
    caughtBy: ['hitl/approve-needs-credentials', 'control-plane/token-demanded'],
    platform: 'official',
    operate: opens('approve'),
  },
  {
    name: 'says-approved-and-forgets',
    harm: 'Answers an approval with 200, and changes nothing.',
    caughtBy: ['hitl/not-run-before-approval', ...ONCE, 'hitl/same-in-meaning'],
    platform: 'official',
    operate: replaceEndpoint('approve', () => ({ json: {} })),
  },
]

export const hitl: readonly Mutant[] = [...passing, ...binding, ...telling]
