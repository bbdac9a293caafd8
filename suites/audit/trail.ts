import { backend, client, unchanged } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { credentials } from '../../kit/credentials.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, isObject, type Json, stringify } from '../../kit/json.ts'
import { clientExchange, sent } from '../../kit/messages.ts'
import { burst, call, hideToken, open, step } from '../../kit/steps.ts'
import type { Check, Evidence, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import {
  common,
  ending,
  member,
  OWN_API,
  opening,
  record,
  recordsIn,
  recordsOf,
  recordsOfClient,
  untilRecorded,
} from './records.ts'

const auditOf = ({ client: seen }: Evidence): Exchange | undefined => seen.findLast(e => e.label === 'audit')

/** How the kit shows the client's token, now that it hides it everywhere. */
const maskOf = (e: Exchange): string => field(e.request.headers, 'authorization')?.replace(/^Bearer /, '') ?? ''

const nowhere = (label: string) =>
  client(label).holds('the token stands nowhere in the record', (e, evidence) =>
    auditOf(evidence)?.response?.body.includes(maskOf(e)) ? 'the token stands in it' : undefined,
  )

/** Neither of them is a word that could be there anyway. */
const PASSWORD = 'p4ss-bluebird-91'
const KEY = 'k3y-magpie-47'

/** Larger than records usually hold. */
const LARGE = '고객이 환불을 요청했습니다. '.repeat(2000)

const size = (value: Json | undefined): number => Buffer.byteLength(stringify(value ?? null))

/** The record as a whole: what is in it, in which order, and what is never in it. */
export const trail: readonly Check[] = [
  check({
    ...common,
    id: 'audit/once',
    title: 'records every call once',
    needs: ['audit-log'],
    why: 'One call that is recorded twice is two refunds, for whoever counts them.',
    steps: [
      call('counter', {}, { as: 'first' }),
      call('echo', { after: true }, { as: 'second' }),
      untilRecorded('first', 'second'),
    ],
    given: [client('first').succeeds(), client('second').succeeds()],
    claims: [record('first').once(), record('second').once()],
  }),
  check({
    ...common,
    id: 'audit/concurrent-apart',
    title: 'keeps calls apart that are made at the same time',
    needs: ['audit-log'],
    why: 'The arguments of one call stand beside the tool and status of another.',
    steps: [burst(5, 'calls the tool echo', i => call('echo', { i }, { as: `call ${i}` })), untilRecorded('call 0')],
    claims: [
      record('call 0').holds('and of each call at the same time has its own arguments', (_, __, evidence) => {
        for (const e of evidence.client.filter(one => one.label?.startsWith('call '))) {
          const found = recordsOf(evidence, e)
          if (found.length !== 1) return `there are ${found.length} of "${e.label}"`
          const wanted = at(sent(e), 'params.arguments')
          const different = differences(wanted, member(evidence, found[0]!, 'arguments'))
          if (different.length > 0) return sayChanges(different, 'sent', 'recorded')
        }
        return undefined
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/order',
    title: 'shows calls that were made one after the other in that order, or the newest first',
    needs: ['audit-log'],
    level: 'SHOULD',
    why: 'First deleted and then exported, or first exported and then deleted: that makes a difference.',
    steps: [
      call('echo', {}, { as: 'one' }),
      call('burst_target', {}, { as: 'two' }),
      call('counter', {}, { as: 'three' }),
      untilRecorded('one', 'two', 'three'),
    ],
    given: [client('three').succeeds()],
    claims: [
      claim('client', 'the records stand in the order of the calls', evidence => {
        const all = recordsIn(evidence).map(one => stringify(one))
        const places = ['one', 'two', 'three'].map(label => {
          const e = clientExchange(evidence, label)
          const [found] = e ? recordsOf(evidence, e) : []
          return found === undefined ? -1 : all.indexOf(stringify(found))
        })
        const [a = -1, b = -1, c = -1] = places
        if (places.includes(-1)) return 'not all of them are there'
        return (a < b && b < c) || (a > b && b > c) ? undefined : `they stand at ${places.map(i => i + 1).join(', ')}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/sessions-apart',
    title: 'shows no calls of others where it is asked for those of one session',
    needs: [...OWN_API, 'sessions'],
    why: 'Whoever looks into one conversation reads what strangers have sent.',
    steps: [
      call('echo', { of: 'b' }, { as: 'of b', who: 'b' }),
      call('echo', { of: 'a' }, { as: 'of a' }),
      recordsOfClient('b', ['of b']),
      untilRecorded('of a'),
    ],
    given: [client('of a').succeeds(), client('of b').succeeds()],
    claims: [
      record('of a').holds('stands among none of other sessions', (_, e, evidence) => {
        const session = field(e.request.headers, 'mcp-session-id')
        const others = recordsIn(evidence).filter(one => member(evidence, one, 'sessionId') !== session)
        return others.length === 0 ? undefined : `${others.length} are of other sessions`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/large-arguments',
    title: 'records large arguments in whole, or says that they are cut, and does not touch the call',
    level: 'SHOULD',
    needs: ['audit-log'],
    why: 'Arguments that end in the middle without a word are taken for all that was sent.',
    steps: [call('echo', { text: LARGE }, { as: 'large' }), untilRecorded('large')],
    claims: [
      unchanged('large').params('arguments'),
      client('large').succeeds(),
      record('large').holds('has all of the arguments, or says that they are cut', (found, e, evidence) => {
        const got = member(evidence, found, 'arguments')
        const wanted = at(sent(e), 'params.arguments')
        if (got === undefined || got === null) return 'there are no arguments'
        if (differences(wanted, got).length === 0) return undefined
        if (at(got, 'truncated') !== true) return `${size(got)} bytes of ${size(wanted)}, and nothing says so`
        const most = evidence.target.limits.auditedBytes
        // What is cut is text within JSON, where a character can take two.
        return most === undefined || size(got) <= 2 * most + 200 ? undefined : `cut, and still ${size(got)} bytes`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/no-credentials',
    title: 'MUST NOT record the token that a request came with',
    needs: ['audit-log', 'auth'],
    why: 'Whoever may read the record may do all that any agent may, until the tokens run out.',
    steps: [open(), hideToken(), call('whoami', {}, { as: 'call' }), untilRecorded('call')],
    given: [client('call').succeeds(), record('call').once()],
    claims: [nowhere('call')],
  }),
  check({
    ...common,
    id: 'audit/token-hidden',
    title: 'MUST NOT record a token that stands in the arguments, either',
    needs: ['audit-log', 'auth'],
    why: 'Models put into arguments whatever they have seen, and the record keeps it for years.',
    steps: [
      open(),
      hideToken(),
      step('calls the tool echo with its own token in the arguments', async rig => {
        const [, value = ''] = credentials(rig, 'a').findLast(([name]) => name === 'Authorization') ?? []
        await call('echo', { note: `use ${value.replace('Bearer ', '')} for it` }, { as: 'call' }).run(rig)
      }),
      untilRecorded('call'),
    ],
    given: [
      client('call').holds('the token stands in the arguments', e =>
        maskOf(e) !== '' && e.request.body.includes(maskOf(e)) ? undefined : 'it does not',
      ),
      record('call').once(),
    ],
    claims: [nowhere('call'), unchanged('call').params('arguments')],
  }),
  check({
    ...common,
    id: 'audit/secrets-hidden',
    title: 'does not record the values of arguments that are named like secrets',
    level: 'SHOULD',
    needs: ['audit-log'],
    why: 'Passwords stand in a file that is copied, searched and kept for years.',
    steps: [
      call('echo', { user: 'minji', password: PASSWORD, db: { api_key: KEY } }, { as: 'call' }),
      untilRecorded('call'),
    ],
    given: [client('call').succeeds()],
    claims: [
      record('call').holds('has no password and no key', (_, __, evidence) => {
        const text = auditOf(evidence)?.response?.body ?? ''
        const found = [PASSWORD, KEY].filter(secret => text.includes(secret))
        return found.length > 0 ? `${found.join(' and ')} can be read` : undefined
      }),
      record('call').holds('still has the others', (found, _, evidence) => {
        const args = member(evidence, found, 'arguments')
        return isObject(args) && args['user'] === 'minji' ? undefined : 'the argument user is not there'
      }),
      unchanged('call').params('arguments'),
    ],
  }),
  check({
    ...common,
    id: 'audit/stream-not-held',
    title: 'does not hold up a stream to record it',
    needs: ['audit-log', 'http-backend'],
    why: 'The gateway reads answers to write down what came of them, and progress arrives when all is over.',
    steps: [
      call('slow', {}, { as: 'call', acts: [...opening, { do: 'gate', events: 1 }, ...ending] }),
      untilRecorded('call'),
    ],
    claims: [
      backend('call').holds('the client has the first event before the server sends the second', e =>
        e.held === undefined ? undefined : 'the client had nothing until the answer had ended',
      ),
      client('call').succeeds(),
      record('call').once(),
    ],
  }),
]
