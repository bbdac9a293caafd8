import { h } from './dom.ts'
import { pretty, sideBySide } from './lines.ts'
import type { Exchange, Message } from './model.ts'

/** Both sides of each exchange: what was sent on the one hop beside what arrived on the other. */
export function exchanges(client: readonly Exchange[], backend: readonly Exchange[]): HTMLElement[] {
  const met = new Set<Exchange>()
  const pairs = client.map(c => {
    const its = backend.filter(b => b.nonce !== '' && b.nonce === c.nonce)
    for (const b of its) met.add(b)
    return { c, its }
  })
  const alone = backend.filter(b => !met.has(b))
  // How a session is opened is seldom what is wrong.
  const isHandshake = ({ c }: (typeof pairs)[number]) =>
    /"(initialize|notifications\/initialized)"/.test(c.request.body)
  const told = pairs.filter(p => !isHandshake(p))
  const others = told.length ? pairs.filter(isHandshake) : []
  return [
    ...(told.length ? told : pairs).map(({ c, its }) => pair(c, its)),
    ...alone.map(b =>
      h(
        'section',
        { class: 'exchange' },
        h('h4', {}, `At ${b.server} alone`),
        message('Request at the server', startOf(b), b.request),
      ),
    ),
    ...(others.length
      ? [h('details', {}, h('summary', {}, 'The handshake'), ...others.map(({ c, its }) => pair(c, its)))]
      : []),
  ]
}

const startOf = ({ request }: Exchange): string => `${request.method} ${request.path}`

function pair(c: Exchange, its: readonly Exchange[]): HTMLElement {
  const [b, ...others] = its
  const name = c.label ?? /"method"\s*:\s*"([^"]{1,60})"/.exec(c.request.body)?.[1] ?? c.request.method
  return h(
    'section',
    { class: 'exchange' },
    h('h4', {}, name, c.who && c.who !== 'a' ? ` (client ${c.who})` : ''),
    !b && h('p', { class: 'note' }, 'Nothing of this came to a server.'),
    others.length > 0 && h('p', { class: 'note' }, `The servers got this ${its.length} times.`),
    b
      ? compared('Request', 'client sent', 'server got', startOf(c), startOf(b), c.request, b.request)
      : message('Request', startOf(c), c.request),
    b?.response && c.response
      ? compared(
          'Answer',
          'server sent',
          'client got',
          String(b.response.status),
          String(c.response.status),
          withEvents(b),
          withEvents(c),
        )
      : c.response && message('Answer', String(c.response.status), withEvents(c)),
    c.failure !== undefined && h('p', { class: 'note bad' }, `At the client: ${c.failure}`),
    b?.held !== undefined &&
      h('p', { class: 'note bad' }, `The server waited in vain for the client to see event ${b.held}.`),
  )
}

/** An answer by stream is shown event by event. */
function withEvents({ response, events }: Exchange): Message {
  return events.length ? { ...response!, body: events.map(e => e.data).join('\n\n') } : response!
}

const linesOf = (start: string, { headers, body, cut, size }: Message): string[] => [
  start,
  ...headers.map(([name, value]) => `${name}: ${value}`),
  '',
  ...body.split('\n\n').flatMap(piece => pretty(piece)),
  ...(cut ? [`… cut: ${size} bytes in all`] : []),
]

function compared(
  what: string,
  left: string,
  right: string,
  startLeft: string,
  startRight: string,
  a: Message,
  b: Message,
): HTMLElement {
  const lines = sideBySide(linesOf(startLeft, a), linesOf(startRight, b))
  const differs = lines.some(line => !line.same)
  const row = ({ left: l, right: r, same }: (typeof lines)[number]) =>
    h('tr', { class: same ? '' : 'differs' }, cell(l, same ? '' : '−'), cell(r, same ? '' : '+'))
  return h(
    'div',
    { class: 'compared', tabindex: '0', role: 'region', 'aria-label': `${what}: ${left} beside ${right}` },
    h(
      'table',
      { class: 'lines' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, `${what}: what the ${left}`),
          h('th', { scope: 'col' }, `what the ${right}`, differs ? '' : ' (the same)'),
        ),
      ),
      h('tbody', {}, ...lines.map(row)),
    ),
  )
}

const cell = (text: string | undefined, sign: string): HTMLElement =>
  text === undefined
    ? h('td', { class: 'none' })
    : h('td', {}, sign && h('span', { class: 'sign' }, `${sign} `), h('code', {}, text))

const message = (what: string, start: string, m: Message): HTMLElement =>
  h(
    'div',
    { class: 'compared', tabindex: '0', role: 'region', 'aria-label': what },
    h('pre', {}, h('code', {}, linesOf(start, m).join('\n'))),
  )
