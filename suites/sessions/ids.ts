import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { describe, post, requestText, sessionOf } from '../../kit/session.ts'
import { call, endSession, notify, open, request, step, times } from '../../kit/steps.ts'
import type { Check, Evidence, Pairs, Step } from '../../kit/types.ts'
import { rfc9110, spec } from '../spec.ts'
import { methodOf, named, valuesOf, within } from './seen.ts'

const management = spec('2025-11-25', 'basic/transports', 'session-management')

const SAMPLES = 10
/** In how many places ids that come one after the other must differ; a counter differs in two or three. */
const PLACES = 12

const idsOf = (headers: Pairs): string[] => valuesOf(headers, 'mcp-session-id')

const issued = (evidence: Evidence): string[] =>
  evidence.client.flatMap(e => (methodOf(e) === 'initialize' ? idsOf(e.response?.headers ?? []) : []))

const openMany = times(SAMPLES, 'opens a session', i => open({ who: `client ${i + 1}`, uninitialized: true }))

/** Fields that allow one value only, and say whose session or which language it is. */
const SINGLE = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'Content-Type']

const SPELLINGS = ['mcp-session-id', 'MCP-SESSION-ID', 'mCP-sESSION-iD'] as const

const spelled: Step = step(`pings with the session id in the field ${SPELLINGS.join(', then ')}`, async rig => {
  const session = await sessionOf(rig)
  for (const name of SPELLINGS) {
    const mark = rig.next()
    const text = requestText(session.nextId++, 'ping', {}, mark)
    await post(rig, session, text, { mark, label: name, headers: { [name]: session.id } })
  }
})

/** The id of a session: what it looks like, and what is said without it. */
export const ids: readonly Check[] = [
  check({
    id: 'sessions/id-visible-ascii',
    title: 'issues session ids of visible ASCII characters',
    pack: 'mcp',
    level: 'MUST',
    spec: management,
    catalogue: ['session.id-visible-ascii', 'session.issued-on-initialize'],
    needs: ['sessions'],
    why: 'An id with a space or a letter beyond ASCII is cut, quoted or refused by the HTTP software on its way.',
    steps: [times(3, 'opens a session', i => open({ who: `client ${i + 1}`, uninitialized: true }))],
    claims: [
      claim('client', 'every id holds characters from 0x21 to 0x7E only', evidence => {
        const ids = issued(evidence)
        if (!ids.length) return 'no id was issued'
        const odd = ids.find(id => !/^[\x21-\x7e]+$/.test(id))
        return odd === undefined ? undefined : JSON.stringify(odd)
      }),
    ],
  }),
  check({
    id: 'sessions/id-unguessable',
    title: 'issues session ids that are unique and follow no count',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.id-unguessable'],
    needs: ['sessions'],
    why: 'Who can guess the id of somebody else’s session can listen to it and speak in it.',
    steps: [openMany],
    claims: [
      claim('client', 'no id is issued twice', evidence => {
        const ids = issued(evidence)
        const twice = ids.find((id, i) => ids.indexOf(id) !== i)
        return twice === undefined ? undefined : `${twice} was`
      }),
      claim('client', `the ids differ in at least ${PLACES} places`, evidence => {
        const ids = issued(evidence)
        const longest = Math.max(0, ...ids.map(id => id.length))
        const places = Array.from({ length: longest }, (_, i) => new Set(ids.map(id => id[i])).size)
        const varying = places.filter(variants => variants > 1).length
        return varying >= PLACES ? undefined : `in ${varying}: ${ids.slice(0, 3).join(', ')}`
      }),
    ],
  }),
  check({
    id: 'sessions/id-missing-400',
    title: 'answers a request without the session id with 400, or does not need the id',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.missing-id-400'],
    needs: ['sessions'],
    why: 'With 404 the client begins anew again and again; with 5xx it tries the same again and again.',
    steps: [request('tools/list', {}, { headers: { 'Mcp-Session-Id': undefined } })],
    claims: [
      client().holds('the status is 400, or the request is answered all the same', e => {
        const status = e.response?.status
        return status === 400 || (status !== undefined && status < 300) ? undefined : describe(e)
      }),
    ],
  }),
  check({
    id: 'sessions/id-unknown-404',
    title: 'answers a request with a session id that was never issued with 404',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.unknown-id-404'],
    needs: ['sessions'],
    contradicts: ['breaker-rate/invented-session-guarded'],
    why: 'After a restart all ids are unknown. Only 404 makes clients begin a new session; with anything else they are stuck.',
    steps: [request('tools/list', {}, { headers: { 'Mcp-Session-Id': '5f0f9d1c-2a4b-4a7e-9c55-0b8d3c1e7a90' } })],
    claims: [client().status(404)],
  }),
  check({
    id: 'sessions/id-any-case',
    title: 'knows the session id in whatever case the name of its field is written',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('5.1'),
    catalogue: ['session.header-case'],
    needs: ['sessions'],
    why: 'Revisions spell it in two ways, and HTTP/2 in a third: names of fields have no case.',
    steps: [spelled],
    claims: [client(SPELLINGS[0]).succeeds(), client(SPELLINGS[1]).succeeds(), client(SPELLINGS[2]).succeeds()],
  }),
  check({
    id: 'sessions/header-once',
    title: 'never sends a field twice that allows one value, such as the session id',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('5.3'),
    catalogue: ['session.issued-on-initialize', 'session.id-sent-upstream'],
    why: 'Two of them are read as one with a comma in it, and that is the id of no session.',
    steps: [call('echo'), request('tools/list'), request('ping')],
    claims: [
      claim('client', 'no answer has such a field twice', ({ client }) =>
        client.map(e => doubled(e.response?.headers ?? [], named(e))).find(seen => seen !== undefined),
      ),
      claim('backend', 'no request has such a field twice', ({ backend }) =>
        backend.map(e => doubled(e.request.headers, named(e))).find(seen => seen !== undefined),
      ),
    ],
  }),
  check({
    id: 'sessions/id-sent-upstream',
    title: 'sends the session id that the server issued with everything but initialize',
    pack: 'mcp',
    level: 'MUST',
    spec: management,
    catalogue: ['session.id-sent-upstream', 'lifecycle.initialize-first'],
    needs: ['http-backend'],
    why: 'A server refuses what it can assign to no session.',
    steps: [
      call('echo'),
      request('tools/list'),
      notify('notifications/roots/list_changed'),
      call('burst_target', {}, { as: 'the last call' }),
      endSession(),
    ],
    claims: [
      claim('backend', 'every request in the session carries its id', evidence => {
        const requests = within(evidence)
        if (!requests.length) return 'nothing reached a server'
        const without = requests.find(e => (idsOf(e.request.headers)[0] ?? '') === '')
        // A server without sessions has given no id, and misses none.
        const hasSessions = evidence.backend.some(
          e => idsOf(e.request.headers).length > 0 || e.response?.status === 400,
        )
        const gave = evidence.backend.some(e => idsOf(e.response?.headers ?? []).length > 0)
        return without && (hasSessions || gave) ? `${named(without)} has none` : undefined
      }),
      claim('backend', 'initialize carries none', ({ backend }) => {
        const early = backend.find(e => methodOf(e) === 'initialize')
        const found = early && idsOf(early.request.headers)[0]
        return found === undefined ? undefined : `it carries ${found}`
      }),
    ],
  }),
]

function doubled(headers: Pairs, where: string): string | undefined {
  for (const name of SINGLE) {
    const values = valuesOf(headers, name)
    if (values.length > 1 || values[0]?.includes(', ')) return `${where} has ${name}: ${values.join(' | ')}`
  }
  return undefined
}
