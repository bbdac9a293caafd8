import { document, result } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { whereDeclared } from '../../kit/declared.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, json, stringify } from '../../kit/json.ts'
import { entriesOf, listed, pagesOf } from '../../kit/listed.ts'
import { behind, notifications, reply, sent } from '../../kit/messages.ts'
import { call, list, listen, request, start, step, untilSeen, untilStream } from '../../kit/steps.ts'
import type { Check, Claim, Evidence, Exchange, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'

/**
 * Every cursor that a server got is one that it gave. A page may have been listed before this check began, so a cursor
 * that the server takes counts as its own.
 */
const ownCursors = (method: string): Claim =>
  claim('backend', 'every cursor that reaches a server is one that it gave', ({ backend }) => {
    const lists = backend.filter(e => at(sent(e), 'method') === method)
    const bent = lists.flatMap(e => {
      const cursor = at(sent(e), 'params.cursor')
      const given = lists.filter(l => l.server === e.server).flatMap(l => at(reply(l), 'result.nextCursor') ?? [])
      const known = cursor === undefined || given.some(g => stringify(g) === stringify(cursor))
      return known || at(reply(e), 'error') === undefined ? [] : [{ cursor, given }]
    })
    const [first] = bent
    return (
      first && `it got ${stringify(first.cursor)}, and had given ${first.given.map(stringify).join(' and ') || 'none'}`
    )
  })

/** Asks for the page after the one called "one", if there is one. */
const next = (as: string): Step =>
  step('asks for the page after that', async rig => {
    const { client: all } = rig.recorder.exchanges(rig.nonce)
    const one = all.find(e => e.label === 'one')
    const cursor = one && at(reply(one), 'result.nextCursor')
    if (typeof cursor === 'string') await request('tools/list', { cursor }, { as }).run(rig)
  })

const sameList: Claim = claim('client', 'both times the same is listed', evidence => {
  const byName = (label: string) =>
    new Map(entriesOf(pagesOf(evidence, label), 'tools').map(tool => [String(tool['name']), tool]))
  const [first, second] = [byName('first'), byName('second')]
  const only = (one: typeof first, other: typeof first) => [...one.keys()].filter(name => !other.has(name))
  const [gone, come] = [only(first, second), only(second, first)]
  if (gone.length || come.length)
    return `gone: ${gone[0] ?? 'none'} (${gone.length}); new: ${come[0] ?? 'none'} (${come.length})`
  return sayChanges(differences(json(Object.fromEntries(first)), json(Object.fromEntries(second))), 'first', 'then')
})

/** So many tools, as a server would list them. */
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `made_${i}`,
    description: `${'도구 '.repeat(50)}${i}`,
    inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: i } } },
  }))

/** A gateway that had listed before hands on what it had then: all of that is judged in its stead. */
const asManyAsSent: Claim = claim('client', 'as many tools arrive as the servers sent', evidence => {
  const pages = pagesOf(evidence, 'long')
  const from = entriesOf(
    pages.flatMap(page => behind(evidence, page)),
    'tools',
  )
  if (!from.length) return listed('tools', 'long').complete().refute(evidence)
  const got = entriesOf(pages, 'tools')
  return got.length === from.length ? undefined : `the servers sent ${from.length}, the client got ${got.length}`
})

const CHANGED = 'notifications/tools/list_changed'
const heard = (e: Exchange | undefined): boolean => e !== undefined && notifications(e, CHANGED).length > 0

const changes = [
  list('tools', { as: 'before' }),
  start(listen({ as: 'stream' })),
  untilStream(),
  call('announce_change', { what: 'tools' }, { as: 'change' }),
] as const

/** What the server said of its new tool: whether it is there now. */
const isThere = ({ backend }: Evidence) =>
  backend.map(e => at(reply(e), 'result.structuredContent.present')).find(present => typeof present === 'boolean')

const hasChanged: Claim = claim('backend', 'the server has changed its list', evidence =>
  isThere(evidence) === undefined ? 'it did not say so' : undefined,
)

/** A bridge may share one session of the server among all its clients, and so the tool may just have gone. */
const asAnnounced: Claim = claim('client', 'appeared_tool is listed if the server has it', evidence => {
  const missing = listed('tools', 'after').shows('crm/appeared_tool').refute(evidence)
  if (isThere(evidence)) return missing
  return missing === undefined ? 'it is listed, and the server has it no more' : undefined
})

/** What is listed, and how. */
export const listing: readonly Check[] = [
  check({
    id: 'tools/list-complete',
    title: 'lists every tool of the server, over all pages',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/utilities/pagination', 'response-format'),
    catalogue: ['tools.list-complete-legacy', 'pagination.next-cursor-not-dropped', 'pagination.missing-cursor-ends'],
    why: 'Tools beyond the first page do not exist for the agent, and nothing says that they are missing.',
    steps: [list('tools')],
    claims: [listed('tools').complete()],
  }),
  check({
    id: 'tools/listed-once',
    title: 'lists no tool twice, and none of a server that was not asked',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool-names'),
    catalogue: ['aggregation.names-unique-in-list', 'pagination.aggregate-no-loss'],
    why: 'Model providers refuse a request with two tools of one name, so the agent can do nothing at all.',
    steps: [list('tools')],
    claims: [listed('tools').once(), listed('tools').noneOfOthers()],
  }),
  check({
    id: 'tools/cursors-opaque',
    title: 'must hand cursors back to the server as the server gave them',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'server/utilities/pagination', 'implementation-guidelines'),
    catalogue: ['pagination.cursor-opaque', 'pagination.params-preserved'],
    why: 'A cursor that was decoded or trimmed on the way is refused, or leads to another page.',
    steps: [list('tools')],
    given: [listed('tools').has('name')],
    claims: [ownCursors('tools/list')],
  }),
  check({
    id: 'tools/cursor-stable',
    title: 'gives the same page for the same cursor, where its list has pages',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/utilities/pagination', 'implementation-guidelines'),
    catalogue: ['pagination.cursor-stability'],
    why: 'A client that asks again, because an answer was lost, gets an error, or skips a page.',
    steps: [request('tools/list', {}, { as: 'one' }), next('two'), next('two again')],
    claims: [
      claim('client', 'both times the same page comes', evidence => {
        const page = (label: string) => json(entriesOf(pagesOf(evidence, label), 'tools').map(t => t['name'] ?? null))
        return sayChanges(differences(page('two'), page('two again')), 'first', 'then')
      }),
    ],
  }),
  check({
    id: 'tools/invalid-cursor',
    title: 'answers -32602 to a cursor that nobody gave',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/utilities/pagination', 'error-handling'),
    catalogue: ['pagination.invalid-cursor'],
    why: 'A client that gets the first page again for a stale cursor walks in circles.',
    steps: [request('tools/list', { cursor: 'no-such-cursor' })],
    claims: [client().error(-32602)],
  }),
  check({
    id: 'tools/long-list',
    title: 'hands on a page of 500 tools whole',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'listing-tools'),
    catalogue: ['tools.list-complete-legacy'],
    why: 'Servers that mirror an API have hundreds of tools; a gateway that keeps the first 256 says nothing of the rest.',
    steps: [list('tools', { as: 'long', acts: document(result({ tools: many(500) })) })],
    claims: [asManyAsSent],
  }),
  check({
    id: 'tools/list-again',
    title: 'lists the same tools under the same names when asked again',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['aggregation.mapping-stable'],
    why: 'Where a cached list is changed in place, prefixes pile up, and the names that an agent knows stop working.',
    steps: [list('tools', { as: 'first' }), list('tools', { as: 'second' })],
    given: [listed('tools', 'first').has('name')],
    claims: [sameList],
  }),
  check({
    id: 'tools/list-fresh',
    title: 'lists a tool that the server has announced, where it declares listChanged',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'list-changed-notification'),
    catalogue: ['tools.list-complete-legacy'],
    needs: ['sessions'],
    why: 'A list that is cached past its change hides new tools until someone restarts the gateway.',
    steps: [
      ...changes,
      untilSeen('the news is there', seen => seen.client.some(e => e.label === 'stream' && heard(e))),
      list('tools', { as: 'after' }),
    ],
    given: [hasChanged, listed('tools', 'after').complete()],
    claims: [whereDeclared('tools.listChanged', asAnnounced)],
    alone: true,
  }),
]
