import { describe, expect, test } from 'vitest'
import { get } from '../reference-gateway/json.ts'
import { client, items, mcp, tool, usual } from './reference-gateway-mcp.ts'
import { gateway, header } from './reference-gateway-rig.ts'

describe('lists', () => {
  test('hold all pages of all backends, with names of their own and everything else kept', async () => {
    const { url } = await gateway({ crm: await mcp(usual), db: await mcp(usual) })
    const one = await client(url)
    const reply = await one.call('"x"', 'tools/list', '{"_meta":{"m":1}}')
    expect(header(reply.headers, 'content-type')).toBe('application/json')
    expect(reply.text).toBe(
      `{"jsonrpc":"2.0","id":"x","result":{"_meta":{"page0":0,"page1":1},"tools":[${['crm_echo', 'crm_a_b', 'db_echo', 'db_a_b'].map(tool).join(',')}]}}`,
    )
    expect(await one.call('"x"', 'tools/list', '{"_meta":{"m":1}}')).toMatchObject({ text: reply.text })
    expect(items((await one.call('1', 'prompts/list')).text, 'prompts').map(one => one.name)).toEqual(['crm_p', 'db_p'])
    expect((await one.call('1', 'tools/list', '{"cursor":"1"}')).text).toContain('-32602')
  })

  test('a URI of two backends stays that of the first; the other’s is marked', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const uris = items((await one.call('1', 'resources/list')).text, 'resources').map(item => item.uri)
    expect(uris).toEqual(['crm://customers', 'memo:own', 'db+crm://customers', 'db+memo:own'])
    const templates = items((await one.call('1', 'resources/templates/list')).text, 'resourceTemplates')
    expect(templates.map(item => item.uriTemplate)).toEqual(['crm://customers/{id}', 'db+crm://customers/{id}'])
    const read = async (uri: string) => {
      const reply = await one.call('1', 'resources/read', JSON.stringify({ uri }))
      return JSON.parse(reply.text).result?.contents[0].uri ?? JSON.parse(reply.text).error
    }
    for (const uri of [...uris, 'crm://customers/7', 'db+crm://customers/7', 'crm+memo:own']) {
      expect(await read(uri!)).toBe(uri?.replace('crm+', ''))
    }
    expect(await read('crm://nowhere')).toMatchObject({ code: -32002, data: { uri: 'crm://nowhere' } })
    const asked = (server: typeof crm) => server.of('resources/read').map(seen => get(seen.body, 'params.uri'))
    expect(asked(crm)).toEqual(['"crm://customers"', '"memo:own"', '"crm://customers/7"', '"memo:own"'])
    expect(asked(db)).toEqual(['"crm://customers"', '"memo:own"', '"crm://customers/7"'])
  })

  test('a URI means the same whatever was called first', async () => {
    const link =
      '{"content":[{"type":"resource_link","uri":"crm://customers"},{"type":"resource","resource":{"uri":"db://only","text":""}}]}'
    const crm = await mcp(usual)
    const db = await mcp({
      ...usual,
      'tools/call': link,
      'prompts/get': `{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"memo:own"}}}]}`,
    })
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const called = JSON.parse((await one.call('1', 'tools/call', '{"name":"db_x"}')).text).result.content
    expect([called[0].uri, called[1].resource.uri]).toEqual(['db+crm://customers', 'db://only'])
    expect((await one.call('1', 'prompts/get', '{"name":"db_p"}')).text).toContain('"db+memo:own"')
    await one.call('1', 'resources/read', '{"uri":"db://only"}')
    expect(db.of('resources/read')).toHaveLength(1)
    const two = await client(url)
    await two.call('1', 'resources/read', '{"uri":"crm://customers"}')
    expect(crm.of('resources/read')).toHaveLength(1)
  })

  test('a backend that is down is left out, and is back when it is back', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    await db.stop()
    const names = async () => items((await one.call('1', 'tools/list')).text, 'tools').map(item => item.name)
    expect(await names()).toEqual(['crm_echo', 'crm_a_b'])
    const call = async () => JSON.parse((await one.call('5', 'tools/call', '{"name":"db_echo"}')).text)
    expect(await call()).toMatchObject({
      id: 5,
      error: { code: -32603, message: 'The server "db" refused the connection.' },
    })
    expect((await one.call('1', 'tools/call', '{"name":"crm_echo"}')).text).toContain('"asked"')
    const back = await mcp(usual, db.port)
    expect(await call()).toMatchObject({ id: 5, result: { asked: { name: 'echo' } } })
    expect(await names()).toEqual(['crm_echo', 'crm_a_b', 'db_echo', 'db_a_b'])
    expect(back.sessions.size).toBe(1)
  })

  test('one that is down when the session begins joins later', async () => {
    const db = await mcp(usual)
    await db.stop()
    const { url } = await gateway({ crm: await mcp(usual), db })
    const one = await client(url)
    expect(one.hello.status).toBe(200)
    await mcp(usual, db.port)
    expect(items((await one.call('1', 'tools/list')).text, 'tools')).toHaveLength(4)
  })

  test('one that is silent holds no other up for long; with none there is an error', async () => {
    const crm = await mcp(usual)
    const db = await mcp({ ...usual, 'tools/list': () => undefined })
    const { url } = await gateway({ crm, db }, { timeouts: { gatherMs: 150 } })
    const one = await client(url)
    expect(items((await one.call('1', 'tools/list')).text, 'tools')).toHaveLength(2)
    await crm.stop()
    expect(JSON.parse((await one.call('1', 'tools/list')).text)).toMatchObject({ id: 1, error: { code: -32603 } })
    await db.stop()
    const none = await client(url)
    expect(none.hello.status).toBe(502)
    expect(JSON.parse(none.hello.text)).toMatchObject({ id: 'hi', error: { code: -32603 } })
  })
})
