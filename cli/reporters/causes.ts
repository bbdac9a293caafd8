import type { Evidence, Exchange, Pairs } from '../../kit/types.ts'

/** A pattern in what both sides saw, and what usually makes it. */
interface Cause {
  readonly says: string
  readonly seen: (pairs: readonly Pair[]) => boolean
}

/** One exchange at the client, and what came of it at the servers. */
interface Pair {
  readonly client: Exchange
  readonly backend: readonly Exchange[]
}

/** Fields that belong to one connection, or are made anew on each. */
const OF_ONE_HOP = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'expect',
  'upgrade',
  'authorization',
  'mcp-name',
  'accept-encoding',
])

const names = (headers: Pairs): Set<string> => new Set(headers.map(([name]) => name.toLowerCase()))

/** Numbers that a double can't hold, or that it would write otherwise. */
const FRAGILE = /-?\d{16,}|\d+\.\d*0(?=[\s,}\]])/g

const CAUSES: readonly Cause[] = [
  {
    says: 'It gathers the answer before it passes it on: response buffering (proxy_buffering, a body filter, compression, a client library that reads whole bodies).',
    seen: pairs => pairs.some(({ backend }) => backend.some(e => e.held !== undefined)),
  },
  {
    says: 'It sends the request again by itself: a retry, in the gateway or in its HTTP client.',
    seen: pairs => pairs.some(({ backend }) => backend.length > 1 && new Set(backend.map(e => e.server)).size === 1),
  },
  {
    says: 'It parses JSON into numbers and writes it anew: what a double can’t hold is rounded, and 1.50 becomes 1.5.',
    seen: pairs =>
      pairs.some(
        ({ client, backend: [b] }) =>
          b &&
          (lostNumbers(client.request.body, b.request.body) || lostNumbers(b.response?.body, client.response?.body)),
      ),
  },
  {
    says: 'It forwards only header fields that it knows: an allow-list.',
    seen: pairs =>
      pairs.some(({ client, backend: [b] }) => {
        if (!b || b.transport === 'stdio') return false
        const there = names(b.request.headers)
        return [...names(client.request.headers)].filter(n => !there.has(n) && !OF_ONE_HOP.has(n)).length > 0
      }),
  },
  {
    says: 'It answers by itself: the request never came to a server.',
    seen: pairs =>
      pairs.length > 0 &&
      pairs.every(
        ({ client, backend }) => backend.length === 0 && client.response !== undefined && client.response.status < 400,
      ),
  },
]

/** Whether a fragile number of the first text is missing in the second. */
function lostNumbers(from: string | undefined, to: string | undefined): boolean {
  if (!from || !to || from === to) return false
  // It may stand in a text beside, where nobody parses it.
  const times = (text: string, number: string) => text.split(number).length
  return (from.match(FRAGILE) ?? []).some(number => times(to, number) < times(from, number))
}

/** What is likely to make this, in one sentence; undefined where the evidence shows no known pattern. */
export function likelyCause({ client, backend }: Evidence): string | undefined {
  const pairs = client
    .filter(c => c.nonce !== '' && !/"(initialize|notifications\/initialized)"/.test(c.request.body))
    .map(c => ({ client: c, backend: backend.filter(b => b.nonce === c.nonce) }))
  return CAUSES.find(cause => cause.seen(pairs))?.says
}
