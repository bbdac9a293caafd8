import { h } from './dom.ts'
import { type Document, KINDS, kindOf, WORD } from './model.ts'

/** How many checks of each suite came out how; a suite leads to its checks. */
export function overview(report: Document, pick: (suite: string) => void): HTMLElement {
  const suites = [...new Set(report.results.map(r => r.suite))]
  const row = (suite: string) => {
    const its = report.results.filter(r => r.suite === suite)
    const numbers = KINDS.map(kind => its.filter(r => kindOf(r, report) === kind).length)
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', click: () => pick(suite) }, suite)),
      ...numbers.map((n, i) => h('td', { class: n ? KINDS[i]! : 'none' }, n ? String(n) : '·')),
    )
  }
  return h(
    'section',
    { 'aria-labelledby': 'overview' },
    h('h2', { id: 'overview' }, 'By suite'),
    h(
      'div',
      { class: 'compared', tabindex: '0', role: 'region', 'aria-label': 'By suite' },
      h(
        'table',
        { class: 'figures' },
        h(
          'thead',
          {},
          h('tr', {}, h('th', { scope: 'col' }, 'Suite'), ...KINDS.map(kind => h('th', { scope: 'col' }, WORD[kind]))),
        ),
        h('tbody', {}, ...suites.map(row)),
      ),
    ),
  )
}
