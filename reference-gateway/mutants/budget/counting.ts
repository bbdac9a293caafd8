import { JsonScan } from '../../budgets/json-scan.ts'
import { Ledger } from '../../budgets/ledger.ts'
import { tokensOf, type Watch, watchUsage } from '../../budgets/usage.ts'
import { type BudgetRules, ledgerOf } from '../../parts/budgets.ts'
import { get, isEventStream, through, wrapReply } from '../harm.ts'
import type { Mutant } from '../mutant.ts'
import { deciding, LIMITS } from './deciding.ts'

const blind: Watch = { push: () => {}, end: then => then() }

/** Reads the usage of JSON answers in another way. */
const reading =
  (tokens: (raw: string) => number | undefined): BudgetRules['watchUsage'] =>
  (head, used) => {
    if (isEventStream(head.fields)) return watchUsage(head, used)
    const scan = new JsonScan(raw => {
      const found = tokens(raw)
      if (found !== undefined) used(found)
    })
    return { push: bytes => scan.push(bytes), end: then => then() }
  }

/** What is counted wrongly. */
export const counting: readonly Mutant[] = [
  {
    name: 'misses-streamed-usage',
    harm: 'Counts the tokens of JSON answers alone.',
    caughtBy: ['budget/streamed-usage-counts'],
    platform: 'seed',
    mutate: deciding({ watchUsage: (head, used) => (isEventStream(head.fields) ? blind : watchUsage(head, used)) }),
  },
  {
    name: 'counts-calls-in-place-of-tokens',
    harm: 'Counts one for each call.',
    caughtBy: [
      ...LIMITS,
      'budget/usage-adds-up',
      'budget/streamed-usage-counts',
      'budget/total-from-parts',
      'budget/nothing-for-nothing',
    ],
    platform: 'official',
    mutate: deciding({
      watchUsage: (_, used) => ({
        push: () => {},
        end(then) {
          used(1)
          then()
        },
      }),
    }),
  },
  {
    name: 'keeps-the-last-usage-only',
    harm: 'Remembers what the last call took, and adds nothing up.',
    caughtBy: [
      'budget/usage-adds-up',
      'budget/streamed-usage-counts',
      'budget/day-limit',
      'budget/month-limit',
      'budget/negative-usage-ignored',
    ],
    platform: 'seed',
    mutate: deciding({
      ledger: (...given) =>
        new (class extends Ledger {
          override add(agent: string, tokens: number) {
            this.reset(agent)
            super.add(agent, tokens)
          }
        })(...given),
    }),
  },
  {
    name: 'wants-a-total',
    harm: 'Counts nothing where a server gives the parts of the usage, and no sum.',
    caughtBy: ['budget/total-from-parts'],
    platform: 'seed',
    mutate: deciding({
      watchUsage: reading(raw => (get(raw, 'totalTokens') === undefined ? undefined : tokensOf(raw))),
    }),
  },
  {
    name: 'gives-tokens-back-for-negative-usage',
    harm: 'Believes whatever number a server gives.',
    caughtBy: ['budget/negative-usage-ignored'],
    platform: 'official',
    mutate: deciding({ watchUsage: reading(raw => tokensOf(raw) ?? Number(get(raw, 'totalTokens') ?? 0)) }),
  },
  {
    name: 'estimates-tokens-where-none-are-given',
    harm: 'Counts a token for every four bytes of an answer that says nothing of tokens.',
    caughtBy: ['budget/nothing-for-nothing'],
    platform: 'seed',
    mutate: wrapReply(/"tools\/call"/, (out, passage) => {
      let answer = ''
      return through(out, {
        chunk(bytes) {
          answer += bytes.toString('latin1')
          out.chunk(bytes)
        },
        end() {
          const subject = passage.identity?.subject
          if (subject && !answer.includes('tokenUsage') && answer.includes('"result"')) {
            ledgerOf(passage.gateway)?.add(subject, Math.ceil(answer.length / 4))
          }
          out.end()
        },
      })
    }),
  },
]
