import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe, type Session } from '../../kit/session.ts'
import { bytes, call, http, step } from '../../kit/steps.ts'
import type { Check, Exchange, Rig, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { whole } from '../answers.ts'
import { rfc9110, rfc9112 } from '../spec.ts'

/** A request head with the session's fields, over a bare connection. */
const rawPost = (path: string, text: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: {{host}}\r\n{{session}}Content-Type: application/json\r\n` +
  `Accept: application/json, text/event-stream\r\n${more}Content-Length: ${text.length}\r\n\r\n${text}`

const rawPing = (id: string, more = ''): string =>
  rawPost('{{path}}', `{"jsonrpc":"2.0","id":"${id}","method":"ping"}`, more)

const hasResult = (e: Exchange): boolean => at(reply(e), 'result') !== undefined

const notAllowed = (label: string) =>
  client(label).holds('the status is 405, or 501', e =>
    [405, 501].includes(e.response?.status ?? 0) ? undefined : describe(e),
  )

const refusedOrClosed = (label: string) =>
  client(label).holds('the answer is a status of 400 to 499, or the connection is closed', e => {
    const status = e.response?.status
    // 501 and 505 say of the request that nobody knows its method or version.
    if (status !== undefined)
      return (status >= 400 && status < 500) || status === 501 || status === 505 ? undefined : describe(e)
    return e.failure === 'no whole answer in time' ? 'no answer, and the connection stays open' : undefined
  })

const slashed = (rig: Rig): Exchange | undefined =>
  rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === 'slash')

/** Where a redirect leads to; undefined where there is none, or it leads to another host. */
const redirect = (e: Exchange | undefined, url: string): string | undefined => {
  const status = e?.response?.status ?? 0
  const location = field(e?.response?.headers ?? [], 'location')
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return undefined
  const to = new URL(location, url)
  return to.host === new URL(url).host ? to.href : undefined
}

const QUERY = 'tenant=%ED%99%98%EB%B6%88&v=1+2&v=&x'

/** A call at another address than the session's; `says` tells where. */
const callAt = (says: string, path: (url: URL) => string, as?: string): Step =>
  step(`calls the tool burst_target ${says}`, rig => {
    const url = (s: Session) => new URL(path(new URL(s.url)), s.url).href
    return call('burst_target', {}, { url, ...(as !== undefined && { as }) }).run(rig)
  })

/** Methods, paths, redirects, connections. */
export const requests: readonly Check[] = [
  check({
    id: 'forwarding/query-kept',
    title: 'forwards the query of the URL as it is',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('7.1'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Servers take a tenant or a choice of tools from it, and offer all or nothing without it.',
    steps: [
      callAt(`with the query ${QUERY}`, ({ pathname, search }) => `${pathname}${search ? `${search}&` : '?'}${QUERY}`),
    ],
    claims: [
      backend().holds('the query is the one that the client sent', e =>
        e.request.path.endsWith(QUERY) ? undefined : e.request.path,
      ),
    ],
  }),
  check({
    id: 'forwarding/other-methods-refused',
    title: 'answers 405 to methods that the endpoint does not have',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('9.1'),
    why: 'A client or probe that gets a success believes that something was done.',
    steps: [
      http('PUT', 'sends PUT to the endpoint', {}, { as: 'PUT' }),
      http('PATCH', 'sends PATCH to the endpoint', {}, { as: 'PATCH' }),
    ],
    claims: [notAllowed('PUT'), notAllowed('PATCH')],
  }),
  check({
    id: 'forwarding/other-paths-refused',
    title: 'refuses paths at which there is nothing',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('15.5.5'),
    why: 'A mistyped address seems to work, past all rules that hang on the right one.',
    steps: [callAt('at a path with "-nowhere" at its end', ({ pathname }) => `${pathname}-nowhere`)],
    claims: [client().status(400, 499)],
  }),
  check({
    id: 'forwarding/slash-keeps-the-call',
    title: 'does not lose a call to the endpoint with a slash too many',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('15.4.3'),
    why: 'After a 301 or 302 clients send GET without a body, or go in circles, and call nothing without a word.',
    steps: [
      callAt(
        'at the path with a slash more at its end, or one less where there is one',
        ({ pathname }) => (pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`),
        'slash',
      ),
      step('follows the redirect, where one came', async rig => {
        const first = slashed(rig)
        const to = redirect(first, new URL(first?.request.path ?? '', rig.target.url).href)
        if (to !== undefined) await call('burst_target', {}, { as: 'followed', url: () => to }).run(rig)
      }),
    ],
    claims: [
      client('slash').holds('the answer is no redirect that turns POST into GET', e =>
        [301, 302, 303].includes(e.response?.status ?? 0)
          ? `status ${e.response?.status}, Location: ${field(e.response?.headers ?? [], 'location')}`
          : e.response === undefined
            ? describe(e)
            : undefined,
      ),
      claim('client', 'a redirect leads to an answer, not to another redirect', ({ client: seen }) => {
        const followed = seen.find(e => e.label === 'followed')
        const status = followed?.response?.status ?? 0
        return status >= 300 && status < 400 ? `another ${status}` : undefined
      }),
    ],
  }),
  check({
    id: 'forwarding/redirect-is-no-success',
    title: "does not turn a server's redirect into a success, or the call into a GET",
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('15.4.8'),
    catalogue: ['errors.no-swallowing'],
    needs: ['http-backend'],
    why: 'The call was not done, and the client believes that it was.',
    steps: [call('burst_target', {}, { acts: whole(307, undefined, '', [['Location', '/moved']]) })],
    given: [backend().holds('the server redirects', e => (e.response?.status === 307 ? undefined : describe(e)))],
    claims: [
      client().holds('the answer is no success', e => {
        const status = e.response?.status ?? 0
        const success = hasResult(e) || (status >= 200 && status < 300 && at(reply(e), 'error') === undefined)
        return success ? describe(e) : undefined
      }),
      claim('backend', 'no GET for the new place reaches the server', ({ backend: seen }) =>
        seen.some(e => e.request.method === 'GET' && e.request.path.includes('/moved')) ? 'GET /moved' : undefined,
      ),
    ],
  }),
  check({
    id: 'forwarding/malformed-http-contained',
    title: 'refuses what is no valid HTTP, and goes on serving others',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9112('3'),
    why: 'One broken client, or one that means harm, takes the tools away from all.',
    steps: [
      bytes('NONSENSE\r\n\r\n', 'sends something that is not HTTP', { as: 'nonsense' }),
      bytes(
        'POST {{path}} HTTP/1.1\r\nHost: {{host}}\r\nno colon here\r\n\r\n',
        'sends a header line without a colon',
        {
          as: 'broken header',
        },
      ),
      bytes(rawPost('{{path}}%zz%', '{}', 'Connection: close\r\n'), 'sends a path with a broken escape', {
        as: 'broken path',
      }),
      call('burst_target', {}, { as: 'next' }),
    ],
    claims: [
      refusedOrClosed('nonsense'),
      refusedOrClosed('broken header'),
      refusedOrClosed('broken path'),
      client('next').succeeds(),
    ],
  }),
  check({
    id: 'forwarding/connection-stays-open',
    title: 'answers a second request on the same connection',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9112('9.3'),
    until: '2026-07-28',
    why: 'A new connection for each call costs the client a handshake, with TLS two, each time.',
    steps: [
      bytes(rawPing('first') + rawPing('second', 'Connection: close\r\n'), 'sends two pings over one connection', {
        as: 'pings',
        untilClose: true,
      }),
    ],
    claims: [
      client('pings').holds('both are answered, in order', e => {
        const all = e.response?.body ?? ''
        const [first, second] = ['first', 'second'].map(id => all.search(new RegExp(`"id"\\s*:\\s*"${id}"`)))
        if (first === -1) return describe(e)
        return second === -1 ? 'only the first is answered' : first! > second! ? 'the second comes first' : undefined
      }),
    ],
  }),
]
