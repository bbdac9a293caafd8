import { benchSection } from './bench.ts'
import { h } from './dom.ts'
import { filters } from './filters.ts'
import { head } from './head.ts'
import { entry, nameOf, openInPrint } from './list.ts'
import { type Document, KINDS, type Kind } from './model.ts'
import { overview } from './overview.ts'
import { EVERYTHING, readView, type View, writeView } from './state.ts'

const report = JSON.parse(document.getElementById('report')?.textContent ?? '') as Document
let view = readView(location.hash)

const entries = report.results
  .map(result => entry(result, report, isOpen => chosen(nameOf(result), isOpen)))
  .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
const { form, follow, other } = filters(report, more => change(more))
const list = h('div', { class: 'results' })
const count = h('p', { class: 'count', role: 'status' })
const empty = h(
  'p',
  { class: 'empty' },
  'No check is like this. ',
  h('button', { type: 'button', click: () => change(EVERYTHING) }, 'Show all'),
)

/** Changes what is looked at, and writes it into the address. */
function change(more: Partial<View>): void {
  view = { ...view, ...more }
  history.replaceState(null, '', `#${writeView(view)}`)
  show()
}

/** The address names the check that was opened last. */
function chosen(name: string, isOpen: boolean): void {
  view = { ...view, open: isOpen ? name : view.open === name ? '' : view.open }
  history.replaceState(null, '', `#${writeView(view)}`)
}

function matches({ result, kind }: (typeof entries)[number]): boolean {
  const { kinds, suite, pack, level, search } = view
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [result.id, result.title, result.reason, ...result.findings.map(f => f.seen)].join(' ').toLowerCase()
  return (
    (kinds.length === 0 || kinds.includes(kind)) &&
    (suite === '' || result.suite === suite) &&
    (pack === '' || result.pack === pack) &&
    (level === '' || result.level === level) &&
    words.every(word => text.includes(word))
  )
}

function show(): void {
  const shown = entries.filter(matches)
  count.textContent = `${shown.length} of ${entries.length} checks`
  list.replaceChildren(...(shown.length ? shown.map(({ box }) => box) : [empty]))
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-kind]'))
    button.setAttribute('aria-pressed', String(view.kinds.includes(button.dataset['kind'] as Kind)))
  follow(view)
}

/** Goes to the check that the address names. */
function reveal(): void {
  const named = entries.find(({ result, box }) => nameOf(result) === view.open && box.isConnected)
  if (!named) return
  named.open()
  named.box.scrollIntoView()
}

const toggle = (one: Kind): void =>
  change({ kinds: view.kinds.includes(one) ? view.kinds.filter(k => k !== one) : [...view.kinds, one] })

const checks = h(
  'section',
  { 'aria-labelledby': 'checks-title' },
  h('h2', { id: 'checks-title' }, 'Checks'),
  count,
  list,
)

document.body.append(
  head(report, toggle),
  h(
    'main',
    {},
    ...(entries.length
      ? [
          form,
          overview(report, (by, value) => {
            change({ [by]: value })
            checks.scrollIntoView()
          }),
          other,
          checks,
        ]
      : []),
    report.bench && benchSection(report.bench),
  ),
)
show()
reveal()
addEventListener('hashchange', () => {
  view = readView(location.hash)
  show()
  reveal()
})
openInPrint(entries)
