import { benchSection } from './bench.ts'
import { comparison } from './compare.ts'
import { detail } from './detail.ts'
import { h } from './dom.ts'
import { head } from './head.ts'
import { type Document, KINDS, type Kind, kindOf, type Result, SIGN, WORD } from './model.ts'
import { overview } from './overview.ts'
import { EVERYTHING, readView, type View, writeView } from './state.ts'

const read = (id: string): Document | undefined => {
  const text = document.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as Document) : undefined
}

const report = read('report')!
let view = readView(location.hash)

const list = h('div', { class: 'results' })
const count = h('p', { class: 'count', role: 'status' })
const other = h('div')

const weight = (kind: Kind) => KINDS.indexOf(kind)
const sorted = [...report.results].sort((a, b) => weight(kindOf(a, report)) - weight(kindOf(b, report)))

/** Changes what is looked at, and writes it into the address. */
function change(more: Partial<View>): void {
  view = { ...view, ...more }
  history.replaceState(null, '', `#${writeView(view)}`)
  show()
}

function matches(result: Result): boolean {
  const { kinds, suite, pack, level, search } = view
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [result.id, result.title, result.reason, ...result.findings.map(f => f.seen)].join(' ').toLowerCase()
  return (
    (kinds.length === 0 || kinds.includes(kindOf(result, report))) &&
    (suite === '' || result.suite === suite) &&
    (pack === '' || result.pack === pack) &&
    (level === '' || result.level === level) &&
    words.every(word => text.includes(word))
  )
}

function show(): void {
  const shown = sorted.filter(matches)
  count.textContent = `${shown.length} of ${report.results.length} checks`
  list.replaceChildren(
    ...shown.map(item),
    ...(shown.length
      ? []
      : [
          h(
            'p',
            { class: 'empty' },
            'No check is like this. ',
            h('button', { type: 'button', click: () => reset() }, 'Show all'),
          ),
        ]),
  )
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-kind]'))
    button.setAttribute('aria-pressed', String(view.kinds.includes(button.dataset['kind'] as Kind)))
}

function reset(): void {
  for (const field of document.querySelectorAll<HTMLSelectElement | HTMLInputElement>(
    '.filters select, .filters input',
  ))
    field.value = ''
  change(EVERYTHING)
}

function item(result: Result): HTMLElement {
  const kind = kindOf(result, report)
  const name = `${result.id} ${result.revision}`
  const box = h(
    'details',
    { class: `result ${kind}` },
    h(
      'summary',
      {},
      h('span', { class: `mark ${kind}`, title: WORD[kind] }, SIGN[kind]),
      h('span', { class: 'id' }, result.id),
      h('span', { class: 'level' }, result.level),
      h('span', { class: 'revision' }, result.revision),
      h('span', { class: 'title' }, `The gateway ${result.title}.`),
    ),
  )
  const fill = () => {
    if (box.open && box.childElementCount === 1) box.append(detail(result, report))
  }
  box.addEventListener('toggle', () => {
    fill()
    if (box.open) history.replaceState(null, '', `#${writeView({ ...view, open: name })}`)
  })
  if (view.open === name) {
    box.open = true
    fill()
  }
  return box
}

function select(name: 'suite' | 'pack' | 'level', label: string, values: readonly string[]): HTMLElement {
  const field = h(
    'select',
    { id: `by-${name}`, change: () => change({ [name]: field.value }) },
    h('option', { value: '' }, 'all'),
    ...values.map(value => h('option', { value }, value)),
  )
  field.value = view[name]
  return h('div', {}, h('label', { for: `by-${name}` }, label), field)
}

/** Shows one suite, and goes to the list. */
function pick(suite: string): void {
  const field = document.getElementById('by-suite') as HTMLSelectElement
  field.value = suite
  change({ suite })
  document.getElementById('checks')?.scrollIntoView()
}

const toggle = (one: Kind): void =>
  change({ kinds: view.kinds.includes(one) ? view.kinds.filter(k => k !== one) : [...view.kinds, one] })

function filters(): HTMLElement {
  const values = (name: 'suite' | 'pack' | 'level') => [...new Set(report.results.map(r => r[name]))]
  const search = h('input', {
    id: 'search',
    type: 'search',
    placeholder: 'id, title, what was seen',
    input: () => change({ search: search.value }),
  })
  search.value = view.search
  const file = h('input', { id: 'other', type: 'file', accept: '.json,application/json' })
  file.addEventListener('change', async () => {
    const text = await file.files?.[0]?.text()
    try {
      const read = JSON.parse(text ?? '') as Document
      if (!Array.isArray(read.results)) throw new Error('no results')
      other.replaceChildren(comparison(report, read))
    } catch {
      other.replaceChildren(
        h('p', { class: 'note bad', role: 'alert' }, 'This is no JSON report: --reporter json=FILE writes one.'),
      )
    }
  })
  const theme = h('button', { type: 'button', click: () => switchTheme(theme) }, 'Dark or light')
  return h(
    'form',
    { class: 'filters', role: 'search', submit: (event: Event) => event.preventDefault() },
    h('div', { class: 'wide' }, h('label', { for: 'search' }, 'Search'), search),
    select('suite', 'Suite', values('suite')),
    select('pack', 'Pack', values('pack')),
    select('level', 'Level', values('level')),
    h('div', {}, h('label', { for: 'other' }, 'Compare with'), file),
    theme,
  )
}

function switchTheme(button: HTMLElement): void {
  const root = document.documentElement
  const isDark = root.dataset['theme']
    ? root.dataset['theme'] === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset['theme'] = isDark ? 'light' : 'dark'
  button.setAttribute('aria-label', `Dark or light: now ${root.dataset['theme']}`)
}

const embedded = read('other')
document.body.append(
  head(report, toggle),
  h(
    'main',
    {},
    ...(report.results.length
      ? [
          filters(),
          other,
          h(
            'section',
            { id: 'checks', 'aria-labelledby': 'checks-title' },
            h('h2', { id: 'checks-title' }, 'Checks'),
            count,
            list,
          ),
        ]
      : []),
    report.bench && benchSection(report.bench),
    report.results.length > 0 && overview(report, pick),
  ),
)
if (embedded) other.replaceChildren(comparison(report, embedded))
show()
addEventListener('hashchange', () => {
  view = readView(location.hash)
  show()
})
// What is closed can't be printed: everything that is shown is opened for it.
addEventListener('beforeprint', () => {
  for (const box of document.querySelectorAll<HTMLDetailsElement>(
    'details.result.failed, details.result.warning, details.result.unjudged',
  ))
    box.open = true
})
