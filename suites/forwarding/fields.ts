import { backend, client, unchanged } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { describe } from '../../kit/session.ts'
import { call, notify, request } from '../../kit/steps.ts'
import type { Check, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { json, saying } from '../answers.ts'
import { rfc9110 } from '../spec.ts'

const ODD_VALUE = 'a  b; c="d, e" ~!#$%&\'*+.^_|'

/** 6 KB: less than any common limit for one line. */
const LONG_VALUE = 'long,'.repeat(1200)

/** Fields whose value is no list: none of them may stand in a message twice. */
const SINGLE = ['Host', 'Content-Type', 'Content-Length', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'Last-Event-ID']

const doubled = (e: Exchange): string | undefined => {
  const headers = e.side === 'backend' ? e.request.headers : (e.response?.headers ?? [])
  const count = (name: string) => headers.filter(([n]) => n.toLowerCase() === name.toLowerCase()).length
  const name = SINGLE.find(n => count(n) > 1)
  return name === undefined ? undefined : `${name} ${count(name)} times`
}

const notTwice = (side: 'client' | 'backend', says: string) =>
  claim(side, says, evidence => evidence[side].map(doubled).find(found => found !== undefined))

/** Header fields on their way to the server and back. */
export const fields: readonly Check[] = [
  check({
    id: 'forwarding/unknown-fields-kept',
    title: 'forwards header fields that it does not know, with requests of every kind',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('5.1'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Tenants, feature flags and correlation ids travel in such fields; the server would act for the wrong one.',
    steps: [
      call('burst_target', {}, { as: 'call', headers: { 'X-Kit-Custom': ODD_VALUE } }),
      request('tools/list', {}, { as: 'list', headers: { 'X-Kit-Custom': ODD_VALUE } }),
      notify('notifications/roots/list_changed', {}, { as: 'notification', headers: { 'X-Kit-Custom': ODD_VALUE } }),
    ],
    claims: [
      unchanged('call').requestHeader('X-Kit-Custom'),
      unchanged('list').requestHeader('X-Kit-Custom'),
      unchanged('notification').requestHeader('X-Kit-Custom'),
    ],
  }),
  check({
    id: 'forwarding/repeated-fields-kept',
    title: 'forwards every value of a header field that is there several times, in order',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('5.3'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Each value adds something, such as one more proxy on the way; a lost one changes what the list says.',
    steps: [call('burst_target', {}, { headers: { 'X-Kit-Several': ['one', 'two, three', 'four'] } })],
    claims: [unchanged().requestHeader('X-Kit-Several')],
  }),
  check({
    id: 'forwarding/answer-fields-kept',
    title: 'gives on the header fields of an answer that it does not know',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('5.1'),
    needs: ['http-backend', 'http-proxy'],
    why: 'Rate limits, deprecation notices and correlation ids of the server never reach the client.',
    steps: [
      call(
        'burst_target',
        {},
        {
          acts: json(saying('ok'), 200, [
            ['X-Kit-Answer', ODD_VALUE],
            ['X-Kit-Answer', 'and more'],
          ]),
        },
      ),
    ],
    claims: [unchanged().responseHeader('X-Kit-Answer')],
  }),
  check({
    id: 'forwarding/own-spelling-not-doubled',
    title: 'MUST NOT add a field that is there already, in another spelling',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('5.3'),
    needs: ['http-backend'],
    why: 'Servers join the two values or refuse the request: a doubled version is an unknown version.',
    steps: [call('burst_target', {}, { headers: { 'content-type': 'application/json' } })],
    given: [backend().once()],
    claims: [
      notTwice('backend', 'no field of a request is there twice that may be there once'),
      notTwice('client', 'no field of an answer is there twice that may be there once'),
    ],
  }),
  check({
    id: 'forwarding/long-fields-whole-or-refused',
    title: 'MUST take a long header field, or refuse it with a client error',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('5.4'),
    why: 'Tokens grow long. A cut one fails far away from its cause, and a server error makes clients try again.',
    steps: [call('burst_target', {}, { headers: { 'X-Kit-Long': LONG_VALUE } })],
    claims: [
      client().holds('the request is answered, or refused with a status of 400 to 499', e => {
        const status = e.response?.status ?? 0
        return status === 200 || (status >= 400 && status < 500) ? undefined : describe(e)
      }),
      backend().all('where the field reaches the server, it is whole', seen => {
        const arrived = seen.flatMap(e => field(e.request.headers, 'X-Kit-Long') ?? [])
        const cut = arrived.find(value => value !== LONG_VALUE)
        return cut === undefined ? undefined : `${cut.length} of ${LONG_VALUE.length} characters`
      }),
    ],
  }),
]
