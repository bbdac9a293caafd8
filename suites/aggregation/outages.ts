import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { entriesOf, listed } from '../../kit/listed.ts'
import { markerOf } from '../../kit/names.ts'
import { call, list, startServer, step, stopServer } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const LISTING = spec('2025-11-25', 'server/tools', 'listing-tools')

const TRIES = 8
const PAUSE_MS = 250

/** A gateway may need a moment to find out that the server is back. */
const listsAgain = step('lists all tools until those of the server db are there, for 2 s', async rig => {
  for (let i = 1; i <= TRIES; i++) {
    await list('tools', { as: 'afterwards' }).run(rig)
    const { client: seen } = rig.recorder.exchanges(rig.nonce)
    const pages = seen.filter(e => e.label === 'afterwards')
    if (entriesOf(pages, 'tools').some(entry => markerOf(entry)?.server === 'db')) return
    await rig.recorder.when(() => false, PAUSE_MS, rig.signal)
  }
})

/** One of the servers is down, and comes back. */
export const outages: readonly Check[] = [
  check({
    id: 'aggregation/one-server-down',
    title: 'offers what the other servers have to a client that comes while one is down',
    pack: 'mcp',
    level: 'SHOULD',
    spec: LISTING,
    catalogue: ['aggregation.partial-failure'],
    needs: ['aggregation', 'http-backend'],
    alone: true,
    why: 'One server is restarted, and for all agents there are no tools at all.',
    steps: [
      stopServer('db'),
      list('tools'),
      call('echo', { text: 'still here' }, { on: 'crm', as: 'meanwhile' }),
      startServer('db'),
    ],
    claims: [listed('tools').shows('crm/echo'), client('meanwhile').result('structuredContent.text', 'still here')],
  }),
  check({
    id: 'aggregation/server-comes-back',
    title: 'offers a server’s tools within 2 s after it is back, to a client that had come while it was down',
    pack: 'mcp',
    level: 'SHOULD',
    spec: LISTING,
    catalogue: ['aggregation.partial-failure'],
    needs: ['aggregation', 'http-backend'],
    alone: true,
    why: 'An agent that began during a restart works for the rest of the day without half of its tools.',
    steps: [
      stopServer('db'),
      list('tools', { as: 'meanwhile' }),
      startServer('db'),
      listsAgain,
      call('echo', { text: 'back' }, { on: 'db', as: 'call' }),
    ],
    claims: [listed('tools', 'afterwards').shows('db/echo'), client('call').result('structuredContent.text', 'back')],
  }),
]
