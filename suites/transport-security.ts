import { backend, client } from '../kit/claims.ts'
import { check, suite } from '../kit/define.ts'
import { describe } from '../kit/session.ts'
import { call, enter, open, request } from '../kit/steps.ts'
import type { Check, Claim } from '../kit/types.ts'
import { platform, spec } from './spec.ts'

const RULES = platform('transport-security')
const mutual = { pack: 'syncseries', level: 'MUST', spec: RULES, needs: ['mtls', 'intermediary'] } as const
const listed = { pack: 'policy', level: 'MUST', spec: RULES, needs: ['address-list', 'intermediary'] } as const
const origins = {
  pack: 'policy',
  level: 'MUST',
  spec: spec('2025-11-25', 'basic/transports', 'security-warning'),
  needs: ['auth', 'intermediary'],
} as const

/** By a status of the client's fault, or by no connection at all: TLS can't say more. */
const turnedAway = (label: string): readonly [Claim, Claim] => [
  client(label).holds('the client is turned away', e => {
    const status = e.response?.status
    return (status === undefined ? e.failure !== undefined : status >= 400 && status < 500) ? undefined : describe(e)
  }),
  backend(label).never(),
]

const certificates: readonly Check[] = [
  check({
    ...mutual,
    id: 'transport-security/certificate-accepted',
    title: 'serves a client with the right certificate',
    why: 'Agents that have done all that is asked of them are not served.',
    steps: [enter('certificate', { as: 'hello' }), call('echo', { text: 'by TLS' }, { as: 'call' })],
    claims: [client('hello').succeeds(), client('call').succeeds()],
  }),
  check({
    ...mutual,
    id: 'transport-security/no-certificate-refused',
    title: 'turns away a client without a certificate',
    why: 'Whoever gets hold of a token calls from any machine.',
    steps: [enter('certificate', { who: 'b', as: 'with' }), enter('no certificate', { as: 'without' })],
    given: [client('with').succeeds()],
    claims: turnedAway('without'),
  }),
  check({
    ...mutual,
    id: 'transport-security/foreign-certificate-refused',
    title: 'turns away a client whose certificate somebody else signed',
    why: 'Anyone can sign certificates for themselves, in the name of anyone.',
    steps: [enter('certificate', { who: 'b', as: 'with' }), enter('foreign certificate', { as: 'foreign' })],
    given: [client('with').succeeds()],
    claims: turnedAway('foreign'),
  }),
  check({
    ...mutual,
    id: 'transport-security/certificate-is-no-token',
    title: 'asks for a token beside the certificate',
    needs: ['mtls', 'auth', 'intermediary'],
    why: 'Every program on the machine that has the certificate calls in the name of every user.',
    steps: [
      enter('certificate', { as: 'with' }),
      request('tools/list', {}, { as: 'without a token', headers: { Authorization: undefined } }),
    ],
    given: [client('with').succeeds()],
    claims: [client('without a token').status(401), backend('without a token').never()],
  }),
]

const addresses: readonly Check[] = [
  check({
    ...listed,
    id: 'transport-security/address-refused',
    title: 'turns away a client whose address is not on the list',
    why: 'Servers that are meant for one network are open to all.',
    steps: [open({ who: 'b', as: 'listed' }), enter('other address', { as: 'stranger' })],
    given: [client('listed').succeeds()],
    claims: turnedAway('stranger'),
  }),
  check({
    ...listed,
    id: 'transport-security/address-not-claimed',
    title: 'takes the address of a client from the connection, not from what the client says',
    why: 'With one header field anyone calls from anywhere.',
    steps: [
      open({ who: 'b', as: 'listed' }),
      enter('other address', {
        as: 'stranger',
        headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
      }),
    ],
    given: [client('listed').succeeds()],
    claims: turnedAway('stranger'),
  }),
]

const pages: readonly Check[] = [
  check({
    ...origins,
    id: 'transport-security/foreign-origin-refused',
    title: 'turns away web pages of foreign origins, also with a good token',
    why: 'A page that the user happens to open calls the servers by the browser.',
    steps: [
      open({ as: 'hello' }),
      request('tools/list', {}, { as: 'page', headers: { Origin: 'https://evil.example' } }),
    ],
    given: [client('hello').succeeds()],
    claims: turnedAway('page'),
  }),
  check({
    ...origins,
    id: 'transport-security/rebound-name-refused',
    title: 'turns away a web page whose name was made to mean this gateway',
    why: 'The name in Host and in Origin is the same one, and it is the attacker who has given it this address.',
    steps: [
      open({ as: 'hello' }),
      request('tools/list', {}, { as: 'page', headers: { Host: 'evil.example', Origin: 'http://evil.example' } }),
    ],
    given: [client('hello').succeeds()],
    claims: turnedAway('page'),
  }),
]

/** Who may connect at all: certificates, addresses, web pages. */
export default suite({
  id: 'transport-security',
  title: 'Transport security',
  checks: [...certificates, ...addresses, ...pages],
})
