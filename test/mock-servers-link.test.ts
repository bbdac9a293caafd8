import { expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { Exchange } from '../kit/types.ts'
import { attachLink, connectLink, listenLink, serveLink, startServers } from '../mock-servers/index.ts'
import { INITIALIZE, newMark, open, post } from './mock-servers-rig.ts'

const kit = () => {
  const recorder = createRecorder()
  const stage = createStage(recorder, 150)
  const last = (mark: string) => recorder.exchanges(mark).backend.at(-1)
  const when = (mark: string, test: (e: Exchange) => boolean) =>
    recorder.when(() => last(mark) !== undefined && test(last(mark)!), 2000)
  return { recorder, stage, last, when, end: { sink: recorder, stage } }
}

const ping = (mark: string) => ({ jsonrpc: '2.0', id: 7, method: 'ping', params: { _meta: { n: mark } } })
const ended = (e: Exchange) => e.endedAt !== undefined

test('servers that call a kit bring their record, and play its acts', async () => {
  const { recorder, stage, last, when, end } = kit()
  const listener = await listenLink(end)
  const link = await connectLink(listener.address)
  expect(link.connected()).toBe(1)
  const servers = await startServers({ ...link, only: ['crm'] })
  const client = await open(servers.url('crm')!)
  const mark = newMark()

  await client.send(ping(`${mark}.1`))
  expect(await when(mark, ended)).toBe(true)
  expect(last(mark)).toMatchObject({
    side: 'backend',
    server: 'crm',
    transport: 'http',
    nonce: `${mark}.1`,
    request: { method: 'POST', path: '/mcp', body: JSON.stringify(ping(`${mark}.1`)) },
    response: { status: 200, body: '{"jsonrpc":"2.0","id":7,"result":{}}', utf8: true },
  })

  stage.put(`${mark}.2`, [
    { do: 'write', text: 'data: {"id":{{id}}}\n\n' },
    { do: 'gate', events: 1 },
    { do: 'bytes', base64: Buffer.from([0x3a, 0xff, 0x0a, 0x0a]).toString('base64') },
  ])
  const { text, status } = await client.send(ping(`${mark}.2`))
  expect([status, text.slice(0, 15)]).toEqual([200, 'data: {"id":7}\n'])
  expect(await when(`${mark}`, e => e.nonce.endsWith('.2') && ended(e))).toBe(true)
  expect(last(mark)).toMatchObject({ held: 1, response: { utf8: false } })
  expect(last(mark)?.events.map(e => e.data)).toEqual(['{"id":7}', ''])

  // A gate that the client passes: what it has seen is known in the kit's process only.
  stage.put(`${mark}.3`, [
    { do: 'write', text: 'data: 1\n\n' },
    { do: 'gate', events: 1 },
    { do: 'write', text: 'data: 2\n\n' },
  ])
  const seen = recorder.open({
    side: 'client',
    transport: 'http',
    server: 'crm',
    nonce: `${mark}.3`,
    request: { method: 'POST', path: '/mcp', headers: [], body: new Uint8Array() },
  })
  seen.head(200, [['content-type', 'text/event-stream']])
  seen.chunk(Buffer.from('data: 1\n\n'))
  await client.send(ping(`${mark}.3`))
  expect(await when(mark, e => e.nonce.endsWith('.3') && ended(e))).toBe(true)
  expect(last(mark)?.held).toBeUndefined()

  await servers.close()
  await link.close()
  await listener.close()
})

test('servers go on without a kit, and find one that comes later', async () => {
  const first = kit()
  const listener = await listenLink(first.end)
  const { address } = listener
  const link = await connectLink(address)
  const servers = await startServers({ ...link, only: ['crm'] })
  const client = await open(servers.url('crm')!)
  await listener.close()
  const mark = newMark()
  expect((await client.send(ping(`${mark}.1`))).status).toBe(200)
  expect(link.connected()).toBe(0)

  const second = kit()
  const again = await listenLink({ ...second.end, port: Number(address.split(':')[1]) })
  second.stage.put(`${mark}.2`, [{ do: 'write', text: 'data: acts\n\n' }])
  expect((await client.send(ping(`${mark}.2`))).text).toBe('data: acts\n\n')
  expect(await second.when(mark, ended)).toBe(true)
  expect([again.connected(), first.last(mark)]).toEqual([1, undefined])
  expect(second.recorder.exchanges(mark).backend).toHaveLength(1)

  await servers.close()
  await link.close()
  await again.close()
})

test('an exchange whose server goes away is not left open', async () => {
  const { last, when, stage, end } = kit()
  const listener = await listenLink(end)
  const link = await connectLink(listener.address)
  const servers = await startServers({ ...link, only: ['crm'] })
  const mark = newMark()
  stage.put(`${mark}.1`, [{ do: 'head' }, { do: 'until-gone' }])
  const body = INITIALIZE('2025-11-25', { _meta: { n: `${mark}.1` } })
  const pending = post(servers.url('crm')!, body).catch(e => e)
  await when(mark, e => e.response !== undefined)
  await link.close()
  await when(mark, e => e.failure !== undefined)
  expect(last(mark)?.failure).toBe('the mock server went away, or its link broke')
  await servers.close()
  expect(await pending).toBeInstanceOf(Error)
  await listener.close()
})

test('kits attach to servers that stay up, several at once', async () => {
  const up = await serveLink()
  const servers = await startServers({ ...up, only: ['db'] })
  const client = await open(servers.url('db')!)
  const mark = newMark()
  expect((await client.send(ping(`${mark}.1`))).status).toBe(200)

  const [a, b] = [kit(), kit()]
  const attached = [await attachLink(up.address, a.end), await attachLink(up.address, b.end)]
  expect(up.connected()).toBe(2)
  b.stage.put(`${mark}.2`, [{ do: 'write', text: 'data: of b\n\n' }])
  expect((await client.send(ping(`${mark}.2`))).text).toBe('data: of b\n\n')
  for (const { when } of [a, b]) expect(await when(mark, ended)).toBe(true)

  for (const link of attached) await link?.close()
  expect((await client.send(ping(`${mark}.3`))).status).toBe(200)
  await servers.close()
  await up.close()
  expect(await attachLink(up.address, a.end)).toBeUndefined()
})

test('a kit stops and starts servers of another process, and knows when all is recorded', async () => {
  const { last, end } = kit()
  const house = await serveLink()
  const servers = await startServers({ ...house, only: ['crm'] })
  house.obeys(servers)
  const link = (await attachLink(house.address, end))!
  const url = servers.url('crm')!

  await link.order('stop', 'crm')
  await expect(open(url)).rejects.toThrow()
  await link.order('start', 'crm')
  const client = await open(url)
  const mark = newMark()
  await client.send(ping(`${mark}.1`))
  await link.order('sync')
  expect(last(mark)?.endedAt).toBeDefined()

  await link.close()
  await servers.close()
  await house.close()
})

test('an order that can not be carried out says why', async () => {
  const listener = await listenLink(kit().end)
  const link = await connectLink(listener.address)
  await listener.settle()
  await link.close()
  await listener.settle()
  await listener.close()

  const house = await serveLink()
  const attached = (await attachLink(house.address, kit().end))!
  await expect(attached.order('stop', 'crm')).rejects.toThrow('on stdio')
  const lost = attached.order('sync')
  await house.close()
  await lost.catch(() => {})
  await attached.close()
})

test('two ends of the same kind part again', async () => {
  const up = await serveLink()
  const link = await connectLink(up.address)
  expect([link.connected(), up.connected()]).toEqual([0, 0])
  const listener = await listenLink(kit().end)
  expect(await attachLink(listener.address, kit().end)).toBeUndefined()
  await listener.close()
  await link.close()
  await up.close()
})

test('says in one sentence that the address is taken', async () => {
  const up = await serveLink()
  const port = Number(up.address.split(':')[1])
  await expect(serveLink({ port })).rejects.toThrow(
    `The record of the mock servers cannot be taken at ${up.address}: the port is taken. Choose another address.`,
  )
  await up.close()
})
