import { answerOf, memberOf } from '../../kit/admin.ts'
import { claim } from '../../kit/define.ts'
import { at, type Json, show, stringify } from '../../kit/json.ts'
import { clientExchange, sent } from '../../kit/messages.ts'
import { untilAdmin } from '../../kit/steps.ts'
import type { Act, Claim, Evidence, Exchange, Feature, Rig, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { platform } from '../spec.ts'

/** What all checks of the record have in common. */
export const common = {
  pack: 'syncseries',
  level: 'MUST',
  spec: platform('audit'),
} as const

/** Where the record has members that only the platform's own API names. */
export const OWN_API: readonly Feature[] = ['audit-log', 'control-api']

/** A stream that begins, and how it ends. */
export const opening: readonly Act[] = [
  { do: 'head' },
  {
    do: 'write',
    text: 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"찾는 중"}}\n\n',
  },
]
export const ending: readonly Act[] = [
  { do: 'write', text: 'data: {"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"done"}]}}\n\n' },
  { do: 'end' },
]

const RECORDS = 'audit'

/** The records that the gateway showed last. */
export const recordsIn = ({ client, target }: Pick<Evidence, 'client' | 'target'>): readonly Json[] => {
  const value = answerOf(
    target,
    RECORDS,
    client.findLast(e => e.label === RECORDS),
  )
  return Array.isArray(value) ? value : []
}

/** A member of a record, under the name that the gateway gives it. */
export const member = ({ target }: Pick<Evidence, 'target'>, record: Json, name: string): Json | undefined =>
  memberOf(target, RECORDS, record, name)

/** A value that is not there: none at all, null, or empty. */
export const isNone = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** The records shown of the session of this exchange; all, where none has that session: it may be missing in them. */
export function recordsBeside(evidence: Pick<Evidence, 'client' | 'target'>, e: Exchange | undefined): readonly Json[] {
  const session = field(e?.request.headers ?? [], 'mcp-session-id')
  const all = recordsIn(evidence)
  const same = all.filter(one => session !== undefined && member(evidence, one, 'sessionId') === session)
  return same.length > 0 ? same : all
}

/** The records of one exchange: by its mark; where no record has that, by session and tool, or by session and refusal. */
export function recordsOf(evidence: Pick<Evidence, 'client' | 'target'>, e: Exchange): Json[] {
  const all = recordsIn(evidence)
  const mark = new RegExp(`${e.nonce.replace('.', '\\.')}(?!\\d)`)
  const marked = all.filter(record => mark.test(stringify(record)))
  if (marked.length > 0) return marked
  const session = field(e.request.headers, 'mcp-session-id')
  const same = all.filter(record => member(evidence, record, 'sessionId') === session)
  const tool = at(sent(e), 'params.name')
  const byTool = same.filter(record => tool !== undefined && member(evidence, record, 'toolName') === tool)
  if (byTool.length > 0) return byTool
  const status = String(e.response?.status ?? '')
  return status >= '400' ? same.filter(record => statusOf(evidence, record) === status) : []
}

/** The recorded status, as text. */
export const statusOf = (evidence: Pick<Evidence, 'target'>, record: Json): string =>
  stringify(member(evidence, record, 'responseStatus') ?? null).replaceAll('"', '')

/** Asks for the record until these exchanges are in it. */
export const untilRecorded = (...labels: readonly [string, ...string[]]): Step => recordsOfClient('a', labels)

/** The same for the session of another client. */
export const recordsOfClient = (who: string, labels: readonly string[]): Step =>
  untilAdmin(
    RECORDS,
    `${labels.map(label => `"${label}"`).join(' and ')} ${labels.length > 1 ? 'are' : 'is'} in it`,
    (_, rig) => {
      const seen = seenBy(rig)
      const wanted = seen.client.filter(e => labels.includes(e.label ?? ''))
      return wanted.every(e => recordsOf(seen, e).length > 0)
    },
    { as: RECORDS, who },
  )

export const seenBy = (rig: Rig): Pick<Evidence, 'client' | 'target'> => ({
  client: rig.recorder.exchanges(rig.nonce).client,
  target: rig.target,
})

/** Claims about the record of the exchange with that label. */
export function record(label: string) {
  const about = (says: string, refute: (record: Json, e: Exchange, evidence: Evidence) => string | undefined): Claim =>
    claim('client', `the record of "${label}" ${says}`, evidence => {
      const e = clientExchange(evidence, label)
      if (!e) return 'the kit sent no such request'
      const [found] = recordsOf(evidence, e)
      return found === undefined
        ? `there is none among the ${recordsIn(evidence).length} that it shows`
        : refute(found, e, evidence)
    })
  return {
    /** There is one, and not more. */
    once: (): Claim =>
      claim('client', `there is one record of "${label}"`, evidence => {
        const e = clientExchange(evidence, label)
        const count = e ? recordsOf(evidence, e).length : 0
        return count === 1 ? undefined : `there are ${count}, among the ${recordsIn(evidence).length} that it shows`
      }),
    /** A member has this value. */
    has: (name: string, value: string | ((e: Exchange, evidence: Evidence) => string | undefined)): Claim =>
      about(
        `has ${typeof value === 'string' ? JSON.stringify(value) : 'its'} ${typeof value === 'string' ? `as ${name}` : name}`,
        (found, e, evidence) => {
          const wanted = typeof value === 'string' ? value : value(e, evidence)
          const got = member(evidence, found, name)
          return got === wanted ? undefined : `${name}: ${show(got)} in place of ${wanted ?? 'nothing'}`
        },
      ),
    /** It has the status that the client got. */
    status: (): Claim =>
      about('has the status that the client got', (found, e, evidence) => {
        const got = statusOf(evidence, found)
        return got === String(e.response?.status) ? undefined : `${got} in place of ${e.response?.status}`
      }),
    holds: about,
  }
}
