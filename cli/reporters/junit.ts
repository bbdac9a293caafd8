import { counts, known, opposites, type Policy } from '../../kit/report.ts'
import type { Report, Reporter, Result } from '../../kit/types.ts'
import type { Print, ReporterOptions } from './options.ts'

/**
 * Prints JUnit XML, at the end. What makes the gateway not conform is a `failure`, what could not be judged an `error`;
 * what does not hold but does not count (a SHOULD, a known failure, a rule whose opposite holds) passes, with the findings in `system-out`.
 */
export const junit = (print: Print, options: ReporterOptions): Reporter => ({
  end: report => print(xml(report, options)),
})

function xml(report: Report, { policy, version }: ReporterOptions): string {
  const suites = [...new Set(report.results.map(r => suiteOf(r)))]
  const all = report.results
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-conformance" ${totals(all, report, policy)}>`,
    ...suites.flatMap((name, i) => {
      const results = all.filter(r => suiteOf(r) === name)
      const when = report.startedAt.toISOString().slice(0, 19)
      return [
        `  <testsuite name="${attribute(name)}" id="${i}" hostname="localhost" package="mcp-conformance" timestamp="${when}" skipped="${results.filter(r => r.verdict === 'skip').length}" ${totals(results, report, policy)}>`,
        '    <properties>',
        property('kit', version),
        property('target', report.target.name),
        property('url', report.target.url),
        '    </properties>',
        ...results.map(r => testcase(r, report, policy)),
        '    <system-out/>',
        '    <system-err/>',
        '  </testsuite>',
      ]
    }),
    '</testsuites>',
  ].join('\n')
}

function testcase(result: Result, report: Report, policy: Policy): string {
  const { check, revision, verdict, reason } = result
  const name = `${check.id} (${revision})`
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(`mcp-conformance.${suiteOf(result)}`)}" time="${seconds(result.ms)}"`
  const body = inside()
  return body === '' ? `${open}/>` : `${open}>\n${body}\n    </testcase>`

  function inside(): string {
    if (verdict === 'skip') return `      <skipped>${content(reason ?? '')}</skipped>`
    if (verdict === 'error') return element('error', 'could not be judged', reason ?? '', findings(result))
    if (verdict === 'pass') return ''
    if (counts(result, report, policy)) return element('failure', check.level, headline(result), findings(result))
    const excuse = known(result, report, policy)
    const instead = opposites(result, report).map(r => r.check.id)
    const why = excuse
      ? `known failure: ${excuse.reason}`
      : instead.length
        ? `the opposite is asked for, and holds: ${instead.join(', ')}`
        : `${check.level} that does not hold (a warning)`
    return `      <system-out>${content(`${why}\n${findings(result)}`)}</system-out>`
  }
}

const element = (tag: string, type: string, message: string, text: string) =>
  `      <${tag} type="${attribute(type)}" message="${attribute(message)}">${content(text)}</${tag}>`

const property = (name: string, value: string) => `      <property name="${name}" value="${attribute(value)}"/>`

/** What was found first, on one line. */
const headline = ({ findings: [first] }: Result): string =>
  first ? `expected at the ${first.about}: ${first.claim}; seen: ${first.seen}` : ''

function findings({ check, findings: found, causedBy }: Result): string {
  const lines = found.flatMap(f => [`expected at the ${f.about}: ${f.claim}`, `seen: ${f.seen}`])
  return [
    `the gateway ${check.title}: this does not hold`,
    ...lines,
    ...(causedBy ? [`caused by: the ${causedBy}`] : []),
    `why: ${check.why}`,
    check.spec,
  ].join('\n')
}

function totals(results: readonly Result[], report: Report, policy: Policy): string {
  const of = (test: (r: Result) => boolean) => results.filter(test).length
  const failures = of(r => counts(r, report, policy))
  const errors = of(r => r.verdict === 'error')
  const time = seconds(results.reduce((sum, r) => sum + r.ms, 0))
  return `tests="${results.length}" failures="${failures}" errors="${errors}" time="${time}"`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)
const suiteOf = ({ check }: Result) => check.id.split('/')[0]!

/** Text for an attribute of XML 1.0. What XML can't hold is written out: `\u0000`. */
const attribute = (text: string): string => content(text).replace(/["\t\n\r]/g, c => ENTITIES[c]!)

/** Text between tags. */
export const content = (text: string): string =>
  text.replace(UNFIT, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).replace(/[&<>\r]/g, c => ENTITIES[c]!)

const UNFIT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, and half a pair of surrogates
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
