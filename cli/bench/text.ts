import { sayUs, worst } from '../../bench/budget.ts'
import type { Change } from '../../bench/compare.ts'
import type { BenchReport, LoadRow, Row, SweepReport } from '../../bench/types.ts'
import type { Estimate } from '../../kit/statistics.ts'
import type { Paint } from '../paint.ts'
import { several, wrap } from '../words.ts'

const SIGN = { pass: '✓', fail: '✗', inconclusive: '?' } as const
const COLOUR = { pass: 'green', fail: 'red', inconclusive: 'yellow' } as const

/** A measurement for people. */
export function benchText(report: BenchReport, changes: readonly Change[], paint: Paint, columns: number): string {
  const { machine, rows, verdict } = report
  const verdictLine = paint[COLOUR[verdict.verdict]](
    `${SIGN[verdict.verdict]} ${verdict.says[0]!.toUpperCase()}${verdict.says.slice(1)}.`,
  )
  const about = `${machine.processor}, ${several(machine.cores, 'core')}, Node ${machine.node}; ${report.pattern}`
  return [
    '',
    ...wrap(about, columns, ''),
    '',
    ...(rows.length ? [...table(rows, paint), ''] : []),
    ...(report.load.length ? [...loadTable(report.load, paint), ''] : []),
    ...(report.sweeps ?? []).flatMap(sweep => [...grown(sweep, paint), '']),
    ...[...report.notes, ...failures(rows)].flatMap(note => wrap(`· ${note}`, columns, '  ')),
    ...(report.notes.length || rows.some(row => row.failed) ? [''] : []),
    ...told(changes, paint).flatMap(line => wrap(line, columns, '  ')),
    ...(rows.length ? wrap(verdictLine, columns, '  ') : []),
  ].join('\n')
}

/** What failed, and what may help; none of it is in the figures. */
function failures(rows: readonly Row[]): string[] {
  const limited = rows.some(row => row.faults.some(({ way, fault }) => way !== 'direct' && fault === 'status 429'))
  const lines = rows.flatMap(row =>
    row.failed
      ? [`${nameOf(row)}: ${several(row.failed, 'pair')} failed and counted for nothing, most with ${worst(row)}`]
      : [],
  )
  return limited
    ? [...lines, 'It limits the rate: say so with limits.rps in a target file, and calls keep below it.']
    : lines
}

/** What has changed; one line where nothing has. */
function told(changes: readonly Change[], paint: Paint): string[] {
  if (changes.length === 0) return []
  const lines = changes.filter(c => c.verdict !== 'same')
  if (lines.length === 0) return ['= Compared with what was given, nothing has changed that could be relied on.']
  return lines.map(({ verdict, says }) => (verdict === 'slower' ? paint.red(`✗ ${says}`) : paint.green(`✓ ${says}`)))
}

/** What is added, one kind of call a line; below, what direct calls differ from each other. */
function table(rows: readonly Row[], paint: Paint): string[] {
  const head = ['what the gateway adds to', 'p50', 'p95', 'p99', 'direct p50', 'pairs']
  const lines = rows.map(row => [
    nameOf(row),
    ...(row.pairs
      ? [`+${figure(row.added.p50)}`, plus(row.added.p95), plus(row.added.p99), sayUs(row.direct.p50)]
      : ['–', '–', '–', '–']),
    String(row.pairs) + (row.failed ? ` (${row.failed} failed)` : ''),
  ])
  const [first] = rows
  const noise = first?.pairs
    ? [
        [
          'noise: direct calls differ by',
          plus(first.control.p50),
          plus(first.control.p95),
          plus(first.control.p99),
          '',
          '',
        ],
      ]
    : []
  const all = [head, ...lines, ...noise]
  const widths = head.map((_, i) => Math.max(...all.map(cells => cells[i]!.length)))
  const lay = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [paint.dim(lay(head)), ...lines.map(lay), ...noise.map(cells => paint.dim(lay(cells)))]
}

/** Load, both ways beside each other. */
function loadTable(rows: readonly LoadRow[], paint: Paint): string[] {
  const rate = rows[0]?.rate
  const head = [rate === undefined ? 'connections' : 'calls a second', 'way', 'answered/s', 'p50', 'p99', 'errors']
  const lines = rows.map(row => [
    String(row.rate ?? row.connections),
    row.way,
    String(row.perSecond),
    sayUs(row.latency.p50),
    sayUs(row.latency.p99),
    String(row.errors) + (row.dropped ? `, ${row.dropped} dropped` : ''),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map(cells => cells[i]!.length)))
  const lay = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd()
  const limits = [...new Set(rows.flatMap(row => (row.limitedBySender ? [`${row.way}: ${row.limitedBySender}`] : [])))]
  return [
    paint.bold(
      rate === undefined
        ? 'under load: every connection sends its next call as soon as it has an answer'
        : 'at a fixed rate: latency counts from when a call was due',
    ),
    paint.dim(lay(head)),
    ...lines.map(lay),
    ...limits.map(limit => paint.yellow(`The limit was not the gateway but the sender: ${limit}.`)),
  ]
}

const BAR = 24

/** One step a line, with a bar as long as what is added. */
function grown({ says, points, by, growth }: SweepReport, paint: Paint): string[] {
  const most = Math.max(1, ...points.map(p => p.addedP50))
  const lines = points.map(({ n, directP50, addedP50, addedP95 }) => {
    const bar = '█'.repeat(Math.max(0, Math.round((BAR * addedP50) / most)))
    const cells = [String(n), sayUs(directP50), sign(addedP50), sign(addedP95)]
    return `${cells.map((cell, i) => cell.padStart([9, 12, 12, 12][i]!)).join('')}  ${paint.cyan(bar)}`.trimEnd()
  })
  const head = `${by.padStart(9)}${'direct p50'.padStart(12)}${'added p50'.padStart(12)}${'added p95'.padStart(12)}`
  return [paint.bold(says), paint.dim(head), ...lines, `With ${by}, ${growth.says}.`]
}

const nameOf = ({ says, setting, revision, scenario }: Row): string =>
  setting ? `${says}, ${setting}` : scenario === 'call' ? `${says}, ${revision}` : says

const plus = ({ value }: Estimate): string => sign(value)

const sign = (us: number): string => `${us < 0 ? '−' : '+'}${sayUs(Math.abs(us))}`

/** A figure with half of its interval: `246 ± 4 µs`. */
function figure({ value, low, high }: Estimate): string {
  const half = Math.max(value - low, high - value)
  const [text, unit] = sayUs(value).split(' ')
  const scaled = unit === 'ms' ? (half / 1000).toFixed(2) : String(Math.max(1, Math.round(half)))
  return `${text} ± ${scaled} ${unit}`
}
