import { client, unchanged } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, isObject, show } from '../../kit/json.ts'
import { behind, clientExchange, reply } from '../../kit/messages.ts'
import { describe, open as openSession, raw } from '../../kit/session.ts'
import { call, endSession, notify, open, request, step } from '../../kit/steps.ts'
import type { Check, Claim, Evidence, Revision, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { isStateless, methodOf, named, toldBy, valuesOf, within } from './seen.ts'

const initialization = spec('2025-11-25', 'basic/lifecycle', 'initialization')
const negotiation = spec('2025-11-25', 'basic/lifecycle', 'version-negotiation')
const operation = spec('2025-11-25', 'basic/lifecycle', 'operation')
const versionHeader = spec('2025-11-25', 'basic/transports', 'protocol-version-header')

const openEach: Step = step('opens a session with each revision that the gateway speaks', async rig => {
  for (const revision of rig.target.revisions) {
    await openSession(rig, { who: `client of ${revision}`, revision, label: revision, uninitialized: true })
  }
})

/** A revision that nobody speaks: for once no value of the type. */
const nobodys = (name: string) => name as Revision

const openUnknown = (name: string): Step => open({ who: `client of ${name}`, revision: nobodys(name), as: name })

/** Another revision is offered; the page of the lifecycle also shows an error -32602, so that one is as good. */
const otherOffered = (name: string): Claim =>
  client(name).holds('another revision is offered, or the error -32602 says that this one is not known', e => {
    const offered = at(reply(e), 'result.protocolVersion')
    if (show(at(reply(e), 'error.code')) === '-32602') return undefined
    if (typeof offered !== 'string') return describe(e)
    return /^\d{4}-\d\d-\d\d$/.test(offered) && offered !== name ? undefined : `${offered} is offered`
  })

/** Which revision a server and the gateway agreed on. */
function agreedWith(evidence: Evidence, server: string): string | undefined {
  const hello = evidence.backend.find(e => e.server === server && methodOf(e) === 'initialize')
  const agreed = hello ? at(reply(hello), 'result.protocolVersion') : toldBy(evidence, 'whoami', 'version')
  return typeof agreed === 'string' ? agreed : undefined
}

const versionSteps = [
  call('whoami', {}, { as: 'whoami' }),
  request('tools/list'),
  notify('notifications/roots/list_changed'),
  endSession(),
] as const

/** How a session begins, and what is agreed on then. */
export const lifecycle: readonly Check[] = [
  check({
    id: 'sessions/initialize-answered',
    title: 'answers initialize with a revision, its capabilities and who it is',
    pack: 'mcp',
    level: 'MUST',
    spec: initialization,
    catalogue: ['lifecycle.initialize-response'],
    why: 'Clients hold the answer against the schema and hang up where a part is missing.',
    steps: [open({ as: 'initialize' })],
    claims: [
      client('initialize').holds('protocolVersion, capabilities and serverInfo with name and version are there', e => {
        const result = at(reply(e), 'result')
        if (!isObject(result)) return describe(e)
        const texts = ['protocolVersion', 'serverInfo.name', 'serverInfo.version']
        const missing = texts.filter(path => typeof at(result, path) !== 'string')
        if (!isObject(result['capabilities'])) missing.push('capabilities')
        return missing.length ? `there is no ${missing.join(' and no ')}` : undefined
      }),
    ],
  }),
  check({
    id: 'sessions/version-echoed',
    title: 'agrees to each revision that it speaks',
    pack: 'mcp',
    level: 'MUST',
    spec: negotiation,
    catalogue: ['lifecycle.version-echo-if-supported'],
    why: 'A client that speaks only the older revision has to hang up where it is offered a newer one.',
    steps: [openEach],
    claims: [
      claim('client', 'each time the revision of the answer is the one that was asked for', evidence => {
        const other = evidence.client
          .filter(e => methodOf(e) === 'initialize')
          .find(e => at(reply(e), 'result.protocolVersion') !== e.label)
        return (
          other && `asked for ${other.label}: ${show(at(reply(other), 'result.protocolVersion'))}, ${describe(other)}`
        )
      }),
    ],
  }),
  check({
    id: 'sessions/version-counter-offer',
    title: 'offers another revision to a client that asks for one that nobody speaks',
    pack: 'mcp',
    level: 'MUST',
    spec: negotiation,
    catalogue: ['lifecycle.version-counter-offer'],
    why: 'A client of the future can’t talk to it at all; or both believe in a revision that one of them does not know.',
    steps: [openUnknown('1999-01-01'), openUnknown('2099-01-01')],
    claims: [otherOffered('1999-01-01'), otherOffered('2099-01-01')],
  }),
  check({
    id: 'sessions/initialized-forwarded',
    title: 'tells the server that the client is initialized, before it sends anything else',
    pack: 'mcp',
    level: 'MUST',
    spec: initialization,
    catalogue: ['lifecycle.initialized-forwarded'],
    why: 'Servers send nothing of their own, or refuse requests, until they have been told.',
    steps: [call('whoami', {}, { as: 'whoami' })],
    claims: [
      claim('backend', 'the server has been told when the first call comes', evidence => {
        const asked = clientExchange(evidence, 'whoami')
        const first = behind(evidence, asked)[0]
        if (!first) return `the server was not asked: ${asked ? describe(asked) : 'nothing was sent'}`
        if (toldBy(evidence, 'whoami', 'initialized') === true || isStateless(evidence, 'whoami')) return undefined
        return 'it has not'
      }),
    ],
  }),
  check({
    id: 'sessions/version-invalid-400',
    title: 'answers a request with an MCP-Protocol-Version that is none with 400',
    pack: 'mcp',
    level: 'MUST',
    since: '2025-06-18',
    spec: versionHeader,
    catalogue: ['headers.protocol-version-invalid-400'],
    why: 'Client and server read the same message by different rules.',
    steps: [
      call('burst_target', {}, { as: '1900-01-01', headers: { 'MCP-Protocol-Version': '1900-01-01' } }),
      call('burst_target', {}, { as: 'banana', headers: { 'MCP-Protocol-Version': 'banana' } }),
    ],
    claims: [client('1900-01-01').status(400), client('banana').status(400)],
  }),
  check({
    id: 'sessions/version-sent-upstream',
    title: 'sends MCP-Protocol-Version with everything but initialize',
    pack: 'mcp',
    level: 'MUST',
    since: '2025-06-18',
    spec: versionHeader,
    catalogue: ['headers.protocol-version-upstream'],
    needs: ['http-backend'],
    why: 'Without it the server assumes 2025-03-26, which knows neither structured content nor elicitation.',
    steps: versionSteps,
    claims: [
      claim('backend', 'every request in the session says the revision', evidence => {
        const requests = within(evidence)
        if (!requests.length) return 'nothing reached a server'
        const without = requests.find(e => valuesOf(e.request.headers, 'mcp-protocol-version').length === 0)
        return without && `${named(without)} does not`
      }),
    ],
  }),
  check({
    id: 'sessions/version-as-agreed',
    title: 'says the revision to the server that it agreed on with it',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: versionHeader,
    catalogue: ['headers.protocol-version-upstream', 'lifecycle.version-respected-per-leg'],
    needs: ['http-backend'],
    why: 'The server answers in another revision than the one that its session has.',
    steps: versionSteps,
    claims: [
      claim('backend', 'MCP-Protocol-Version is the revision agreed on, wherever it is sent', evidence => {
        for (const e of within(evidence)) {
          const agreed = agreedWith(evidence, e.server)
          const odd = valuesOf(e.request.headers, 'mcp-protocol-version').find(value => value !== agreed)
          if (agreed !== undefined && odd !== undefined) return `${named(e)} says ${odd}; ${agreed} was agreed on`
        }
        return undefined
      }),
    ],
  }),
  check({
    id: 'sessions/client-described',
    title: 'tells the server what the client said of itself and of what it can do',
    pack: 'mcp',
    level: 'SHOULD',
    spec: initialization,
    catalogue: ['lifecycle.capabilities-not-dropped'],
    needs: ['http-proxy'],
    why: 'The server asks nobody for input whom it takes to be unable to give any.',
    steps: [
      open({
        as: 'initialize',
        capabilities: {
          roots: { listChanged: true },
          experimental: { 'com.example.kit/한글': { level: raw('1.0') } },
          'x-unknown': {},
        },
        clientInfo: { name: 'mcp-conformance', title: '적합성 검사', version: '1.2.3', 'x-unknown': null },
      }),
    ],
    claims: [unchanged('initialize').params('capabilities'), unchanged('initialize').params('clientInfo')],
  }),
  check({
    id: 'sessions/client-not-inflated',
    title: 'does not tell the server that the client can do what it did not say it could',
    pack: 'mcp',
    level: 'SHOULD',
    spec: operation,
    catalogue: ['lifecycle.capabilities-not-inflated-upstream'],
    why: 'The server asks for a sample or an input, and waits for an answer that nobody can give.',
    steps: [open({ capabilities: {} }), call('whoami', {}, { as: 'whoami' })],
    claims: [
      claim('backend', 'the server has heard of no sampling, elicitation, roots or tasks', evidence => {
        const told = toldBy(evidence, 'whoami', 'capabilities')
        const asked = clientExchange(evidence, 'whoami')
        if (told === undefined) return asked && `the server was not asked: ${describe(asked)}`
        // A server without sessions remembers nothing of it.
        if (!isObject(told)) return undefined
        const more = ['sampling', 'elicitation', 'roots', 'tasks'].filter(name => told[name] !== undefined)
        return more.length ? `it has heard of ${more.join(' and ')}` : undefined
      }),
    ],
  }),
  check({
    id: 'sessions/instructions-kept',
    title: 'hands on the instructions of the server',
    pack: 'mcp',
    level: 'MAY',
    spec: initialization,
    catalogue: ['lifecycle.instructions-preserved'],
    why: 'The model never hears how the tools are meant to be used.',
    steps: [open({ as: 'initialize' })],
    claims: [
      client('initialize').holds('the instructions of the server are in those of the gateway', (e, evidence) => {
        const got = at(reply(e), 'result.instructions')
        const hellos = evidence.backend.filter(b => methodOf(b) === 'initialize')
        const texts = [...behind(evidence, e), ...hellos].map(b => at(reply(b), 'result.instructions'))
        const lost = texts.find(text => typeof text === 'string' && !String(got ?? '').includes(text))
        return lost === undefined ? undefined : `the server sent ${show(lost)}, the client got ${show(got)}`
      }),
    ],
  }),
]
