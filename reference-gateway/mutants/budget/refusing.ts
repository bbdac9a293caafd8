import { agentOf } from '../../budgets/agent.ts'
import { type Account, Ledger } from '../../budgets/ledger.ts'
import { ledgerOf } from '../../parts/budgets.ts'
import {
  addBefore,
  addFirst,
  edit,
  editReply,
  errorMessage,
  get,
  Hop,
  nowhere,
  replyStatus,
  requestText,
} from '../harm.ts'
import type { Mutant } from '../mutant.ts'
import { deciding, LIMITS } from './deciding.ts'

/** Its own answers alone: servers have the same code for resources that are not there. */
const REFUSAL = /urn:mcp-gateway:problem:token/

class MonthForgotten extends Ledger {
  override exceeded(agent: string) {
    const over = super.exceeded(agent)
    return over?.period === 'month' ? undefined : over
  }
}

/** Agents of one name, but for what stands behind the last dash. */
class TeamsTogether extends Ledger {
  override exceeded(agent: string) {
    const team = (name: string) => name.slice(0, name.lastIndexOf('-') + 1)
    const mates = this.all().filter(one => one.agent !== agent && team(one.agent) === team(agent))
    return [agent, ...mates.map(one => one.agent)].map(name => super.exceeded(name)).find(over => over !== undefined)
  }
}

class NeverRaised extends Ledger {
  override limitTo(agent: string, own: Account['own']) {
    const old = this.find(agent)?.own.day
    const day = typeof old === 'number' && typeof own.day === 'number' ? Math.min(old, own.day) : own.day
    return super.limitTo(agent, { ...own, day })
  }
}

/** What happens at a limit. */
export const refusing: readonly Mutant[] = [
  {
    name: 'counts-and-never-refuses',
    harm: 'Keeps the books, and lets everybody go on.',
    caughtBy: LIMITS,
    platform: 'seed',
    mutate: deciding({
      ledger: (...given) =>
        new (class extends Ledger {
          override exceeded() {
            return undefined
          }
        })(...given),
    }),
  },
  {
    name: 'forgets-the-limit-of-the-month',
    harm: 'Looks at the day alone.',
    caughtBy: ['budget/month-limit'],
    platform: 'official',
    mutate: deciding({ ledger: (...given) => new MonthForgotten(...given) }),
  },
  {
    name: 'asks-the-server-before-it-refuses',
    harm: 'Sends the call on although it is refused: the tokens are spent, and nobody gets anything.',
    caughtBy: ['budget/day-limit', 'budget/month-limit', 'budget/new-session-no-way-out'],
    platform: 'seed',
    mutate: addBefore('budgets', {
      name: 'harm',
      async receive(passage) {
        const agent = await agentOf(passage)
        const { backend, method, fields, gateway } = passage
        const request = await passage.body.text()
        if (!backend || !request.includes('tools/call') || !ledgerOf(gateway)?.exceeded(agent)) return undefined
        const hop = new Hop(passage, backend, method, backend.path, [...fields], passage.body)
        await new Promise<void>(resolve => {
          void gateway.send(hop, { ...nowhere, end: resolve, fail: () => resolve() })
        })
        return undefined
      },
    }),
  },
  {
    name: 'withholds-the-call-that-crosses',
    harm: 'Has the call done, and then answers that there are no tokens for it.',
    caughtBy: ['budget/crossing-call-answered'],
    platform: 'official',
    mutate: editReply({ message: /"tokenUsage"/ }, (message, { passage }) =>
      ledgerOf(passage.gateway)?.exceeded(passage.identity?.subject ?? '')
        ? errorMessage(get(message, 'id'), -32002, 'Token Budget Exceeded')
        : message,
    ),
  },
  {
    name: 'refuses-spent-agents-with-200',
    harm: 'Dresses the refusal as an answer like any other.',
    caughtBy: LIMITS,
    platform: 'seed',
    mutate: replyStatus(status => (status === 429 ? 200 : status), {
      also: passage => !!ledgerOf(passage.gateway)?.exceeded(passage.identity?.subject ?? ''),
    }),
  },
  {
    name: 'drops-the-problem-of-spent-budgets',
    harm: 'Says no, and not why.',
    caughtBy: ['budget/refusal-shape'],
    platform: 'official',
    mutate: editReply(REFUSAL, message => edit(message, 'error.data', () => undefined)),
  },
  {
    name: 'counts-teams-together',
    harm: 'Takes agents for one whose names differ only behind the last dash.',
    caughtBy: ['budget/other-agent-goes-on'],
    platform: 'seed',
    mutate: deciding({ ledger: (...given) => new TeamsTogether(...given) }),
  },
  {
    name: 'begins-anew-with-each-session',
    harm: 'Forgets what an agent has used when it opens a session.',
    caughtBy: ['budget/new-session-no-way-out'],
    platform: 'seed',
    mutate: addFirst({
      name: 'harm',
      reply(passage, out) {
        const subject = passage.identity?.subject
        if (subject && requestText(passage).includes('"initialize"')) ledgerOf(passage.gateway)?.reset(subject)
        return out
      },
    }),
  },
  {
    name: 'never-raises-a-limit',
    harm: 'Takes the lowest limit that an agent ever had.',
    caughtBy: ['budget/raise-recovers'],
    platform: 'official',
    mutate: deciding({ ledger: (...given) => new NeverRaised(...given) }),
  },
]
