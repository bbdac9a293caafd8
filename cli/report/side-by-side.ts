import { counts, opposites, summary } from '../../kit/report.ts'
import type { Report, Result } from '../../kit/types.ts'
import { plain } from '../reporters/markdown.ts'

/** One gateway of a comparison. */
export interface Column {
  readonly name: string
  readonly report: Report
}

/** The table of several gateways: a row for each suite, and below one for each check that does not come out alike. */
export interface SideBySide {
  readonly columns: readonly string[]
  readonly suites: readonly { readonly suite: string; readonly cells: readonly string[] }[]
  readonly checks: readonly { readonly id: string; readonly level: string; readonly cells: readonly string[] }[]
  readonly totals: readonly string[]
}

const SIGN = { pass: '✓', skip: '–', error: '?' } as const

/** Sets gateways side by side. */
export function sideBySide(columns: readonly Column[]): SideBySide {
  const suites = [...new Set(columns.flatMap(c => c.report.results.map(suiteOf)))]
  const ids = [...new Map(columns.flatMap(c => c.report.results.map(r => [r.check.id, r.check] as const))).values()]
  const rows = ids.map(check => ({
    id: check.id,
    level: check.level,
    cells: columns.map(c => cell(c.report, check.id)),
  }))
  return {
    columns: columns.map(c => c.name),
    suites: suites.map(suite => ({
      suite,
      cells: columns.map(({ report }) => {
        const its = report.results.filter(r => suiteOf(r) === suite && r.verdict !== 'skip')
        return its.length === 0 ? '–' : `${its.filter(r => r.verdict === 'pass').length}/${its.length}`
      }),
    })),
    // Where all agree there is nothing to compare.
    checks: rows.filter(row => new Set(row.cells).size > 1),
    totals: columns.map(({ report }) => {
      const { pass, fail, skip, error } = summary(report.results)
      const instead = report.results.filter(r => opposites(r, report).length > 0).length
      return `${pass} passed, ${fail - instead} failed, ${skip} skipped${error ? `, ${error} not judged` : ''}`
    }),
  }
}

/** The worst verdict of a check over its revisions. */
function cell(report: Report, id: string): string {
  const its = report.results.filter(r => r.check.id === id)
  const failed = its.find(r => r.verdict === 'fail' && opposites(r, report).length === 0)
  if (failed) return counts(failed, report) ? '✗' : '⚠'
  const [worst] = [...its].sort((a, b) => rank(b) - rank(a))
  if (!worst) return ''
  return worst.verdict === 'fail' ? '⇄' : SIGN[worst.verdict]
}

const rank = ({ verdict }: Result): number => ['skip', 'pass', 'error', 'fail'].indexOf(verdict)
const suiteOf = ({ check }: Result): string => check.id.split('/')[0]!

const LEGEND =
  '✓ passed · ✗ a MUST failed · ⚠ a warning · – skipped · ? could not be judged · ⇄ contradicted by another pack'

/** As text of aligned columns. */
export function asText({ columns, suites, checks, totals }: SideBySide): string[] {
  const rows = [
    ['', ...columns],
    ...suites.map(s => [s.suite, ...s.cells]),
    ...(checks.length
      ? [
          ['', ...columns.map(() => '')],
          ['where they differ', ...columns.map(() => '')],
        ]
      : []),
    ...checks.map(c => [`${c.id}  ${c.level}`, ...c.cells]),
  ]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  const lines = rows.map(row =>
    row
      .map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, '', ...columns.map((name, i) => `${name}: ${totals[i]}`), LEGEND]
}

/** As Markdown. */
export function asMarkdown({ columns, suites, checks, totals }: SideBySide): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = (first: string) => [row([first, ...columns.map(plain)]), row(['---', ...columns.map(() => '---')])]
  return [
    ...head('suite'),
    ...suites.map(s => row([s.suite, ...s.cells])),
    row(['**all**', ...totals]),
    ...(checks.length
      ? [
          '',
          '### Where they differ',
          '',
          ...head('check'),
          ...checks.map(c => row([`${c.id} (${c.level})`, ...c.cells])),
        ]
      : []),
    '',
    LEGEND,
  ]
}

/** As one page of HTML, which needs nothing else. */
export function asHtml(table: SideBySide): string[] {
  const cells = (tag: string, texts: readonly string[]) =>
    texts.map((t, i) => (i === 0 ? `<th scope="row">${html(t)}</th>` : `<${tag}>${html(t)}</${tag}>`)).join('')
  const head = (first: string) =>
    `<thead><tr>${[first, ...table.columns].map(t => `<th scope="col">${html(t)}</th>`).join('')}</tr></thead>`
  const body = (rows: readonly (readonly string[])[]) =>
    `<tbody>${rows.map(r => `<tr>${cells('td', r)}</tr>`).join('\n')}</tbody>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<title>MCP gateways side by side</title>',
    '<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}th,td{padding:.25rem .75rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);text-align:center}th[scope=row]{text-align:left;font-weight:400}thead th{position:sticky;top:0;background:Canvas}</style></head><body>',
    '<main><h1>MCP gateways side by side</h1>',
    `<table>${head('suite')}${body([...table.suites.map(s => [s.suite, ...s.cells]), ['all', ...table.totals]])}</table>`,
    ...(table.checks.length
      ? [
          `<h2>Where they differ</h2><table>${head('check')}${body(table.checks.map(c => [`${c.id} (${c.level})`, ...c.cells]))}</table>`,
        ]
      : []),
    `<p>${html(LEGEND)}</p></main></body></html>`,
  ]
}

const html = (text: string): string => text.replace(/[&<>"']/g, c => `&#${c.codePointAt(0)};`)
