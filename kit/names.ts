import { at, type Json, type JsonObject } from './json.ts'
import { MARKER } from './session.ts'
import type { Named, Names, ServerName } from './types.ts'

/** Something that a gateway lists, recognised by its marker. */
export interface Sighting {
  readonly kind: Named
  readonly server: ServerName
  /** What the mock server calls it. */
  readonly own: string
  /** What the gateway calls it. */
  readonly exposed: string
}

const IN_TEXT = /\[mcpc:(crm|db|syncboot)\/([^\]]+)\]/

/** The marker of a listed item: from `_meta`, or from the description where `_meta` was lost. */
export function markerOf(item: Json | undefined): { server: ServerName; own: string } | undefined {
  const meta = at(item, ['_meta', MARKER])
  const [, server, own] =
    /^(crm|db|syncboot)\/(.+)$/s.exec(typeof meta === 'string' ? meta : '') ??
    IN_TEXT.exec(String(at(item, 'description') ?? '')) ??
    []
  return server === undefined || own === undefined ? undefined : { server: server as ServerName, own }
}

/** What is seen in one list of a gateway. */
export const sightings = (kind: Named, items: readonly JsonObject[]): Sighting[] =>
  items.flatMap(item => {
    const marker = markerOf(item)
    const exposed = item[kind === 'resource' ? 'uri' : 'name'] ?? item['uriTemplate']
    return marker && typeof exposed === 'string' ? [{ kind, ...marker, exposed }] : []
  })

/** The gateway's names: those seen, and for others the rule that those seen follow. */
export function namesFrom(seen: readonly Sighting[], fallback: (server: ServerName, own: string) => string): Names {
  const known = new Map(seen.map(s => [`${s.kind} ${s.server}/${s.own}`, s.exposed]))
  return {
    exposed(kind, server, own) {
      const exact = known.get(`${kind} ${server}/${own}`)
      if (exact !== undefined) return exact
      const like = seen.find(s => s.kind === kind && s.server === server && s.exposed.includes(s.own))
      if (like) return like.exposed.replace(like.own, () => own)
      return kind === 'resource' ? own : fallback(server, own)
    },
  }
}

/** Every name as it is: nothing is renamed. */
export const OWN_NAMES: Names = { exposed: (_kind, _server, own) => own }
