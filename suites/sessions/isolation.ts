import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { behind, reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { call, open, times, together } from '../../kit/steps.ts'
import type { Check, Claim, Exchange } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { isStateless, sessionIn } from './seen.ts'

const management = spec('2025-11-25', 'basic/transports', 'session-management')

const ROUNDS = 6

/** What `echo` was told and gives back; each call of these checks says something else. */
const saying = (who: string, round: number) =>
  call('echo', { words: `${who}, round ${round}` }, { who, id: `round-${round}`, as: `${who}, round ${round}` })

/** A call that the server takes its time over, so that the next ones come while it is under way. */
const held = (n: number) => call('echo', { n }, { as: `call ${n}`, acts: [{ do: 'wait', ms: 30 }, { do: 'usual' }] })

const answerOf = (e: Exchange): string | undefined => {
  const text = at(reply(e), 'result.content.0.text')
  return typeof text === 'string' ? text : undefined
}

/** The server counts the calls of each session; one without sessions begins anew each time. */
const counted = (label: string, count: string): Claim =>
  client(label).holds(`the server has counted ${count}, for this client alone`, (e, evidence) => {
    if (isStateless(evidence, label)) return undefined
    const text = answerOf(e)
    return text === count ? undefined : text === undefined ? describe(e) : `it has counted ${text}`
  })

/** Several clients at once, and several requests of one. */
export const isolation: readonly Check[] = [
  check({
    id: 'sessions/state-isolated',
    title: 'keeps what a server remembers of one client apart from what it remembers of another',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.state-isolation'],
    needs: ['sessions'],
    why: 'Carts, cursors and logins of the server belong to its session: shared, one user goes on with another’s.',
    steps: [
      call('counter', {}, { who: 'a', as: 'a, first' }),
      call('counter', {}, { who: 'b', as: 'b, first' }),
      call('counter', {}, { who: 'a', as: 'a, second' }),
      call('counter', {}, { who: 'b', as: 'b, second' }),
    ],
    claims: [counted('a, first', '1'), counted('b, first', '1'), counted('a, second', '2'), counted('b, second', '2')],
  }),
  check({
    id: 'sessions/no-mix-ups',
    title: 'never mixes up the answers of clients that call at the same time under equal ids',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic', 'result-responses'),
    catalogue: ['envelope.no-response-crosstalk'],
    why: 'It goes well a thousand times, and then one customer reads what another has ordered.',
    steps: [
      times(ROUNDS, 'calls a tool as four clients at the same time, under equal ids', round =>
        together(saying('a', round), saying('b', round), saying('c', round), saying('d', round)),
      ),
    ],
    claims: [
      claim('client', 'every client gets the answers to its own calls', evidence => {
        const calls = evidence.client.filter(e => e.label?.includes(', round '))
        const answered = calls.filter(e => answerOf(e) !== undefined)
        const others = answered.filter(e => !answerOf(e)?.includes(`"${e.label}"`))
        const first = others[0]
        if (first) return `${others.length} of ${calls.length} are others’: "${first.label}" got ${answerOf(first)}`
        const lost = calls.length - answered.length
        return lost ? `${lost} of ${calls.length} got no result` : undefined
      }),
    ],
  }),
  check({
    id: 'sessions/concurrent-first-calls',
    title: 'takes the first calls of a session all at once, into one session with the server',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.affinity', 'session.id-sent-upstream'],
    why: 'Agents begin with several calls at a time. A gateway that connects on the first one refuses the others, or connects for each.',
    steps: [open(), together(held(1), held(2), held(3), held(4), held(5), held(6))],
    claims: [
      claim('backend', 'all of them come in one session', evidence => {
        const calls = evidence.client.filter(e => e.label?.startsWith('call '))
        const sessions = new Set(calls.flatMap(e => behind(evidence, e).flatMap(b => sessionIn(b) ?? [])))
        return sessions.size > 1 ? `in ${sessions.size}` : undefined
      }),
      ...[1, 2, 3, 4, 5, 6].map(n => client(`call ${n}`).succeeds()),
    ],
  }),
]
