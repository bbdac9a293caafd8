import type { Change } from '../../bench/compare.ts'
import { bencher, githubBenchmark } from '../../bench/export/benchmarks.ts'
import type { BenchReport } from '../../bench/types.ts'
import { WrongUsage } from '../../kit/errors.ts'
import { type Arguments, oneOf } from '../arguments.ts'
import { checkWritable, writeWhole } from '../files.ts'
import { type Paint, paint } from '../paint.ts'
import { page } from '../reporters/html.ts'
import type { Terminal } from '../terminal.ts'
import { benchText } from './text.ts'

const FORMATS = ['text', 'json', 'html', 'github-benchmark', 'bencher'] as const
type Format = (typeof FORMATS)[number]

interface Output {
  readonly format: Format
  readonly file?: string
}

/** Reads `--reporter`, and sees to it that the files can be written. Throws WrongUsage. */
export function readBenchOutputs(args: Arguments): readonly Output[] {
  const given = args.values('reporter').map((value): Output => {
    const [, word = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? []
    const format = oneOf(word, FORMATS, 'reporter')
    if (file === '') throw new WrongUsage(`--reporter ${value} names no file: write it as --reporter ${format}=FILE.`)
    if (file !== undefined) checkWritable(file)
    return file === undefined ? { format } : { format, file }
  })
  const onStdout = given.filter(o => o.file === undefined)
  if (onStdout.length > 1)
    throw new WrongUsage('Only one report fits on stdout: give the others a file, such as --reporter json=FILE.')
  return onStdout.length ? given : [{ format: 'text' }, ...given]
}

/** Prints and writes a measurement in every form that was asked for. */
export function writeBench(
  report: BenchReport,
  changes: readonly Change[],
  outputs: readonly Output[],
  term: Terminal,
  colours: Paint,
): void {
  const make = (format: Format, tint: Paint): string =>
    ({
      text: () => benchText(report, changes, tint, term.columns),
      json: () => JSON.stringify({ ...report, ...(changes.length && { changes }) }, null, 2),
      html: () => page(report.target.name, asDocument(report)),
      'github-benchmark': () => githubBenchmark(report),
      bencher: () => bencher(report),
    })[format]()
  for (const { format, file } of outputs) {
    if (file === undefined) term.print(make(format, colours))
    else writeWhole(file, `${make(format, paint(false))}\n`)
  }
}

/** A measurement as the page of the HTML report shows it: a report without checks. */
const asDocument = (bench: BenchReport): object => ({
  kit: { name: 'mcp-conformance', version: bench.kit },
  target: {
    name: bench.target.name,
    url: bench.target.url,
    revisions: [...new Set(bench.rows.map(row => row.revision))],
    features: [],
    routing: { style: 'single' },
  },
  startedAt: bench.startedAt,
  node: bench.machine.node,
  summary: {},
  results: [],
  bench,
})
