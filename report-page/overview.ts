import { h } from './dom.ts'
import type { By } from './filters.ts'
import { type Document, KINDS, kindOf, WORD } from './model.ts'

/** How many checks of each level, pack and suite came out how; a name leads to its checks. */
export function overview(report: Document, pick: (by: By, value: string) => void): HTMLElement {
  return h(
    'details',
    { class: 'overview' },
    h('summary', {}, 'By level, pack and suite'),
    ...(['level', 'pack', 'suite'] as const).map(by => table(report, by, pick)),
  )
}

function table(report: Document, by: By, pick: (by: By, value: string) => void): HTMLElement {
  const values = [...new Set(report.results.map(r => r[by]))]
  const row = (value: string) => {
    const its = report.results.filter(r => r[by] === value)
    const numbers = KINDS.map(kind => its.filter(r => kindOf(r, report) === kind).length)
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', click: () => pick(by, value) }, value)),
      ...numbers.map((n, i) => h('td', { class: n ? KINDS[i]! : 'none' }, n ? String(n) : '·')),
    )
  }
  return h(
    'div',
    { class: 'compared', tabindex: '0', role: 'region', 'aria-label': `By ${by}` },
    h(
      'table',
      { class: 'figures' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, `${by[0]!.toUpperCase()}${by.slice(1)}`),
          ...KINDS.map(kind => h('th', { scope: 'col' }, WORD[kind])),
        ),
      ),
      h('tbody', {}, ...values.map(row)),
    ),
  )
}
