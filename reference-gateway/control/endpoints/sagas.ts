import { edit } from '../../json.ts'
import { sagasOf } from '../../parts/sagas.ts'
import { BadPlan, textIn } from '../../sagas/plan.ts'
import { view } from '../../sagas/saga.ts'
import { type Sagas, TooMany } from '../../sagas/sagas.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'
import { invalid } from '../members.ts'

/** Workflows of several steps: begun, looked at, and taken on where their compensation has failed. */
export const sagas: readonly Endpoint[] = [
  {
    name: 'start-saga',
    method: 'POST',
    path: '/api/v1/sagas',
    async run(call) {
      const all = needed(call)
      const body = (await call.text()).trim().replace(/[\r\n]+/g, ' ')
      try {
        if (body[0] !== '{') throw new BadPlan('', 'must be an object')
        const authorization = textIn(body, '', 'authorization')
        const saga = all.start(
          edit(body, 'authorization', () => undefined),
          authorization,
        )
        return { status: 202, json: view(saga), headers: { Location: `/api/v1/sagas/${saga.id}` } }
      } catch (cause) {
        if (cause instanceof BadPlan) throw invalid([{ member: cause.member, detail: cause.message }])
        if (!(cause instanceof TooMany)) throw cause
        throw new Problem(503, 'too-many-sagas', 'Too many', cause.message, { headers: { 'Retry-After': '1' } })
      }
    },
  },
  {
    name: 'sagas',
    method: 'GET',
    path: '/api/v1/sagas',
    run: ({ gateway }) => ({ json: { sagas: (sagasOf(gateway)?.all ?? []).slice(0, 100).map(view) } }),
  },
  {
    name: 'saga',
    method: 'GET',
    path: '/api/v1/sagas/:id',
    run: call => ({ json: view(found(call)) }),
  },
  {
    name: 'retry-saga',
    method: 'POST',
    path: '/api/v1/sagas/:id/retry',
    run(call) {
      const saga = found(call)
      if (saga.state !== 'COMPENSATION_FAILED') {
        const detail = `The workflow ${saga.id} waits for nobody: it is ${saga.state}.`
        throw new Problem(409, 'saga-not-waiting', 'Not waiting', detail, { more: { state: saga.state } })
      }
      needed(call).retry(saga)
      return { json: view(saga) }
    },
  },
]

function needed({ gateway }: Call): Sagas {
  const all = sagasOf(gateway)
  if (all) return all
  throw new Problem(404, 'no-sagas', 'No sagas', 'The gateway runs without workflows: configure `sagas`.')
}

function found(call: Call) {
  const id = call.params['id']!
  const saga = needed(call).find(id)
  if (saga) return saga
  throw new Problem(404, 'no-such-saga', 'No such saga', `There is no workflow ${id}.`)
}
