import type { Evidence, Exchange, Finding, Pairs } from '../../kit/types.ts'
import { cut, excerpt, several, visible } from '../words.ts'
import { focus } from './focus.ts'
import { requestMethod } from './handshake.ts'

/** One thing that passed one of the two hops. */
interface Moment {
  readonly at: number
  readonly hop: string
  readonly says: string
  readonly more: readonly string[]
}

const LONGEST = 22
const HOP = 18
/** Where bodies stand: below what is said of them. */
const UNDER = ' '.repeat(HOP + 12)

/**
 * What both sides saw of what the findings are about, in the order of time: one line for each thing that passed a hop, with
 * bodies cut around the place where the two sides differ.
 */
export function transcript(evidence: Evidence, findings: readonly Finding[], columns: number): string[] {
  const shown = focus(evidence, findings)
  const client = shown.flatMap(p => p.client ?? [])
  const backend = shown.flatMap(p => p.backend)
  const width = columns - UNDER.length - 2
  const named = fieldsNamed([...client, ...backend], findings)
  const moments = [
    ...client.flatMap(e => front(e, twin(e, backend), width, named)),
    ...backend.flatMap(e => back(e, twin(e, client), width, named)),
  ].sort((a, b) => a.at - b.at)
  const start = moments[0]?.at ?? 0
  const lines = moments.map(m => [line(m, start), ...m.more.map(text => UNDER + text)])
  const half = LONGEST / 2
  const left = evidence.client.length - client.length
  const note = left > 0 ? [`${UNDER}(${several(left, 'other exchange')} left out)`] : []
  if (lines.length <= LONGEST) return [...lines.flat(), ...note]
  const middle = `${UNDER}… ${lines.length - LONGEST} more …`
  return [...lines.slice(0, half).flat(), middle, ...lines.slice(-half).flat(), ...note]
}

const twin = (e: Exchange, others: readonly Exchange[]) => others.find(o => o.nonce === e.nonce && o.nonce !== '')

function line({ at, hop, says }: Moment, start: number): string {
  const time = Number.isFinite(at) ? (at - start).toFixed(1) : ''
  return `${time.padStart(8)}  ${hop.padEnd(HOP)}  ${says}`
}

/** What the client saw: the hop between it and the gateway. */
function front(e: Exchange, other: Exchange | undefined, width: number, named: Named): Moment[] {
  const client = e.who === undefined || e.who === 'a' ? 'client' : `client ${e.who}`
  const { request, response } = e
  const label = e.label === undefined ? '' : `  [${e.label}]`
  return [
    {
      at: e.at,
      hop: `${client} → gateway`,
      says: `${request.method === 'raw' ? 'raw bytes to' : request.method} ${visible(request.path)}${label}`,
      more: [...fields(request.headers, named), ...bodyLines(request, other?.request, width, false)],
    },
    ...answer(e, other, `${client} ← gateway`, width, named),
    ...(e.failure === undefined
      ? []
      : [{ at: Number.POSITIVE_INFINITY, hop: `${client} ← gateway`, says: `✗ ${visible(e.failure)}`, more: [] }]),
    ...(response && e.endedAt === undefined && e.failure === undefined
      ? [{ at: Number.POSITIVE_INFINITY, hop: `${client} ← gateway`, says: '(the answer had not ended)', more: [] }]
      : []),
  ]
}

/** What a server saw: the hop between the gateway and it. */
function back(e: Exchange, other: Exchange | undefined, width: number, named: Named): Moment[] {
  const { request } = e
  return [
    {
      at: e.at,
      hop: `gateway → ${e.server}`,
      says: e.transport === 'stdio' ? `stdin ${requestMethod(e)}` : `${request.method} ${visible(request.path)}`,
      more: [...fields(request.headers, named), ...bodyLines(request, other?.request, width, true)],
    },
    ...answer(e, other, `gateway ← ${e.server}`, width, named),
    ...(e.held === undefined
      ? []
      : [
          {
            // Just before what came next.
            at: (e.events[e.held]?.at ?? e.endedAt ?? Number.POSITIVE_INFINITY) - 0.001,
            hop: `gateway ← ${e.server}`,
            says: `(the client had not seen event ${e.held}; went on)`,
            more: [],
          },
        ]),
    ...(e.goneAt === undefined
      ? []
      : [{ at: e.goneAt, hop: `gateway → ${e.server}`, says: '✗ hung up before the answer had ended', more: [] }]),
    ...(e.failure === undefined
      ? []
      : [{ at: Number.POSITIVE_INFINITY, hop: `gateway ← ${e.server}`, says: visible(e.failure), more: [] }]),
  ]
}

function answer(e: Exchange, other: Exchange | undefined, hop: string, width: number, named: Named): Moment[] {
  const { response, events } = e
  const streamed = events.length > 0
  const head = response && {
    at: streamed ? response.at : Math.max(response.at, e.endedAt ?? 0),
    hop,
    says: `${response.status} ${type(response.headers)}`,
    more: [
      ...fields(response.headers, named),
      ...(streamed ? [] : bodyLines(response, other?.response, width, e.side === 'client')),
    ],
  }
  const pieces = events.map((event, i) => ({
    at: event.at,
    hop,
    says: `event ${i + 1}  ${eventText(event.data, other?.events[i]?.data, width - 10, e.side === 'client')}`,
    more: [],
  }))
  return [...(head ? [head] : []), ...pieces]
}

const type = (headers: Pairs) => visible(headers.find(([n]) => n.toLowerCase() === 'content-type')?.[1] ?? '(no type)')
const eventText = (data: string, other: string | undefined, width: number, arrives: boolean) =>
  arrives && data === other ? '(as sent)' : cut(excerpt(data, width, around(data, other, width)), width + 2)[0]

interface Body {
  readonly body: string
  readonly size: number
}

/** The body on one line, around the place where the two sides differ; where it comes as it was sent, only that. */
function bodyLines({ body, size }: Body, other: Body | undefined, width: number, arrives: boolean): string[] {
  if (body === '') return size > 0 ? [`(${size} bytes)`] : []
  if (arrives && other?.body === body) return [`(the same ${size} bytes)`]
  const text = excerpt(body, 2 * width, around(body, other?.body, 2 * width))
  const [first, rest] = cut(text, width)
  const [second, left] = cut(rest, width)
  const lines = second === '' ? [first] : [first, second]
  return body.length > 2 * width || left !== '' ? [...lines, `(${size} bytes in all)`] : lines
}

/** Where to begin, so that the first difference is in sight. */
function around(text: string, other: string | undefined, width: number): number {
  if (other === undefined || other === text || text.length <= width) return 0
  let i = 0
  while (i < text.length && text[i] === other[i]) i++
  return Math.max(0, i - Math.floor(width / 3))
}

/** Names, in lower case, of header fields that the findings speak of. */
type Named = ReadonlySet<string>

function fieldsNamed(exchanges: readonly Exchange[], findings: readonly Finding[]): Named {
  const told = findings.map(f => `${f.claim} ${f.seen}`.toLowerCase()).join(' ')
  const all = exchanges.flatMap(e => [...e.request.headers, ...(e.response?.headers ?? [])])
  const names = all.map(([name]) => name.toLowerCase())
  return new Set(
    names.filter(name => name !== 'content-type' && new RegExp(`(?<![\\w-])${literal(name)}(?![\\w-])`).test(told)),
  )
}

const literal = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

const fields = (headers: Pairs, named: Named): string[] =>
  headers.filter(([n]) => named.has(n.toLowerCase())).map(([n, v]) => `${visible(n)}: ${excerpt(v, 60)}`)
