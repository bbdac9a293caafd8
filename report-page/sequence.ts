import { s } from './dom.ts'
import type { Exchange } from './model.ts'

interface Arrow {
  readonly at: number
  readonly from: 0 | 1 | 2
  readonly to: 0 | 1 | 2
  readonly says: string
  readonly bad?: boolean
}

const ROW = 30
const LEFT = 70
const GAP = 300
const MOST = 40

/** What passed the two hops, as a picture: client, gateway and server as lines, a message an arrow, time downwards. */
export function sequence(client: readonly Exchange[], backend: readonly Exchange[]): SVGElement {
  const all = [...client.flatMap(e => arrows(e, 0)), ...backend.flatMap(e => arrows(e, 2))].sort((a, b) => a.at - b.at)
  const shown = all.slice(0, MOST)
  const height = 60 + shown.length * ROW + (all.length > MOST ? ROW : 0)
  const width = LEFT * 2 + 2 * GAP
  const x = (place: number) => LEFT + place * GAP
  const server = [...new Set(backend.map(e => e.server))].join(', ') || 'server'
  const title = `Sequence of ${all.length} messages between client, gateway and ${server}`
  return s(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'sequence', role: 'img', 'aria-label': title },
    ...['client', 'gateway', server].flatMap((name, i) => [
      s('text', { x: x(i), y: 20, class: 'who' }, name),
      s('line', { x1: x(i), x2: x(i), y1: 30, y2: height - 10, class: 'life' }),
    ]),
    ...shown.flatMap((arrow, i) => drawn(arrow, 55 + i * ROW, x)),
    all.length > MOST && s('text', { x: x(1), y: height - 12, class: 'says' }, `… ${all.length - MOST} more`),
  )
}

function drawn({ at, from, to, says, bad }: Arrow, y: number, x: (place: number) => number): SVGElement[] {
  const way = to > from ? 1 : -1
  const [start, end] = [x(from) + 6 * way, x(to) - 6 * way]
  const kind = bad ? 'arrow bad' : 'arrow'
  return [
    s('text', { x: 4, y: y + 4, class: 'time' }, Number.isFinite(at) ? `${at.toFixed(1)}` : ''),
    s('line', { x1: start, x2: end, y1: y, y2: y, class: kind }),
    s('path', { d: `M ${end} ${y} l ${-8 * way} -4 v 8 z`, class: kind }),
    s('text', { x: (start + end) / 2, y: y - 5, class: 'says' }, says.length > 44 ? `${says.slice(0, 43)}…` : says),
  ]
}

/** The messages of one exchange; `side` 0 is the hop of the client, 2 that of a server. */
function arrows(e: Exchange, side: 0 | 2): Arrow[] {
  const [out, back] = side === 0 ? ([0, 1] as const) : ([1, 2] as const)
  const method = /"method"\s*:\s*"([^"]{1,60})"/.exec(e.request.body)?.[1]
  const { response } = e
  const late = Number.POSITIVE_INFINITY
  return [
    { at: e.at, from: out, to: back, says: method ?? `${e.request.method} ${e.request.path}` },
    ...(response && e.events.length === 0
      ? [{ at: e.endedAt ?? response.at, from: back, to: out, says: `${response.status}`, bad: response.status >= 400 }]
      : []),
    ...e.events.map((event, i) => ({
      at: event.at,
      from: back,
      to: out,
      says: /"method"\s*:\s*"([^"]{1,60})"/.exec(event.data)?.[1] ?? `event ${i + 1}`,
    })),
    ...(e.failure === undefined ? [] : [{ at: late, from: back, to: out, says: e.failure, bad: true }]),
    ...(e.goneAt === undefined ? [] : [{ at: e.goneAt, from: out, to: back, says: 'hung up', bad: true }]),
  ]
}
