import { edit, editReply, type Mutant } from './harm.ts'

const drop = () => undefined

/** Names of members with letters that are not ASCII. */
const NAMES = /"[^"\\]*[^\x20-\x7e][^"\\]*"(?=\s*:)/g

/** Problems that lose something on their way, and refusals without one. */
export const problemDetails: readonly Mutant[] = [
  {
    name: 'drops-instances-of-problems',
    harm: 'Leaves the instance out of problems about parameters.',
    platform: 'seed',
    caughtBy: ['problem-details/members-kept'],
    mutate: editReply(/INVALID_PARAMS.*"status":422\b/s, message => edit(message, 'error.data.instance', drop)),
  },
  {
    name: 'drops-empty-members-of-problems',
    harm: 'Leaves members that are null, false or empty out of problems.',
    platform: 'seed',
    caughtBy: ['problem-details/extensions-kept'],
    mutate: editReply(/"error":.*"type":/s, message =>
      edit(message, 'error.data.*', raw => (/^(null|false|\[\]|\{\}|"")$/.test(raw) ? undefined : raw)),
    ),
  },
  {
    name: 'rounds-numbers-in-problems',
    harm: 'Reads numbers in problems as doubles.',
    platform: 'seed',
    caughtBy: ['problem-details/numbers-kept'],
    mutate: editReply(/"error":.*"orderId":\d{16}/s, message =>
      edit(message, 'error.data', raw => JSON.stringify(JSON.parse(raw))),
    ),
  },
  {
    name: 'reads-names-in-problems-as-ascii',
    harm: 'Puts question marks for letters that are not ASCII, in names of members of problems.',
    platform: 'seed',
    caughtBy: ['problem-details/korean-kept'],
    mutate: editReply(/"error":/, message => message.replace(NAMES, name => name.replace(/[^\x20-\x7e]/g, '?'))),
  },
  {
    name: 'puts-200-into-problems-of-streams',
    harm: 'Puts the status of the answer into problems that come in a stream.',
    platform: 'seed',
    caughtBy: ['problem-details/on-stream'],
    mutate: editReply({ message: /"code":-32603,"message":"Internal Error","data":.*"status":500\b/s }, message =>
      edit(message, 'error.data.status', () => '200'),
    ),
  },
  {
    name: 'shows-no-tickets-of-schemas',
    harm: 'Keeps the number of the ticket to itself, where a schema must be approved.',
    platform: 'seed',
    caughtBy: ['problem-details/approval-of-a-schema'],
    mutate: editReply(/"error":.*tb_membership_grade/s, message => edit(message, 'error.data.approvalTicketId', drop)),
  },
  {
    name: 'refuses-tokens-without-instance',
    harm: 'Does not say which call it was that came without a token.',
    platform: 'official',
    caughtBy: ['problem-details/unauthorized'],
    mutate: editReply({ message: /"error":.*"status":401\b/s, request: /burst_target/ }, message =>
      edit(message, 'error.data.instance', drop),
    ),
  },
  {
    name: 'refuses-routes-without-detail',
    harm: 'Gives a title, and no more, where there is no route.',
    platform: 'official',
    caughtBy: ['problem-details/no-route'],
    mutate: editReply(/"error":.*"status":502\b/s, message => edit(message, 'error.data.detail', drop)),
  },
  {
    name: 'refuses-haste-with-plain-errors',
    harm: 'Says that a session sends too much in an error without data.',
    platform: 'official',
    caughtBy: ['problem-details/too-many'],
    mutate: editReply(/"Circuit breaker tripped: Rate/, message => edit(message, 'error.data', drop)),
  },
]
