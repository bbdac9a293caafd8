import { backend, client, unchanged } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { behind, reply, sent } from '../../kit/messages.ts'
import { raw } from '../../kit/session.ts'
import { call, times } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { spec } from '../spec.ts'

/** Arguments that schemas, coercions and encoders bend; numbers beyond doubles are the business of `envelope`. */
const ARGUMENTS = {
  '고객 이름': '김철수 🧾',
  count: 42,
  rate: raw('1.50'),
  text: '42',
  flag: 'true',
  yes: true,
  no: false,
  nothing: null,
  empty: { text: '', list: [], object: {} },
  deep: { list: [[null], [{ a: [] }], '', 0], 'dots.and/slashes': 'kept' },
  $ref: '#/not/a/reference',
  _meta: { mine: true },
}

/** Every call of that label reached the server just once. */
const onceEach = (label: string): Claim =>
  claim('backend', 'every call reaches the server once', evidence => {
    const calls = evidence.client.filter(e => e.label === label)
    const other = calls.filter(e => behind(evidence, e).length !== 1)
    const first = other[0]
    return first && `${other.length} of ${calls.length} do not: one came ${behind(evidence, first).length} times`
  })

const ROUNDS = 5

/** What reaches the server when a tool is called. */
export const calls: readonly Check[] = [
  check({
    id: 'tools/name-mapped',
    title: 'calls a tool by the name that the server gave it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    catalogue: ['tools.call-name-mapped'],
    why: 'A server does not know the prefix that a gateway made up, and answers that there is no such tool.',
    steps: [call('hints_true')],
    claims: [backend().message('params.name', 'hints_true'), unchanged().result('content')],
  }),
  check({
    id: 'tools/separator-in-name',
    title: 'reaches a tool whose own name holds what gateways put between server and tool',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    catalogue: ['tools.call-name-mapped'],
    why: 'A gateway that splits at every separator looks for the server "find", or calls the tool "by_email".',
    steps: [call('find__by_email', { email: 'a@example.com' })],
    claims: [backend().message('params.name', 'find__by_email'), unchanged().result('content')],
  }),
  check({
    id: 'tools/name-case-kept',
    title: 'takes names of tools that differ in case for different names',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-11-25',
    spec: spec('2025-11-25', 'server/tools', 'tool-names'),
    catalogue: ['tools.name-case-sensitive'],
    why: 'Of two tools getUser and getuser only one can be called, and a rule about one of them is got round by the other.',
    steps: [call('ECHO')],
    claims: [
      client().whole(),
      client().holds('echo does not answer to ECHO', e =>
        at(reply(e), 'result.structuredContent') === undefined ? undefined : 'it does',
      ),
    ],
  }),
  check({
    id: 'tools/arguments-kept',
    title: 'hands the arguments of a call on as they are',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    catalogue: ['tools.call-arguments-preserved'],
    why: 'A "42" that became 42, or a member that was left out, acts on the wrong order.',
    steps: [call('echo', ARGUMENTS)],
    claims: [unchanged().params('arguments')],
  }),
  check({
    id: 'tools/no-defaults-added',
    title: 'adds no arguments that the client left out',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    catalogue: ['tools.call-arguments-preserved'],
    why: 'The server knows its own defaults; those of a schema that the gateway read last week may be others.',
    steps: [call('structured_output')],
    claims: [
      unchanged().holds('backend', 'the server gets the arguments that the client gave, and no others', (c, b) => {
        const names = (e: typeof c) => Object.keys(Object(at(sent(e), 'params.arguments'))).sort()
        const added = names(b).filter(name => !names(c).includes(name))
        return added.length ? `also ${added.join(', ')}` : undefined
      }),
    ],
  }),
  check({
    id: 'tools/called-once',
    title: 'calls a tool once for each call',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'calling-tools'),
    why: 'A call that is sent twice refunds twice.',
    steps: [
      times(ROUNDS, 'calls approve_refund', i => call('approve_refund', { order_id: `ORD-${i}` }, { as: 'refund' })),
    ],
    claims: [onceEach('refund')],
  }),
]
