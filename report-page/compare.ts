import { h } from './dom.ts'
import { type Document, keyOf, kindOf, SIGN } from './model.ts'

/** What is different in another report of a gateway: each check that came out otherwise. */
export function comparison(document: Document, other: Document): HTMLElement {
  const before = new Map(other.results.map(r => [keyOf(r), kindOf(r, other)]))
  const rows = document.results.flatMap(r => {
    const [was, is] = [before.get(keyOf(r)), kindOf(r, document)]
    return was === is ? [] : [{ r, was, is }]
  })
  const gone = other.results.filter(r => !document.results.some(o => keyOf(o) === keyOf(r)))
  return h(
    'section',
    { class: 'comparison', 'aria-labelledby': 'comparison-title' },
    h(
      'h2',
      { id: 'comparison-title' },
      `Beside ${other.target.name}, ${other.startedAt.slice(0, 16).replace('T', ' ')}`,
    ),
    rows.length + gone.length === 0 && h('p', {}, 'Every check came out the same.'),
    rows.length > 0 &&
      h(
        'div',
        { class: 'compared', tabindex: '0', role: 'region', 'aria-label': 'What came out otherwise' },
        h(
          'table',
          { class: 'figures' },
          h('thead', {}, h('tr', {}, ...['Check', 'There', 'Here'].map(t => h('th', { scope: 'col' }, t)))),
          h(
            'tbody',
            {},
            ...rows.map(({ r, was, is }) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, `${r.id} ${r.revision}`),
                h('td', {}, was ? `${SIGN[was]} ${was}` : 'not there'),
                h('td', {}, `${SIGN[is]} ${is}`),
              ),
            ),
          ),
        ),
      ),
    gone.length > 0 && h('p', {}, `Only there: ${gone.map(r => r.id).join(', ')}.`),
  )
}
