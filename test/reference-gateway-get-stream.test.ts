import { describe, expect, test } from 'vitest'
import { client, mcp, usual } from './reference-gateway-mcp.ts'
import { gateway, header } from './reference-gateway-rig.ts'

describe('the stream of a client', () => {
  test('holds what all backends say, in the client’s terms', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const stream = one.watch(undefined)
    expect((await stream.head).headers['content-type']).toBe('text/event-stream')
    await expect.poll(() => crm.streams.length + db.streams.length).toBe(2)
    crm.streams[0]!.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
    await stream.until('list_changed')
    db.streams[0]!.write(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"memo:own"}}\n\n',
    )
    await stream.until(
      'id: db/1\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"db+memo:own"}}\n\n',
    )
    db.streams[0]!.write('data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n')
    await stream.until('data: {"jsonrpc":"2.0","id":"db:1","method":"ping"}\n\n')
    expect((await one.post('{"jsonrpc":"2.0","id":"db:1","result":{}}')).status).toBe(202)
    expect(db.seen.at(-1)!.body).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    stream.hangUp()
    await expect.poll(() => crm.streams.length + db.streams.length).toBe(0)
  })

  test('is resumed at the backend that gave the id, and replaced by a second one', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const first = one.watch(undefined)
    await first.head
    await expect.poll(() => crm.streams.length + db.streams.length).toBe(2)
    const second = one.watch(undefined, [['Last-Event-ID', 'db/4/2']])
    expect(await first.done).toMatchObject({ whole: true })
    await second.head
    const gets = (server: typeof crm) => server.seen.filter(seen => seen.method === 'GET')
    await expect.poll(() => gets(crm).length + gets(db).length).toBe(4)
    expect(header(gets(db).at(-1)!.headers, 'last-event-id')).toBe('4/2')
    expect(header(gets(crm).at(-1)!.headers, 'last-event-id')).toBeUndefined()
    second.hangUp()
  })

  test('takes up again what a backend has closed, and one that came back', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const one = await client(url)
    const stream = one.watch(undefined)
    await expect.poll(() => crm.streams.length).toBe(1)
    crm.streams[0]!.end('id: 3\nretry: 1\ndata: {"jsonrpc":"2.0","method":"a"}\n\n')
    await expect.poll(() => crm.seen.filter(seen => seen.method === 'GET').length).toBe(2)
    expect(header(crm.seen.at(-1)!.headers, 'last-event-id')).toBe('3')
    await crm.stop()
    const back = await mcp(usual, crm.port)
    await one.call('1', 'tools/call', '{"name":"crm_x"}')
    await expect.poll(() => back.streams.length).toBe(1)
    back.streams[0]!.write('data: {"jsonrpc":"2.0","method":"b"}\n\n')
    await stream.until('"b"')
    stream.hangUp()
  })
})

test('close() leaves no connection', async () => {
  const crm = await mcp(usual)
  const running = await gateway({ crm })
  const one = await client(running.url)
  const stream = one.watch(undefined)
  await expect.poll(() => crm.streams.length).toBe(1)
  await running.close()
  expect((await stream.done).whole).toBe(false)
  await expect.poll(() => crm.sockets.size).toBe(0)
})
