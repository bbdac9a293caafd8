import type { Evidence, Exchange, Finding } from '../../kit/types.ts'
import { isHandshake } from './handshake.ts'

/** One exchange from both sides; at the client only, where nothing of it came to a server, and the other way round. */
export interface Pair {
  readonly client?: Exchange
  readonly backend: readonly Exchange[]
}

/**
 * The exchanges that the findings are about: those that they call by their label, else those whose two sides differ, else
 * all. The handshake counts only where nothing else was sent.
 */
export function focus({ client, backend }: Evidence, findings: readonly Finding[]): readonly Pair[] {
  const all = pairs(client, backend)
  const told = all.filter(p => !isHandshake(p.client ?? p.backend[0]!))
  const some = told.length ? told : all
  const labels = findings.map(f => /of "([^"]+)"$/.exec(f.claim)?.[1])
  const named = some.filter(p => p.client?.label !== undefined && labels.includes(p.client.label))
  if (named.length && !labels.includes(undefined)) return named
  const different = some.filter(differs)
  return different.length ? different : some
}

function pairs(client: readonly Exchange[], backend: readonly Exchange[]): Pair[] {
  const of = (nonce: string) => backend.filter(b => b.nonce === nonce && nonce !== '')
  const met = new Set(client.flatMap(c => of(c.nonce)))
  return [
    ...client.map(c => ({ client: c, backend: of(c.nonce) })),
    ...backend.filter(b => !met.has(b)).map(b => ({ backend: [b] })),
  ]
}

/** Whether one side saw something that the other did not. */
function differs({ client, backend }: Pair): boolean {
  const [first, ...others] = backend
  if (!client || !first || others.length) return true
  const odd = client.failure ?? first.failure ?? first.held ?? first.goneAt
  return (
    odd !== undefined ||
    client.request.body !== first.request.body ||
    client.response?.status !== first.response?.status ||
    client.response?.body !== first.response?.body
  )
}
