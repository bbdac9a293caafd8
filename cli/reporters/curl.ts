import type { Evidence, Exchange, Finding, Pairs } from '../../kit/types.ts'
import { quoted } from '../words.ts'
import { focus } from './focus.ts'
import { requestMethod } from './handshake.ts'

const LONGEST_BODY = 4000
/** Where the control plane listens of a gateway that is started by hand. */
const USUAL_CONTROL = 'http://127.0.0.1:8888'
/** Fields that curl writes by itself. */
const OWN = new Set(['host', 'content-length', 'connection'])

/**
 * Lines for a shell that repeat the request that the findings are about, with a session of their own where it had one.
 * Where no shell can, one line that says why.
 */
export function curl(evidence: Evidence, findings: readonly Finding[], origin?: string): string[] {
  const { client, target } = evidence
  const last = focus(evidence, findings).findLast(p => p.client)?.client ?? client.at(-1)
  if (last?.transport !== 'http') return []
  const obstacle = whyNot(last)
  if (obstacle) return [obstacle]
  const base = (e: Exchange) =>
    e.who === 'admin' ? (origin ? USUAL_CONTROL : (target.admin?.url ?? target.url)) : (origin ?? target.url)
  const url = (e: Exchange) => new URL(e.request.path, base(e)).href
  const session = last.request.headers.some(([n]) => n.toLowerCase() === 'mcp-session-id')
  const opened = session
    ? client.find(e => requestMethod(e) === 'initialize' && e.who === last.who && e.server === last.server)
    : undefined
  if (!opened) return [command(url(last), last)]
  return [
    `SESSION=$(${command(url(opened), opened, '-sD - -o /dev/null')} | grep -i ^mcp-session-id: | tr -d '\\r' | cut -d' ' -f2)`,
    command(url(last), last),
  ]
}

function command(url: string, { request }: Exchange, flags = '-isSN'): string {
  const { method, body } = request
  const sent = new Set(request.headers.map(([n]) => n.toLowerCase()))
  const usual = method === 'GET' || (method === 'POST' && body !== '')
  return [
    `curl ${flags}${/[[\]{}]/.test(url) ? 'g' : ''} ${usual ? '' : `-X ${quoted(method)} `}${quoted(url)}`,
    ...fields(request.headers),
    // curl would add these by itself.
    ...(sent.has('accept') ? [] : ["-H 'Accept:'"]),
    ...(body === '' || sent.has('content-type') ? [] : ["-H 'Content-Type:'"]),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ')
}

function fields(headers: Pairs): string[] {
  return headers
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .map(([name, value]) => {
      if (name.toLowerCase() === 'mcp-session-id') return `-H "${name}: $SESSION"`
      const hidden = /^(.*)«hidden [0-9a-f]+»$/.exec(value)
      if (hidden) return `-H "${name}: ${hidden[1]}$TOKEN"`
      return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`
    })
}

function whyNot({ request }: Exchange): string | undefined {
  if (request.method === 'command') return `(a command: ${request.path})`
  if (!/^[A-Z]+$/.test(request.method)) return '(this request is no valid HTTP; curl can not send it)'
  if (request.body.length > LONGEST_BODY) return `(the body has ${request.size} bytes: too long to print)`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would not get through a shell and a terminal as they are
  if (/[\u0000-\u0008\u000b-\u001f\u007f\ufffd]/.test(request.body))
    return '(the body holds bytes that no shell line can)'
  return undefined
}
