import { expect, test } from 'vitest'
import { trailOf } from '../reference-gateway/parts/audit.ts'
import { backend, gateway, json, rpc, send } from './reference-gateway-rig.ts'

/** What the gateway says of the time that it adds itself. */

const SLOW_MS = 50

test('the time of a server is not counted as added, its answer or its streams', async () => {
  const crm = await backend((_, response, body) => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
    const later = body.includes('streams')
      ? () => response.end(`data: ${answer}\n\n`)
      : () => json(response, answer, body.includes('fails') ? 500 : 200)
    if (body.includes('streams')) response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    setTimeout(later, SLOW_MS)
  })
  const running = await gateway({ crm }, { audit: {} })
  const names = ['echo', 'fails', 'streams']
  for (const name of names) {
    await send(`${running.url}/crm/mcp`, { body: rpc('1', 'tools/call', `{"name":"${name}"}`) })
  }
  await send(`${running.url}/mcp`, { headers: [['Mcp-Name', 'nobody']], body: rpc('1') })
  const trail = trailOf(running.gateway)!
  while (trail.total < 4) await new Promise<void>(resolve => trail.watch(() => resolve()))
  const all = trail.find(() => true, 4).found.map(({ record }) => record)
  for (const name of names) {
    const { addedMs, executionTimeMs } = all.find(({ toolName }) => toolName === name)!
    expect(addedMs).toBeGreaterThan(0)
    // A timer may be due up to a millisecond early.
    expect(addedMs).toBeLessThanOrEqual(executionTimeMs - SLOW_MS + 1)
  }
  expect(all.find(({ refusedBy }) => refusedBy === 'route')!.addedMs).toBeNull()
})
