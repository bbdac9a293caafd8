import { counts, exitCode, opposites, type Policy } from '../../kit/report.ts'
import type { Report, Reporter, Result } from '../../kit/types.ts'
import { notable, seenIn } from './notable.ts'
import type { Print, ReporterOptions } from './options.ts'
import { totals, verdict } from './verdict.ts'

/** More failures than this are counted, not shown: a summary is to be read. */
const MOST = 25
const LONGEST = 400
const SIGN = { failure: '❌', warning: '⚠️', unjudged: '❓' } as const

/** Prints a page of Markdown, at the end: for the summary of a job, or a comment. What a gateway sent is text in it, never markup. */
export const markdown = (print: Print, options: ReporterOptions): Reporter => ({
  end: report => print(page(report, options)),
})

function page(report: Report, options: ReporterOptions): string {
  const { policy, version, partial, again } = options
  const { target, startedAt } = report
  const sentences = verdict(report, policy, partial)
  const sign = { 0: '✅', 1: '❌', 3: '❓', 130: '❓' }[exitCode(report, policy)]
  return [
    '## MCP gateway conformance',
    '',
    `${sign} **${plain(sentences.at(-1)!)}** ${totals(report)}.`,
    '',
    ...sentences.slice(0, -1).flatMap(sentence => [`${plain(sentence)}  `]),
    `${plain(target.name)} at ${plain(target.url)}, judged by mcp-conformance ${plain(version)} on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    '',
    ...failures(report, policy, again?.command),
    '<details><summary>By suite</summary>',
    '',
    ...table(report, policy),
    '',
    '</details>',
  ].join('\n')
}

function failures(report: Report, policy: Policy, command: string | undefined): string[] {
  const all = notable(report, policy)
  if (all.length === 0) return []
  const lines = all.slice(0, MOST).map(({ result, weight }) => {
    const { check, revision, verdict: came } = result
    const what = came === 'error' ? 'could not be judged' : check.level
    const repeat = command && `<br>\`${command.replaceAll('`', '')} --only ${check.id}\``
    return `| ${SIGN[weight]} | [${check.id}](${/^https:/.test(check.spec) ? check.spec : ''}) ${revision} | ${what} | ${plain(short(seenIn(result)))}${repeat ?? ''} |`
  })
  const more = all.length - MOST
  return [
    '| | check | level | seen |',
    '|---|---|---|---|',
    ...lines,
    '',
    ...(more > 0 ? [`…and ${more} more, which the report names.`, ''] : []),
  ]
}

function table(report: Report, policy: Policy): string[] {
  const suites = [...new Set(report.results.map(suiteOf))]
  const rows = suites.map(suite => {
    const its = report.results.filter(r => suiteOf(r) === suite)
    const of = (test: (r: Result) => boolean) => its.filter(test).length || '·'
    const failed = (r: Result) => counts(r, report, policy)
    const soft = (r: Result) => r.verdict === 'fail' && !failed(r) && opposites(r, report).length === 0
    return `| ${suite} | ${of(r => r.verdict === 'pass')} | ${of(failed)} | ${of(soft)} | ${of(r => r.verdict === 'skip')} | ${of(r => r.verdict === 'error')} |`
  })
  return ['| suite | passed | failed | warnings | skipped | not judged |', '|---|---|---|---|---|---|', ...rows]
}

const suiteOf = ({ check }: Result): string => check.id.split('/')[0]!
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

/** Text as text: neither markup, nor a new cell, nor a mention of somebody. */
export const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#|!~&@]/g, c => `&#${c.codePointAt(0)};`)
