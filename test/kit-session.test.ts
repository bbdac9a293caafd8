import { afterAll, expect, test } from 'vitest'
import { startBench, startEmbedded } from '../cli/embedded.ts'
import { claim } from '../kit/define.ts'
import { preflight } from '../kit/preflight.ts'
import { judge } from '../kit/run.ts'
import { call, finish, start, together } from '../kit/steps.ts'

const bench = await startBench()
const gateway = await startEmbedded(bench)
afterAll(async () => {
  await gateway.close()
  await bench.servers.close()
})

test('calls that begin at the same time share the session of their client', async () => {
  const { target } = await preflight({ url: `${gateway.url}/crm/mcp`, headers: [] }, { ...bench, timeout: 5000 })
  const opened = claim('backend', 'one session is opened', ({ backend }) => {
    const handshakes = backend.filter(e => e.request.body.includes('"method":"initialize"'))
    return handshakes.length === 1 ? undefined : `${handshakes.length}`
  })
  const result = await judge(
    target,
    {
      id: 'sample/check',
      title: 'opens one session',
      pack: 'mcp',
      level: 'MUST',
      spec: 'https://example.org',
      why: 'A sample.',
      steps: [start(call('burst_target')), together(call('burst_target'), call('burst_target')), finish()],
      claims: [opened],
    },
    { ...bench, revision: '2025-11-25', timeout: 5000 },
  )
  expect(result).toMatchObject({ verdict: 'pass', findings: [] })
})
