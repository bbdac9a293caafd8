import { answerOf, memberOf } from '../../kit/admin.ts'
import { hasResult } from '../../kit/claims/group.ts'
import { claim } from '../../kit/define.ts'
import { at, type Json, stringify } from '../../kit/json.ts'
import { clientExchange, reply, sent } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { admin, call, hangUp, open, type SendOptions, start, step, untilAdmin, untilSeen } from '../../kit/steps.ts'
import type { Claim, Evidence, Exchange, Feature, Rig, Step } from '../../kit/types.ts'

/** What every check of this suite needs; the gateway must hold `drop_index` of syncboot for risky. */
export const NEEDS: readonly Feature[] = ['approvals', 'many-backends']

/** The index that the usual risky call is about. */
const INDEX = { table: 'tb_orders', index: 'ix_orders_customer' }

/** A risky call: the same one each time, but for what is given, which stands first. */
export const risky = (as: string, { args = {}, ...o }: SendOptions & { readonly args?: object } = {}): Step =>
  call('drop_index', { ...args, ...INDEX, ...args }, { on: 'syncboot', alike: true, as, ...o })

const PATIENCE_MS = 1000

/** A risky call that may hang, as it does where gateways hold it until it is decided: then the kit hangs up. */
export const tried = (as: string, o: Parameters<typeof risky>[1] = {}): Step => {
  const steps = [
    start(risky(as, o)),
    untilSeen(`"${as}" is answered, for at most ${PATIENCE_MS} ms`, ({ client }) => ended(client, as), PATIENCE_MS),
    hangUp(as),
  ]
  return step(`${risky(as, o).says}, and hangs up where no answer comes`, async rig => {
    for (const one of steps) await one.run(rig)
  })
}

const ended = (client: readonly Exchange[], label: string): boolean => {
  const e = client.findLast(one => one.label === label)
  return e?.endedAt !== undefined || e?.failure !== undefined
}

/** Time for all that was sent before to arrive at the server, wherever it goes. */
export const roundTrip: Step = open({ who: 'another one', on: 'syncboot' })

/** The entry of this check among the approvals that the gateway lists. */
const entryIn = (value: Json | undefined, nonce: string): Json | undefined =>
  Array.isArray(value) ? value.find(one => stringify(one).includes(nonce)) : undefined

/** Waits until the risky call of this check is in the list, and waits there; labelled `approvals`. */
export const untilWaiting: Step = untilAdmin(
  'approvals',
  'the call waits there',
  (value, rig) => memberOf(rig.target, 'approvals', entryIn(value, rig.nonce), 'state') === 'WAITING_APPROVAL',
  { on: 'syncboot' },
)

/** The ticket that a call was answered with; where it hangs, that of the list. */
function ticketOf({ target, nonce, recorder }: Rig, label: string): string {
  const { client } = recorder.exchanges(nonce)
  const answer = client.findLast(e => e.label === label)
  const own = answer && ticketIn(answer)
  const list = answerOf(
    target,
    'approvals',
    client.findLast(e => e.label === 'approvals'),
  )
  const listed = memberOf(target, 'approvals', entryIn(list, nonce), 'ticketId')
  return own ?? (typeof listed === 'string' ? listed : 'none')
}

/** The ticket in the error that answers a call. */
export function ticketIn(e: Exchange): string | undefined {
  const ticket = at(reply(e), 'error.data.approvalTicketId')
  return typeof ticket === 'string' && ticket !== '' ? ticket : undefined
}

/** Approves, or rejects, the call of that label. */
export const decide = (what: 'approve' | 'reject', label = 'risky', o: { as?: string; anonymous?: true } = {}): Step =>
  admin(what, { as: what, on: 'syncboot', ...o, vars: rig => ({ ticket: ticketOf(rig, label) }) })

/** What ran at the servers. */
export const runs = ({ backend }: Evidence): Exchange[] =>
  backend.filter(e => at(sent(e), 'method') === 'tools/call' && e.request.body.includes('drop_index'))

/** So many risky calls ran at the server, all in all. */
export const ran = (count: number): Claim =>
  claim(
    'backend',
    `the tool runs ${count === 0 ? 'not at all' : count === 1 ? 'once' : `${count} times`}`,
    evidence => {
      const seen = runs(evidence).length
      return seen === count ? undefined : `it ran ${seen} times`
    },
  )

/** Nothing ran before the administrator had said so. */
export const notBefore = (label: string): Claim =>
  claim('backend', `the tool does not run before "${label}"`, evidence => {
    const decided = clientExchange(evidence, label)
    if (!decided) return 'the kit sent no such request'
    const early = runs(evidence).find(e => e.at < decided.at)
    return early && `it ran ${Math.round(decided.at - early.at)} ms before`
  })

/** A result came to one of these calls. */
export const resultOf = (...labels: readonly string[]): Claim =>
  claim('client', `a result answers ${labels.map(label => `"${label}"`).join(' or ')}`, evidence => {
    const all = evidence.client.filter(e => e.label !== undefined && labels.includes(e.label))
    return all.some(hasResult) ? undefined : all.map(describe).join('; ') || 'the kit sent no such request'
  })

/** The entry of this check in the list, as it was when it was asked for. */
export const listed = (evidence: Evidence): Json | undefined => {
  const e = clientExchange(evidence, 'approvals')
  return entryIn(answerOf(evidence.target, 'approvals', e), e?.nonce.split('.')[0] ?? '')
}
