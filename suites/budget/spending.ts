import { answerOf, memberOf } from '../../kit/admin.ts'
import { client } from '../../kit/claims.ts'
import { claim } from '../../kit/define.ts'
import { at, type Json, show } from '../../kit/json.ts'
import { clientExchange, reply } from '../../kit/messages.ts'
import { admin, call, open, type SendOptions } from '../../kit/steps.ts'
import type { Act, Claim, Evidence, Feature, Rig, Step } from '../../kit/types.ts'

/** What every check of this suite needs. */
export const NEEDS: readonly Feature[] = ['budgets', 'many-backends']

/** What one call of `syncboot_generate_schema` says that it took. */
export const COST = 500

/** The name that a client has in its token, and gives in `_meta` where there are no tokens. */
const nameOf = (nonce: string, who = 'a'): string => `agent-${nonce}-${who}`

const named = ({ who, ...o }: SendOptions, rig: Rig): SendOptions => ({
  ...o,
  ...(who !== undefined && { who }),
  meta: { ...o.meta, callerAgent: nameOf(rig.nonce, who) },
})

/** A call that takes 500 tokens; where `usage` is given, one that says something else of itself. */
export const spend = (
  as: string,
  { usage, args = {}, ...o }: SendOptions & { usage?: object; args?: object } = {},
): Step => {
  const make = (more: SendOptions): Step =>
    call('syncboot_generate_schema', { domainName: 'Order', fields: [], ...args }, { on: 'syncboot', as, ...more })
  const acts = usage && { acts: answering(usage) }
  return { says: make({ ...o, ...acts }).says, run: rig => make({ ...named(o, rig), ...acts }).run(rig) }
}

/** A server that answers with this usage. */
const answering = (usage: object): readonly Act[] => [
  { do: 'head', status: 200, headers: [['Content-Type', 'application/json']] },
  {
    do: 'write',
    text: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[],"isError":false,"_meta":{"tokenUsage":${JSON.stringify(usage)}}}}`,
  },
  { do: 'end' },
]

/** A call that takes no tokens. */
export const free = (as: string): Step => {
  const make = (o: SendOptions): Step => call('burst_target', {}, { on: 'syncboot', as, ...o })
  return { says: make({}).says, run: rig => make(named({}, rig)).run(rig) }
}

/** Time for all that was sent before to arrive at the server, wherever it goes. */
export const roundTrip: Step = open({ who: 'another one', on: 'syncboot' })

/** Sets the limits of client a; null for none. */
export const limitTo = (limits: { perDay?: number; perMonth?: number }, as = 'limit'): Step => {
  const { perDay = null, perMonth = null } = limits
  const said = Object.entries(limits).map(([name, value]) => `${name} ${value}`)
  return {
    says: `sets the budget of client a to ${said.join(' and ')}`,
    run: admin('setBudget', {
      as,
      on: 'syncboot',
      vars: rig => ({ agent: nameOf(rig.nonce), perDay, perMonth }) as Record<string, Json>,
    }).run,
  }
}

/** What was set could be set. */
export const limited = client('limit').status(200, 299)

/** The answer is a refusal for want of tokens: 429, or the platform's code. */
export const refused = (label: string): Claim =>
  client(label).holds('the call is refused with 429', e => {
    const { status } = e.response ?? {}
    if (at(reply(e), 'result') !== undefined) return 'a result answers it'
    return status === 429 ? undefined : `status ${status}`
  })

/** The used tokens of client a in the list labelled `budgets`. */
export const used = (period: 'day' | 'month', tokens: number): Claim =>
  claim('client', `${tokens} tokens of client a are counted in the ${period}`, evidence => {
    const seen = show(memberOf(evidence.target, 'budgets', entry(evidence), `${period}.used`))
    return seen === String(tokens) ? undefined : `${seen}`
  })

function entry(evidence: Evidence): Json | undefined {
  const e = clientExchange(evidence, 'budgets')
  const list = answerOf(evidence.target, 'budgets', e)
  const agent = nameOf(e?.nonce.split('.')[0] ?? '')
  if (!Array.isArray(list)) return undefined
  return list.find(one => memberOf(evidence.target, 'budgets', one, 'agent') === agent)
}
