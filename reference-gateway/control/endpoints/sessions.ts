import type { Breaker } from '../../breaker/breaker.ts'
import { view } from '../../breaker/view.ts'
import { breakerOf } from '../../parts/breaker.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'

const MOST = 1000

const STATES = ['OPEN', 'CLOSED'] as const

/** The sessions that the breaker remembers: who is open, and the way back. */
export const sessions: readonly Endpoint[] = [
  {
    name: 'sessions',
    method: 'GET',
    path: '/api/v1/sessions',
    run({ gateway, query }) {
      const all = breakerOf(gateway)?.list(stateOf(query.get('state'))) ?? []
      return { json: { sessions: all.slice(0, limitOf(query.get('limit'))).map(view), total: all.length } }
    },
  },
  {
    name: 'session-stream',
    method: 'GET',
    path: '/api/v1/sessions/stream',
    run(call) {
      const breaker = needed(call)
      const stream = call.stream()
      for (const session of breaker.list('OPEN').reverse()) stream.send('session', view(session))
      const stop = breaker.watch(session => stream.send('session', view(session)))
      stream.over.addEventListener('abort', stop, { once: true })
      return undefined
    },
  },
  {
    name: 'session',
    method: 'GET',
    path: '/api/v1/sessions/:key',
    run: call => ({ json: view(needed(call).current(call.params['key']!) ?? unknown(call)) }),
  },
  {
    name: 'reset-session',
    method: 'POST',
    path: '/api/v1/sessions/:key/reset',
    run: call => ({ json: view(needed(call).reset(call.params['key']!) ?? unknown(call)) }),
  },
]

function needed({ gateway }: Call): Breaker {
  const breaker = breakerOf(gateway)
  if (breaker) return breaker
  throw new Problem(404, 'no-breaker', 'No breaker', 'The gateway runs without a breaker: configure `breaker`.')
}

function unknown({ params }: Call): never {
  throw new Problem(
    404,
    'no-such-session',
    'No such session',
    `No session ${params['key']} is remembered: it has sent nothing yet, or nothing for long.`,
  )
}

function stateOf(text: string | null): (typeof STATES)[number] | undefined {
  const state = STATES.find(one => one === text)
  if (state || text === null) return state
  throw new Problem(400, 'bad-query', 'Bad query', `state is OPEN or CLOSED, not ${text}.`)
}

function limitOf(text: string | null): number {
  if (text === null) return 100
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST) return limit
  throw new Problem(400, 'bad-query', 'Bad query', `limit is a whole number from 1 to ${MOST}, not ${text}.`)
}
