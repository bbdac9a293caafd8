import { afterEach, expect, test } from 'vitest'
import { startControl } from '../reference-gateway/control/server.ts'
import { backend, gateway, json, rpc, send, watch } from './reference-gateway-rig.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function operated() {
  const crm = await backend((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{}}'))
  const running = await gateway({ crm }, { breaker: { rate: { requests: 1 } } })
  const control = await startControl(running.gateway, { port: 0, token: 'operator' })
  open.push(() => control.close())
  const headers = [
    ['Authorization', 'Bearer operator'],
    ['Content-Length', '0'],
  ] as const
  return {
    call: (session: string) =>
      send(`${running.url}/crm/mcp`, { body: rpc('1'), headers: [['Mcp-Session-Id', session]] }),
    async ask(path: string, method = 'GET') {
      const { status, text } = await send(`${control.url}/api/v1/sessions${path}`, { method, headers })
      return { status, body: JSON.parse(text) }
    },
    stream: () => watch(`${control.url}/api/v1/sessions/stream`, { method: 'GET', headers: headers.slice(0, 1) }),
  }
}

test('operators list sessions by state, the newest first, and reset one', async () => {
  const { call, ask } = await operated()
  for (const session of ['a', 'b', 'b', 'c']) await call(session)
  const all = await ask('')
  expect([all.body.total, all.body.sessions.map((s: { key: string }) => s.key)]).toEqual([3, ['c', 'b', 'a']])
  expect((await ask('?limit=1')).body).toMatchObject({ total: 3, sessions: [{ key: 'c' }] })
  expect((await ask('?state=OPEN')).body).toMatchObject({ total: 1, sessions: [{ key: 'b', reason: 'rate' }] })
  expect((await ask('/b/reset', 'POST')).body).toMatchObject({ key: 'b', state: 'CLOSED', reason: null })
  expect((await call('b')).status).toBe(200)
  expect([(await ask('/nobody')).status, (await ask('/nobody/reset', 'POST')).status]).toEqual([404, 404])
  expect([(await ask('?state=open')).status, (await ask('?limit=0')).status]).toEqual([400, 400])
})

test('the stream begins with the open ones and tells each change', async () => {
  const { call, ask, stream } = await operated()
  for (const session of ['a', 'a']) await call(session)
  const seen = stream()
  await seen.until('"key":"a"')
  for (const session of ['b', 'b']) await call(session)
  await seen.until('"key":"b"')
  await ask('/a/reset', 'POST')
  await seen.until('"state":"CLOSED"')
  expect([...seen.text().matchAll(/"key":"(\w)".*?"state":"(\w+)"/g)].map(m => `${m[1]} ${m[2]}`)).toEqual([
    'a OPEN',
    'b OPEN',
    'a CLOSED',
  ])
  seen.hangUp()
})
