import { detail } from './detail.ts'
import { h } from './dom.ts'
import { type Document, type Kind, kindOf, type Result, SIGN, WORD } from './model.ts'

/** How the address names a result. */
export const nameOf = ({ id, revision }: Result): string => `${id} ${revision}`

/** One entry of the list. */
export interface Entry {
  readonly result: Result
  readonly kind: Kind
  readonly box: HTMLDetailsElement
  /** Opens it, with all that is in it. */
  readonly open: () => void
}

/** An entry for a result; `chosen` is told when somebody opens or closes it. */
export function entry(result: Result, report: Document, chosen: (isOpen: boolean) => void): Entry {
  const kind = kindOf(result, report)
  const summary = h(
    'summary',
    // The click comes before the box turns.
    { click: () => chosen(!box.open) },
    h(
      'span',
      { class: `mark ${kind}`, title: WORD[kind] },
      h('span', { 'aria-hidden': 'true' }, SIGN[kind]),
      h('span', { class: 'heard' }, `${WORD[kind]}: `),
    ),
    h('span', { class: 'id' }, result.id),
    h('span', { class: 'level' }, result.level),
    h('span', { class: 'revision' }, result.revision),
    h('span', { class: 'title' }, `The gateway ${result.title}.`),
  )
  const box: HTMLDetailsElement = h('details', { class: `result ${kind}` }, summary)
  // Made when it is opened: five hundred at once would take seconds.
  const fill = () => {
    if (box.childElementCount === 1) box.append(detail(result, report))
  }
  box.addEventListener('toggle', () => box.open && fill())
  const open = () => {
    // The event comes too late for a page that is being printed.
    fill()
    box.open = true
  }
  return { result, kind, box, open }
}

/** While the page is printed, what failed is open: what is closed can't be printed. */
export function openInPrint(entries: readonly Entry[]): void {
  let opened: Entry[] = []
  const asked = new Set<Kind>(['failed', 'warning', 'unjudged'])
  addEventListener('beforeprint', () => {
    opened = entries.filter(({ kind, box }) => asked.has(kind) && box.isConnected && !box.open)
    for (const { open } of opened) open()
  })
  addEventListener('afterprint', () => {
    for (const { box } of opened) box.open = false
    opened = []
  })
}
