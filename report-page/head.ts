import { h } from './dom.ts'
import { type Document, KINDS, type Kind, kindOf, SIGN, sentenceOf, WORD } from './model.ts'
import { themeSwitch } from './theme.ts'

/** What came of it in one sentence, what was judged, and a button for each kind of result. */
export function head(report: Document, toggle: (kind: Kind) => void): HTMLElement {
  const { kind, says } = sentenceOf(report)
  const { target, startedAt, kit, node } = report
  const kinds = report.results.map(r => kindOf(r, report))
  const countOf = (one: Kind) => {
    const n = kinds.filter(k => k === one).length
    return ` ${n} ${n === 1 && one === 'warning' ? 'warning' : WORD[one].toLowerCase()}`
  }
  return h(
    'header',
    {},
    h('div', { class: 'top' }, h('p', { class: 'what' }, 'MCP gateway conformance'), themeSwitch()),
    h('h1', { class: kind }, h('span', { class: `mark ${kind}`, 'aria-hidden': 'true' }, SIGN[kind]), says),
    h(
      'p',
      { class: 'about' },
      `${target.name} at ${target.url} · revisions ${target.revisions.join(', ')} · ${startedAt.slice(0, 16).replace('T', ' ')} UTC · mcp-conformance ${kit.version}${node ? `, Node ${node}` : ''}`,
    ),
    report.partial &&
      h('p', { class: 'note' }, 'Only a part of the checks was chosen, so this says nothing of the rest.'),
    report.stopped && h('p', { class: 'note' }, 'It stopped at the first failure: the rest was not judged.'),
    report.results.length > 0 &&
      h(
        'div',
        { class: 'kinds', role: 'group', 'aria-label': 'Show only' },
        ...KINDS.map(one =>
          h(
            'button',
            { type: 'button', 'data-kind': one, 'aria-pressed': 'false', click: () => toggle(one) },
            h('span', { class: `mark ${one}`, 'aria-hidden': 'true' }, SIGN[one]),
            countOf(one),
          ),
        ),
      ),
  )
}
