import { h, s } from './dom.ts'
import type { Bench, BenchRow, Sweep } from './model.ts'

const WIDTH = 640
const HEIGHT = 150

/** What a gateway adds to the time of calls: a table, and how latencies are spread, direct beside through. */
export function benchSection({ rows, verdict, sweeps = [] }: Bench): HTMLElement {
  const measured = rows.filter(row => row.pairs > 0)
  const cells = (row: BenchRow) => ['p50', 'p95', 'p99'].map(q => h('td', {}, us(row.added[q]?.value ?? 0)))
  return h(
    'section',
    { class: 'bench', 'aria-labelledby': 'bench-title' },
    h('h2', { id: 'bench-title' }, 'Latency'),
    h('p', {}, `${verdict.says[0]?.toUpperCase() ?? ''}${verdict.says.slice(1)}.`),
    measured.length > 0 &&
      h(
        'div',
        { class: 'compared', tabindex: '0', role: 'region', 'aria-label': 'What is added' },
        h(
          'table',
          { class: 'figures' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ...['What is added to', 'p50', 'p95', 'p99', 'direct p50', 'pairs'].map(t =>
                h('th', { scope: 'col' }, t),
              ),
            ),
          ),
          h(
            'tbody',
            {},
            ...measured.map(row =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, nameOf(row)),
                ...cells(row),
                h('td', {}, us(row.direct['p50'] ?? 0)),
                h('td', {}, String(row.pairs)),
              ),
            ),
          ),
        ),
      ),
    h('div', { class: 'plots' }, ...measured.map(plot), ...sweeps.map(grown)),
  )
}

const nameOf = ({ says, setting, revision, scenario }: BenchRow): string =>
  setting ? `${says}, ${setting}` : scenario === 'call' ? `${says}, ${revision}` : says

const us = (value: number): string =>
  Math.abs(value) >= 999.5 ? `${(value / 1000).toPrecision(3)} ms` : `${Math.round(value)} µs`

/** Two distributions over the same axis of time, which is logarithmic. */
function plot(row: BenchRow): HTMLElement {
  const { edges, counts } = row.picture
  const ways = ['direct', 'through'] as const
  const most = Math.max(1, ...ways.flatMap(way => counts[way] ?? []))
  const x = (i: number) => (i / (edges.length - 1)) * WIDTH
  const y = (n: number) => HEIGHT - (n / most) * (HEIGHT - 12)
  const shape = (way: 'direct' | 'through') =>
    `M 0 ${HEIGHT} ${(counts[way] ?? []).map((n, i) => `L ${x(i).toFixed(1)} ${y(n).toFixed(1)} L ${x(i + 1).toFixed(1)} ${y(n).toFixed(1)}`).join(' ')} L ${WIDTH} ${HEIGHT} Z`
  const label = `${nameOf(row)}: direct ${us(row.direct['p50'] ?? 0)}, through ${us(row.through['p50'] ?? 0)} at the median`
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(share => Math.round(share * (edges.length - 1)))
  return h(
    'figure',
    {},
    h(
      'figcaption',
      {},
      `${nameOf(row)}: `,
      ...ways.flatMap(way => [h('span', { class: `key ${way}` }, way), ` ${us(row[way]['p50'] ?? 0)} `]),
      'at the median',
    ),
    s(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT + 18}`, role: 'img', 'aria-label': label },
      ...ways.map(way => s('path', { d: shape(way), class: `way ${way}` })),
      ...ticks.map(i =>
        s('text', { x: Math.min(WIDTH - 30, Math.max(20, x(i))), y: HEIGHT + 14, class: 'tick' }, us(edges[i] ?? 0)),
      ),
    ),
  )
}

/** What is added at the median, by what was turned up; both axes are logarithmic where steps are far apart. */
function grown({ by, says, points, growth }: Sweep): HTMLElement {
  const [first, last] = [points[0]?.n ?? 1, points.at(-1)?.n ?? 1]
  const most = Math.max(1, ...points.map(p => p.addedP50))
  const x = (n: number) => 30 + (Math.log(n / first) / Math.max(1e-9, Math.log(last / first))) * (WIDTH - 60)
  const y = (value: number) => HEIGHT - (Math.max(0, value) / most) * (HEIGHT - 20)
  const label = `${says}: ${growth.says}`
  return h(
    'figure',
    {},
    h('figcaption', {}, label),
    s(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT + 18}`, role: 'img', 'aria-label': `${by}: ${label}` },
      s('path', {
        d: points.map((p, i) => `${i ? 'L' : 'M'} ${x(p.n).toFixed(1)} ${y(p.addedP50).toFixed(1)}`).join(' '),
        class: 'grown',
      }),
      ...points.flatMap(p => [
        s('circle', { cx: x(p.n), cy: y(p.addedP50), r: 3 }),
        s('text', { x: x(p.n), y: y(p.addedP50) - 6, class: 'tick' }, us(p.addedP50)),
        s('text', { x: x(p.n), y: HEIGHT + 14, class: 'tick' }, String(p.n)),
      ]),
    ),
  )
}
