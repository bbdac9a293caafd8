import { copyButton, h } from './dom.ts'
import { exchanges } from './evidence.ts'
import type { Document, Result } from './model.ts'
import { sequence } from './sequence.ts'

/** All that is known of one result. Made when it is opened: five hundred of them at once would take seconds. */
export function detail(result: Result, document: Document): HTMLElement {
  const { findings, evidence, why, reason, steps, causedBy, contradictedBy, known, spec } = result
  const repeat = document.command && `${document.command} --only ${result.id} --revision ${result.revision}`
  const request = evidence?.client.at(-1)
  return h(
    'div',
    { class: 'detail' },
    reason !== undefined && h('p', {}, h('strong', {}, result.verdict === 'skip' ? 'Skipped: ' : 'Because: '), reason),
    findings.length > 0 &&
      h(
        'dl',
        { class: 'findings' },
        ...findings.flatMap(f => [
          h('dt', {}, `Expected at the ${f.about}`),
          h('dd', {}, f.claim),
          h('dt', {}, 'Seen'),
          h('dd', { class: 'seen' }, f.seen),
        ]),
      ),
    causedBy &&
      h(
        'p',
        {},
        causedBy === 'gateway'
          ? 'The gateway did it: asked without the gateway, the server passes this check.'
          : 'Not the gateway alone: asked without the gateway, the server fails this check, too.',
      ),
    contradictedBy && h('p', {}, `The opposite is asked for, and holds: ${contradictedBy.join(', ')}.`),
    known &&
      h(
        'p',
        {},
        `Known: ${known.reason}${known.issue ? ` (${known.issue})` : ''}${known.until ? `, until ${known.until}` : ''}`,
      ),
    why && h('p', { class: 'why' }, h('strong', {}, 'Why it matters: '), why),
    h('p', {}, link(spec)),
    steps &&
      steps.length > 0 &&
      h(
        'details',
        { class: 'steps' },
        h('summary', {}, 'What the kit does'),
        h('ol', {}, ...steps.map(step => h('li', {}, step))),
      ),
    repeat && copied('Repeat', repeat),
    request && request.transport === 'http' && copied('curl', curlOf(request, document)),
    evidence && evidence.client.length + evidence.backend.length > 0 && h('h3', {}, 'What both sides saw'),
    evidence &&
      h(
        'div',
        { class: 'picture', tabindex: '0', role: 'region', 'aria-label': 'Sequence of messages' },
        sequence(evidence.client, evidence.backend),
      ),
    ...(evidence ? exchanges(evidence.client, evidence.backend) : []),
  )
}

/** Only addresses of the web are links: others, such as a section of a guide, are text. */
const link = (spec: string): HTMLElement =>
  /^https?:\/\//.test(spec) ? h('a', { href: spec, rel: 'noreferrer' }, spec) : h('span', {}, spec)

const copied = (name: string, text: string): HTMLElement =>
  h(
    'div',
    { class: 'copied' },
    h('span', { class: 'name' }, name),
    h('code', { tabindex: '0' }, text),
    copyButton(text, name),
  )

/** The last request of the check, as a shell sends it. Sessions are over by now: it may need a new one. */
function curlOf({ request }: NonNullable<Result['evidence']>['client'][number], { target }: Document): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const own = new Set(['host', 'content-length', 'connection'])
  const fields = request.headers
    .filter(([name]) => !own.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const url = URL.canParse(request.path, target.url) ? new URL(request.path, target.url).href : target.url
  return [
    'curl -isSN',
    ...(request.method === 'POST' ? [] : [`-X ${request.method}`]),
    quoted(url),
    ...fields,
    ...(request.body ? [`--data-raw ${quoted(request.body)}`] : []),
  ].join(' ')
}
