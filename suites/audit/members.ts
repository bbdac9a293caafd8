import { client } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, JsonNumber, show, stringify } from '../../kit/json.ts'
import { clientExchange, sent } from '../../kit/messages.ts'
import { raw } from '../../kit/session.ts'
import { burst, call, read, withToken } from '../../kit/steps.ts'
import type { Check, Evidence, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { failing, json } from '../answers.ts'
import { common, ending, member, opening, record, recordsBeside, recordsOf, untilRecorded } from './records.ts'

/** Clocks of two machines are hardly ever the same. */
const CLOCKS_MS = 2000
const SLOW_MS = 300
/** Between the end of an answer and whoever measures it, a busy machine may do something else. */
const BUSY_MS = 250

const sameArguments = (label: string) =>
  record(label).holds('has the arguments as they were sent', (found, e, evidence) => {
    const wanted = at(sent(e), 'params.arguments')
    return sayChanges(differences(wanted, member(evidence, found, 'arguments')), 'sent', 'recorded')
  })

const asked = (evidence: Evidence, label: string, path: string) => {
  const e = clientExchange(evidence, label)
  return e && at(sent(e), path)
}

const toolOf = (e: Exchange): string | undefined => {
  const name = at(sent(e), 'params.name')
  return typeof name === 'string' ? name : undefined
}

const tookOf = (evidence: Evidence, found: Parameters<typeof member>[1]): number | undefined => {
  const took = member(evidence, found, 'executionTimeMs')
  return took instanceof JsonNumber ? Number(took.text) : undefined
}

/** What stands in a record. */
export const members: readonly Check[] = [
  check({
    ...common,
    id: 'audit/session-id',
    title: 'records the session of a call',
    needs: ['audit-log', 'sessions'],
    why: 'Nobody can tell which conversation ordered the refund.',
    steps: [call('echo', {}, { as: 'call' }), untilRecorded('call')],
    given: [client('call').succeeds()],
    claims: [record('call').has('sessionId', e => field(e.request.headers, 'mcp-session-id'))],
  }),
  check({
    ...common,
    id: 'audit/user-id',
    title: 'records whose token a call was made with',
    needs: ['audit-log', 'auth'],
    why: 'Every call seems to have been made by nobody, or by the gateway itself.',
    steps: [
      withToken({ claims: { sub: 'kim.minji@example.com' } }, 'a token of kim.minji@example.com'),
      call('counter', {}, { as: 'call' }),
      untilRecorded('call'),
    ],
    given: [client('call').succeeds()],
    claims: [record('call').has('userId', 'kim.minji@example.com')],
  }),
  check({
    ...common,
    id: 'audit/service-name',
    title: 'records the service that a call was for',
    needs: ['audit-log', 'header-routing'],
    why: 'Two servers have a tool of the same name, and the record does not tell them apart.',
    steps: [call('whoami', {}, { as: 'call' }), untilRecorded('call')],
    given: [client('call').succeeds()],
    claims: [
      record('call').has('mcpName', (e, { target }) => field(e.request.headers, target.routing.header ?? 'mcp-name')),
    ],
  }),
  check({
    ...common,
    id: 'audit/method-and-tool',
    title: 'records method and tool of a call',
    needs: ['audit-log'],
    why: 'A record without the tool says that something was done, and not what.',
    steps: [call('send_email', { to: 'a@example.com', subject: '안내' }, { as: 'call' }), untilRecorded('call')],
    given: [client('call').succeeds()],
    claims: [record('call').has('mcpMethod', 'tools/call'), record('call').has('toolName', e => toolOf(e))],
  }),
  check({
    ...common,
    id: 'audit/read-recorded',
    title: 'records reads of resources, with the resource',
    needs: ['audit-log', 'resources'],
    why: 'The customer list leaves the house by resources/read, and only calls of tools are in the record.',
    steps: [read('crm://customers', { as: 'read' }), call('echo', {}, { as: 'after' }), untilRecorded('after')],
    given: [client('read').succeeds()],
    claims: [
      record('after').holds('stands beside one of the read', (_, e, evidence) => {
        const uri = asked(evidence, 'read', 'params.uri')
        const reads = recordsBeside(evidence, e).filter(one => member(evidence, one, 'mcpMethod') === 'resources/read')
        if (reads.length !== 1) return `there are ${reads.length} records of resources/read`
        return stringify(reads[0]).includes(stringify(uri)) ? undefined : `it does not name ${show(uri)}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/arguments-kept',
    title: 'records the arguments as they were sent',
    needs: ['audit-log'],
    why: 'Korean names become question marks, or nested values [object Object]: what was ordered can no longer be proven.',
    steps: [
      call(
        'echo',
        {
          reason: '고객 요청 🧾 "따옴표" \\ \n',
          order: { lines: [{ sku: 'A-1', gift: null }, []], empty: {} },
          ok: false,
          none: '',
        },
        { as: 'call' },
      ),
      untilRecorded('call'),
    ],
    given: [client('call').succeeds()],
    claims: [sameArguments('call')],
  }),
  check({
    ...common,
    id: 'audit/numbers-kept',
    title: 'records numbers as they were sent, also such as a double cannot hold',
    needs: ['audit-log'],
    why: 'The order 9007199254740993 is refunded, and the record says 9007199254740992: another customer.',
    steps: [
      call('echo', { order: raw('9007199254740993'), amount: raw('0.10000000000000000001') }, { as: 'call' }),
      untilRecorded('call'),
    ],
    given: [client('call').succeeds()],
    claims: [sameArguments('call')],
  }),
  check({
    ...common,
    id: 'audit/status',
    title: 'records the status that the client got',
    needs: ['audit-log', 'http-backend', 'http-proxy'],
    why: 'The server failed, the client saw it, and the record says 200.',
    steps: [
      call('burst_target', {}, { as: 'fine' }),
      call('slow', {}, { as: 'failed', acts: json(failing(-32603, 'broken'), 500) }),
      untilRecorded('fine', 'failed'),
    ],
    given: [client('failed').status(500)],
    claims: [record('fine').status(), record('failed').status()],
  }),
  check({
    ...common,
    id: 'audit/time-measured',
    title: 'records how long a call took, in ms, to the end of its answer',
    needs: ['audit-log', 'http-backend'],
    waits: SLOW_MS,
    why: 'The slowest tools seem to be the fastest, because the stream began at once.',
    steps: [
      call('slow', {}, { as: 'call', acts: [...opening, { do: 'wait', ms: SLOW_MS }, ...ending] }),
      untilRecorded('call'),
    ],
    given: [client('call').succeeds()],
    claims: [
      record('call').holds('has a time between that of the server and that of the client', (found, e, evidence) => {
        const took = tookOf(evidence, found)
        const most = (e.endedAt ?? 0) - e.at + BUSY_MS
        if (took === undefined) return `executionTimeMs: ${show(member(evidence, found, 'executionTimeMs'))}`
        return took >= SLOW_MS * 0.9 && took <= most
          ? undefined
          : `${took} ms, and not ${SLOW_MS} to ${Math.round(most)}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/timestamp',
    title: 'records when a call was made',
    needs: ['audit-log'],
    why: 'Nine hours off: local time that says it is UTC, and the record no longer fits any other log.',
    steps: [call('burst_target', {}, { as: 'call' }), untilRecorded('call')],
    given: [client('call').succeeds()],
    claims: [
      record('call').holds('has a time within the call', (found, e, evidence) => {
        const time = member(evidence, found, 'timestamp')
        const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
        const [from, to] = [e.at - CLOCKS_MS, (e.endedAt ?? e.at) + CLOCKS_MS]
        return ms >= from && ms <= to
          ? undefined
          : `timestamp: ${show(time)}, the call was ${new Date(e.at).toISOString()}`
      }),
    ],
  }),
  check({
    ...common,
    id: 'audit/id-unique',
    title: 'gives every record an id of its own',
    needs: ['audit-log'],
    why: 'Two calls of one moment have the same id, and only one of them is in the archive.',
    steps: [
      burst(5, 'calls the tool burst_target', () => call('burst_target', {}, { as: 'call' })),
      untilRecorded('call'),
    ],
    claims: [
      record('call').holds('has an id that no other has', (_, __, evidence) => {
        const mine = evidence.client.filter(e => e.label === 'call').flatMap(e => recordsOf(evidence, e))
        const ids = mine.map(one => member(evidence, one, 'id')).map(id => (id === undefined ? '' : stringify(id)))
        if (ids.includes('') || ids.includes('""') || ids.includes('null')) return 'there are records without an id'
        const twice = ids.find((id, i) => ids.indexOf(id) !== i)
        return twice === undefined ? undefined : `${twice} stands at several`
      }),
    ],
  }),
]
