import { changes, sayChanges, type Tolerance } from './compare.ts'
import { at, isObject, type JsonObject } from './json.ts'
import { behind, reply, sent } from './messages.ts'
import { markerOf } from './names.ts'
import { describe } from './session.ts'
import type { Claim, Evidence, Exchange, ListName, Named, ServerName } from './types.ts'

/** How each list is spelled: the member of the result, what names an entry, and words for people. */
const LISTS = {
  tools: { member: 'tools', key: 'name', kind: 'tool', noun: 'tool' },
  resources: { member: 'resources', key: 'uri', kind: 'resource', noun: 'resource' },
  'resources/templates': { member: 'resourceTemplates', key: 'uriTemplate', kind: 'resource', noun: 'template' },
  prompts: { member: 'prompts', key: 'name', kind: 'prompt', noun: 'prompt' },
} as const satisfies Record<ListName, { member: string; key: string; kind: Named; noun: string }>

/** One entry of a list, as the server has it and as the gateway lists it; `id` is its marker, as in `crm/echo`. */
export interface Entry {
  readonly id: string
  readonly sent: JsonObject
  readonly got: JsonObject
}

/** The entries in the pages of a list, in order. */
export const entriesOf = (pages: readonly Exchange[], list: ListName): JsonObject[] =>
  pages.flatMap(page => {
    const entries = at(reply(page), ['result', LISTS[list].member])
    return Array.isArray(entries) ? entries.filter(isObject) : []
  })

/** The pages that the client got under a label. */
export const pagesOf = (evidence: Evidence, label: string): Exchange[] => evidence.client.filter(e => e.label === label)

/**
 * What the client was shown of a list (the pages under one label), beside what the servers behind have. An entry is
 * found by its marker, so that renaming does not matter. What a server sent in this very check counts first; where
 * a gateway had listed before, what the server has in its lists.
 */
export function listed(list: ListName, label: string = list) {
  const { key, noun } = LISTS[list]
  const about = (says: string, refute: (evidence: Evidence) => string | undefined): Claim => ({
    about: 'client',
    says: label === list ? says : `${says}, in "${label}"`,
    refute: evidence => (pagesOf(evidence, label).length ? refute(evidence) : 'the kit sent no such request'),
  })
  const each = (says: string, refute: (entry: Entry) => string | undefined): Claim =>
    about(says, evidence => {
      const pairs = paired(evidence, list, label)
      if (pairs.length === 0) return `no ${noun} of a server is listed: ${shown(evidence, label)}`
      return some(pairs.flatMap(pair => named(pair.id, refute(pair))))
    })
  return {
    /** Everything that the servers have is there. */
    complete: () =>
      about(`every ${noun} of the server is listed`, evidence => {
        const there = new Set(paired(evidence, list, label).map(p => p.id))
        const missing = [...expected(evidence, list, label).keys()].filter(id => !there.has(id))
        return missing.length ? `${missing.length} are not: ${some(missing)}; ${shown(evidence, label)}` : undefined
      }),
    /** No entry and no name is there twice. */
    once: () =>
      about(`no ${noun} is listed twice`, evidence => {
        const got = entriesOf(pagesOf(evidence, label), list)
        const names = got.map(entry => String(entry[key]))
        const twice = [...repeated(names), ...repeated(got.flatMap(entry => idOf(entry) ?? []))]
        return twice.length ? `twice there: ${some([...new Set(twice)])}` : undefined
      }),
    /** Nothing of a server that was not asked. */
    noneOfOthers: () =>
      about(`no ${noun} of another server is listed`, evidence => {
        const asked = serversOf(evidence, label)
        const others = entriesOf(pagesOf(evidence, label), list).flatMap(entry => {
          const marker = markerOf(entry)
          return marker && !asked.includes(marker.server) ? [`${marker.server}/${marker.own}`] : []
        })
        return others.length ? `listed as well: ${some(others)}` : undefined
      }),
    /** A member of every entry, compared in meaning. */
    member: (name: string, tolerance: Tolerance = {}) =>
      each(`${name} of every ${noun} is as the server has it`, ({ sent, got }) =>
        sayChanges(changes(only(sent, name), only(got, name), tolerance), 'the server has', 'the client got'),
      ),
    /** Among what is listed there is something that has this member: else nothing can be said of it. */
    has: (name: string) =>
      about(`a ${noun} with ${name} is listed`, evidence =>
        paired(evidence, list, label).some(p => p.sent[name] !== undefined) ? undefined : shown(evidence, label),
      ),
    /** An entry of a server is there, by its marker. */
    shows: (id: string) =>
      about(`${id} is listed`, evidence =>
        entriesOf(pagesOf(evidence, label), list).some(entry => idOf(entry) === id)
          ? undefined
          : shown(evidence, label),
      ),
    /** Anything about every entry. */
    each,
  }
}

/** The entries that were found on both sides. */
export function paired(evidence: Evidence, list: ListName, label: string): Entry[] {
  const want = expected(evidence, list, label)
  const { key, kind } = LISTS[list]
  const { names } = evidence.target
  return entriesOf(pagesOf(evidence, label), list).flatMap(got => {
    // Where a gateway drops the markers, an entry can still be known by its name.
    const byName = () => [...want.keys()].find(id => names.exposed(kind, ...apart(id)) === got[key])
    const id = idOf(got) ?? byName()
    const sent = id === undefined ? undefined : want.get(id)
    return id !== undefined && sent ? [{ id, sent, got }] : []
  })
}

/** What the servers that were asked have in this list, by marker. */
function expected(evidence: Evidence, list: ListName, label: string): Map<string, JsonObject> {
  const asked = serversOf(evidence, label)
  const own = pagesOf(evidence, label).flatMap(page => behind(evidence, page))
  const lists = evidence.backend.filter(e => at(sent(e), 'method') === `${list}/list`)
  const sources = own.length ? own : lists.filter(e => asked.includes(e.server))
  const entries = [...asked.flatMap(server => evidence.offers?.(server, list) ?? []), ...entriesOf(sources, list)]
  return new Map(entries.flatMap(entry => (idOf(entry) === undefined ? [] : [[idOf(entry)!, entry] as const])))
}

/** Whose entries the client may expect: those of all servers where one endpoint stands for them. */
function serversOf(evidence: Evidence, label: string): readonly ServerName[] {
  const { routing, servers } = evidence.target
  return routing.style === 'prefix' ? servers : [...new Set(pagesOf(evidence, label).map(page => page.server))]
}

const idOf = (entry: JsonObject): string | undefined => {
  const marker = markerOf(entry)
  return marker && `${marker.server}/${marker.own}`
}

const apart = (id: string): [ServerName, string] => {
  const slash = id.indexOf('/')
  return [id.slice(0, slash) as ServerName, id.slice(slash + 1)]
}

/** An entry with nothing but this member, so that differences tell their whole path. */
const only = (entry: JsonObject, name: string): JsonObject => (entry[name] === undefined ? {} : { [name]: entry[name] })

const repeated = (all: readonly string[]): string[] => all.filter((one, i) => all.indexOf(one) !== i)

const named = (id: string, seen: string | undefined): string[] => (seen === undefined ? [] : [`${id}: ${seen}`])

/** The first few, and how many more; undefined where there are none. */
function some(all: readonly string[]): string | undefined {
  if (!all.length) return undefined
  return all.slice(0, 3).join('; ') + (all.length > 3 ? `; and ${all.length - 3} more` : '')
}

/** How the walk through the pages went, in a few words. */
function shown(evidence: Evidence, label: string): string {
  const pages = pagesOf(evidence, label)
  const bad = pages.find(page => at(reply(page), 'result') === undefined)
  return bad ? `page ${pages.indexOf(bad) + 1}: ${describe(bad)}` : `${pages.length} pages came`
}
