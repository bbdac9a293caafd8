/**
 * Ids between a client, the gateway and a backend. What goes upstream on a client's behalf is the string `c:` and the
 * client's id as it was written; the gateway's own are `g:` and a number, so the two cannot meet, and any answer tells
 * by itself whose it is. What a backend asks of the client gets the backend's name in front, in the same way.
 */

/** The id, raw, under which a client's request goes upstream. */
export function upstreamId(clientId: string): string {
  return JSON.stringify(`c:${clientId}`)
}

/** The client's id, raw, out of an upstream one; undefined where it is none of a client. */
export function clientId(upstream: string): string | undefined {
  const text = stringOf(upstream)
  return text?.startsWith('c:') ? text.slice(2) : undefined
}

/** The id (or progress token), raw, by which the client knows what a backend made. */
export function exposedId(backend: string, own: string): string {
  return JSON.stringify(`${backend}:${own}`)
}

/** The backend and its own raw id, out of an exposed one; undefined where it is none. */
export function ownId(exposed: string): { backend: string; id: string } | undefined {
  const text = stringOf(exposed)
  const colon = text?.indexOf(':') ?? -1
  return text !== undefined && colon > 0 ? { backend: text.slice(0, colon), id: text.slice(colon + 1) } : undefined
}

function stringOf(raw: string): string | undefined {
  return raw[0] === '"' ? (JSON.parse(raw) as string) : undefined
}
