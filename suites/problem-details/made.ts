import { group } from '../../kit/claims/group.ts'
import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, isObject, type Json, JsonNumber, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, open } from '../../kit/steps.ts'
import type { Check, Claim, Exchange } from '../../kit/types.ts'
import { isRefused, rested, restMs, tooMany } from '../breakers.ts'
import { platform } from '../spec.ts'

const ERRORS = platform('errors')
const INSTANCE = '/tools/call/burst_target'

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

/** What is wrong with the problem in the error: its five members are there, and its status is that of the answer. */
function noProblem(e: Exchange): string | undefined {
  const data = at(reply(e), 'error.data')
  if (!isObject(data)) return data === undefined ? `no error with data: ${describe(e)}` : `data is ${show(data, 120)}`
  const missing = ['type', 'title', 'detail'].filter(name => !isText(data[name]))
  if (missing.length > 0) return `no text in ${missing.join(', ')}: ${show(data, 160)}`
  const status = data['status'] instanceof JsonNumber ? Number(data['status'].text) : undefined
  if (status !== e.response?.status)
    return `status ${show(data['status'] ?? null)}, and the answer has ${e.response?.status}`
  return data['instance'] === INSTANCE ? undefined : `instance ${show(data['instance'] ?? null)}, and not ${INSTANCE}`
}

/** The refusal of a call tells what happened in a problem. */
const hasProblem = (label: string): Claim =>
  client(label).holds(`data has type, title, detail, the status of the answer, and the instance ${INSTANCE}`, noProblem)

/** Problems that the gateway itself makes. */
export const made: readonly Check[] = [
  check({
    id: 'problem-details/unauthorized',
    title: 'says in a problem that a token is missing',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: ERRORS,
    needs: ['auth', 'rpc-errors', 'intermediary'],
    why: 'A program that reads problems knows no other way to learn that it must log in.',
    steps: [open({ as: 'hello' }), call('burst_target', {}, { as: 'call', headers: { Authorization: undefined } })],
    given: [client('hello').succeeds()],
    claims: [client('call').status(401), backend('call').never(), hasProblem('call')],
  }),
  check({
    id: 'problem-details/no-route',
    title: 'says in a problem that there is no such service',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: ERRORS,
    needs: ['header-routing', 'rpc-errors', 'intermediary'],
    why: 'Whoever mistyped the name of a service reads so, and does not look for a fault in the tool.',
    steps: [
      open({ as: 'hello' }),
      call('burst_target', {}, { as: 'call', headers: { 'Mcp-Name': 'nobody-knows-this-service' } }),
    ],
    given: [client('hello').succeeds()],
    claims: [client('call').status(502), backend('call').never(), hasProblem('call')],
  }),
  check({
    id: 'problem-details/too-many',
    title: 'says in a problem that a session sends too much',
    pack: 'syncseries',
    level: 'SHOULD',
    spec: ERRORS,
    needs: ['rate-guard', 'rpc-errors', 'intermediary'],
    waits: restMs,
    why: 'A program that reads problems can tell its own haste from tokens that are used up: both are 429.',
    steps: [...rested(), tooMany('burst')],
    claims: [group('burst').each('each refusal holds a problem', isRefused, noProblem)],
  }),
]
