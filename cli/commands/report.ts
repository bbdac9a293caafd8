import { WrongUsage } from '../../kit/errors.ts'
import { exitCode } from '../../kit/report.ts'
import type { Arguments } from '../arguments.ts'
import { oneOf } from '../arguments.ts'
import { type ReadReport, readReport } from '../document/read.ts'
import { readOutputs, reporters } from '../outputs.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { badge } from '../report/badge.ts'
import { diff, diffText } from '../report/diff.ts'
import { merge } from '../report/merge.ts'
import { asHtml, asMarkdown, asText, sideBySide } from '../report/side-by-side.ts'
import { statement } from '../report/statement.ts'
import type { TextOptions } from '../reporters/options.ts'
import type { Terminal } from '../terminal.ts'
import { several } from '../words.ts'

type Task = (paths: readonly string[], args: Arguments, term: Terminal) => number | Promise<number>

/** What can be done with reports, besides writing them in another form. */
const TASKS: Readonly<Record<string, Task>> = {
  diff: compareTwo,
  compare: compareMany,
  badge: (paths, _args, term) => {
    const { report, ...read } = one(paths, 'badge')
    term.print(badge(report, policyOf(read)))
    return 0
  },
  statement: (paths, args, term) => {
    const [project, version, url] = ['project', 'release', 'site'].map(flag => args.value(flag))
    const contact = args.values('contact')
    const who = {
      ...(project && { project }),
      ...(version && { version }),
      ...(url && { url }),
      ...(contact.length && { contact }),
    }
    term.print(statement(one(paths, 'statement'), who).trimEnd())
    return 0
  },
}

/** Reads reports that a run has written, and makes something else of them. */
export const report: Program = async (args, term) => {
  const [first = '', ...rest] = args.operands
  const task = TASKS[first]
  if (task) return task(rest, args, term)
  return convert(args.operands, args, term)
}

/** One report, or several of one gateway put together, in the forms that were asked for. The exit code is that of the run. */
async function convert(paths: readonly string[], args: Arguments, term: Terminal): Promise<number> {
  const outputs = readOutputs(args, 'to')
  const { twice, report: whole, ...read } = merge(paths.map(path => ({ path, ...readReport(path) })))
  if (twice)
    term.warn(
      `mcp-conformance: ${several(twice, 'result')} stood in several of the files: those of the later one count.`,
    )
  const policy = policyOf(read)
  const options: TextOptions = {
    version: read.version,
    policy,
    evidence: 'failures',
    partial: read.partial,
    paint: paint(term.colour && !args.has('no-color')),
    columns: term.columns,
    lines: false,
    times: 1,
    head: [
      `mcp-conformance ${read.version} judged ${whole.target.name} at ${whole.target.url} on ${whole.startedAt.toISOString()}`,
    ],
    again: { command: read.command ?? `npx mcp-conformance --url ${whole.target.url}` },
  }
  for (const reporter of reporters(outputs, options, { ...term, live: false })) {
    reporter.start?.(
      whole.target,
      whole.results.map(r => r.check),
    )
    for (const result of whole.results) reporter.result?.(result)
    await reporter.end?.(whole)
  }
  return exitCode(whole, policy)
}

function compareTwo(paths: readonly string[], args: Arguments, term: Terminal): number {
  if (paths.length !== 2) throw new WrongUsage('diff takes two reports: mcp-conformance report diff BEFORE AFTER.')
  const [before, after] = paths.map(path => readReport(path).report)
  const found = diff(before!, after!)
  const colours = paint(term.colour && !args.has('no-color'))
  term.print(diffText(found, colours, term.columns).join('\n'))
  return found.broken.length ? 1 : 0
}

function compareMany(paths: readonly string[], args: Arguments, term: Terminal): number {
  if (paths.length < 2)
    throw new WrongUsage('compare takes the reports of several gateways: mcp-conformance report compare A B…')
  const form = oneOf(args.value('to') ?? 'text', ['text', 'markdown', 'html'], 'to')
  const columns = paths.map(path => readReport(path).report).map(report => ({ name: report.target.name, report }))
  const table = sideBySide(columns.map((c, i) => ({ ...c, name: unlike(c.name, i, columns) })))
  term.print({ text: asText, markdown: asMarkdown, html: asHtml }[form](table).join('\n'))
  return 0
}

/** Two gateways of one name are told apart by their place. */
const unlike = (name: string, i: number, all: readonly { readonly name: string }[]): string =>
  all.filter(c => c.name === name).length > 1 ? `${name} (${i + 1})` : name

function one(paths: readonly string[], task: string): ReadReport {
  const [path] = paths
  if (path === undefined || paths.length > 1)
    throw new WrongUsage(`${task} takes one report: mcp-conformance report ${task} FILE.`)
  return readReport(path)
}

const policyOf = ({ strict, baseline }: Pick<ReadReport, 'strict' | 'baseline'>) => ({ strict, baseline })
