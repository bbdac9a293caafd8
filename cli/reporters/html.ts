import { readFileSync } from 'node:fs'
import type { Reporter } from '../../kit/types.ts'
import { document } from './json.ts'
import type { Print, ReporterOptions } from './options.ts'

/** Prints one page of HTML that needs nothing else, at the end: the JSON report, and a script that shows it. */
export const html = (print: Print, options: ReporterOptions): Reporter => ({
  end: report => print(page(report.target.name, document(report, options))),
})

/** The page around a document. Throws where the package is not whole. */
export function page(name: string, shown: object): string {
  const title = `${name}: MCP gateway conformance`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Nothing is fetched, and nothing that a gateway sent can run: only this page's own script and style do.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">`,
    `<title>${escaped(title)}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${part('style.css')}</style>`,
    '</head>',
    '<body>',
    `<script type="application/json" id="report">${embedded(shown)}</script>`,
    `<script>${part('page.js').replaceAll('</script', '<\\/script')}</script>`,
    '</body>',
    '</html>',
  ].join('\n')
}

/** JSON that ends no script and breaks no line: what a gateway sent may hold anything. */
const embedded = (value: object): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

const escaped = (text: string): string => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`)

const parts = new Map<string, string>()

/** What was built of report-page: beside this file where it is built, in dist where it is not. */
function part(name: string): string {
  const known = parts.get(name)
  if (known !== undefined) return known
  for (const up of ['../../report-page/', '../../dist/report-page/']) {
    try {
      const text = readFileSync(new URL(up + name, import.meta.url), 'utf8')
      parts.set(name, text)
      return text
    } catch {}
  }
  throw new Error(`the page of the HTML report (${name}) is not built: npm run build`)
}
