import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { admin, times } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { platform } from '../spec.ts'
import { COST, free, limited, limitTo, NEEDS, refused, spend, used } from './spending.ts'

const spec = platform('budgets')
const list = admin('budgets', { as: 'budgets', on: 'syncboot' })

/** What is counted. */
export const counting: readonly Check[] = [
  check({
    id: 'budget/usage-adds-up',
    title: 'must add up the tokens that servers say a call took, in the day and in the month',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'The bill at the end of the month is another one than the gateway showed.',
    steps: [times(3, 'a call that takes 500 tokens', () => spend('call')), list],
    claims: [client('call').succeeds(), used('day', 3 * COST), used('month', 3 * COST)],
  }),
  check({
    id: 'budget/streamed-usage-counts',
    title: 'must count the tokens of an answer that comes as a stream',
    pack: 'syncseries',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'The long calls stream, and they are the dear ones.',
    steps: [times(2, 'a call that takes 500 tokens, streamed', () => spend('call', { args: { as: 'sse' } })), list],
    claims: [client('call').succeeds(), used('day', 2 * COST)],
  }),
  check({
    id: 'budget/total-from-parts',
    title: 'should add prompt and completion where a server gives no total',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: NEEDS,
    why: 'Servers that leave the sum out are free.',
    steps: [spend('call', { usage: { promptTokens: 320, completionTokens: 180 } }), list],
    claims: [client('call').succeeds(), used('day', 500)],
  }),
  check({
    id: 'budget/nothing-for-nothing',
    title: 'should count nothing for calls that say nothing of tokens',
    pack: 'policy',
    level: 'SHOULD',
    spec,
    needs: NEEDS,
    why: 'An agent that only looks things up runs out of tokens that it never used.',
    steps: [spend('call'), times(3, 'a call without usage', () => free('free call')), list],
    claims: [client('free call').succeeds(), used('day', COST)],
  }),
  check({
    id: 'budget/negative-usage-ignored',
    title: 'must not give tokens back for a usage below zero',
    pack: 'policy',
    level: 'MUST',
    spec,
    needs: NEEDS,
    why: 'One server with an overflow, or ill will, and a budget never ends.',
    steps: [
      limitTo({ perDay: 2 * COST - 100 }),
      spend('first'),
      spend('below zero', { usage: { promptTokens: 0, completionTokens: 0, totalTokens: -5000 } }),
      spend('second'),
      spend('third'),
    ],
    given: [limited],
    claims: [refused('third')],
  }),
]
