import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { get } from '../reference-gateway/json.ts'
import { type Answers, client, failure, mcp, result } from './reference-gateway-mcp.ts'
import { gateway, header, json, send } from './reference-gateway-rig.ts'

const big = '9007199254740993'
const tool = (name: string) => `{"name":"${name}","x-new":{"n":${big}},"inputSchema":{"type":"object"}}`

/** A list in pages of one. */
const paged =
  (key: string, items: readonly string[]) =>
  (body: string): string => {
    const at = Number(JSON.parse(get(body, 'params.cursor') ?? '"0"'))
    const next = at + 1 < items.length ? `,"nextCursor":"${at + 1}"` : ''
    return `{"${key}":[${items[at] ?? ''}]${next},"_meta":{"page${at}":${at}}}`
  }

const stream = (response: ServerResponse, ...messages: string[]) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const message of messages) response.write(`id: 7\ndata: ${message}\n\n`)
  return undefined
}

const usual: Answers = {
  'tools/list': paged('tools', [tool('echo'), tool('a_b')]),
  'prompts/list': paged('prompts', ['{"name":"p","title":"T"}']),
  'prompts/get': body => `{"messages":[],"asked":${get(body, 'params')}}`,
  'resources/list': paged('resources', ['{"uri":"crm://customers","name":"c"}', '{"uri":"memo:own","name":"m"}']),
  'resources/templates/list': paged('resourceTemplates', ['{"uriTemplate":"crm://customers/{id}","name":"t"}']),
  'resources/read': body => `{"contents":[{"uri":${get(body, 'params.uri')},"text":"t"}]}`,
  'resources/subscribe': '{}',
  'completion/complete': body => `{"completion":{"values":[]},"asked":${get(body, 'params')}}`,
  'logging/setLevel': '{}',
  'tools/call': body => `{"content":[],"asked":${get(body, 'params')},"upstream":${get(body, 'id')}}`,
}

const items = (text: string, key: string) =>
  JSON.parse(text).result[key] as { name: string; uri?: string; uriTemplate?: string }[]

describe('sessions', () => {
  test('initialize opens one session at each backend, with what the client said', async () => {
    const crm = await mcp({
      initialize: () =>
        '{"protocolVersion":"2025-03-26","capabilities":{"tools":{"listChanged":false},"tasks":{},"experimental":{"a":{}}},"instructions":"use crm"}',
    })
    const db = await mcp({})
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    expect(one.hello.status).toBe(200)
    expect(one.session).toMatch(/^[\x21-\x7e]{20,}$/)
    expect(JSON.parse(one.hello.text)).toEqual({
      jsonrpc: '2.0',
      id: 'hi',
      result: {
        protocolVersion: '2025-06-18',
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true },
          prompts: {},
          logging: {},
          completions: {},
          experimental: { a: {} },
        },
        serverInfo: expect.objectContaining({ name: 'mcp-reference-gateway' }),
        instructions: '## crm\n\nuse crm',
      },
    })
    for (const server of [crm, db]) {
      expect(server.sessions.size).toBe(1)
      const [hello] = server.of('initialize')
      expect(get(hello!.body, 'params')).toBe(
        '{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1.0"}}',
      )
      expect(header(hello!.headers, 'mcp-session-id')).toBeUndefined()
      const [ready] = server.of('notifications/initialized')
      expect([...server.sessions]).toEqual([header(ready!.headers, 'mcp-session-id')])
    }
    expect(header(crm.of('notifications/initialized')[0]!.headers, 'mcp-protocol-version')).toBe('2025-03-26')
    await client(url)
    expect(crm.sessions.size).toBe(2)
  })

  test.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('%s is answered with %s', async (asked, given) => {
    const { url } = await gateway({ crm: await mcp(usual) })
    expect(JSON.parse((await client(url, asked)).hello.text).result.protocolVersion).toBe(given)
  })

  test('DELETE ends it everywhere; afterwards it is unknown', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    expect((await one.end()).status).toBe(200)
    expect(crm.sessions.size + db.sessions.size).toBe(0)
    const late = await one.call('1', 'tools/list')
    expect(late.status).toBe(404)
    expect(JSON.parse(late.text)).toMatchObject({ id: 1, error: { message: 'Session not found.' } })
    expect((await one.end()).status).toBe(404)
  })

  test('what is wrong is refused in the right way', async () => {
    const { url } = await gateway({ crm: await mcp(usual) })
    const one = await client(url)
    const all = `${url}/all/mcp`
    const accept: [string, string] = ['Accept', 'application/json, text/event-stream']
    const status = async (...call: Parameters<typeof send>) => {
      const reply = await send(...call)
      return [reply.status, reply.text ? JSON.parse(reply.text).error?.code : undefined]
    }
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const session: [string, string] = ['Mcp-Session-Id', one.session]
    expect(await status(all, { headers: [accept], body })).toEqual([400, -32600])
    expect(await status(all, { headers: [accept, ['Mcp-Session-Id', 'x']], body })).toEqual([404, -32001])
    expect(await status(all, { headers: [accept, session], body })).toEqual([200, undefined])
    expect(await status(all, { headers: [accept, session], body: '{"id":1' })).toEqual([400, -32700])
    expect(await status(all, { headers: [accept, session], body: Buffer.from([0x22, 0xff, 0x22]) })).toEqual([
      400, -32700,
    ])
    for (const odd of [
      '1',
      '{}',
      '{"id":1}',
      '[]',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"id":{},"method":"ping"}',
    ]) {
      expect(await status(all, { headers: [accept, session], body: odd })).toEqual([400, -32600])
    }
    const version = (value: string): [string, string] => ['MCP-Protocol-Version', value]
    expect(await status(all, { headers: [accept, session, version('1.0')], body })).toEqual([400, -32600])
    expect(await status(all, { headers: [accept, session, version('2025-11-25')], body })).toEqual([200, undefined])
    expect(await status(all, { headers: [['Accept', 'text/html'], session], body })).toEqual([406, -32600])
    expect(await status(all, { method: 'PUT', headers: [accept, session], body })).toEqual([405, -32600])
    expect(await status(all, { method: 'GET', headers: [accept] })).toEqual([400, -32600])
    expect(await status(all, { method: 'DELETE', headers: [accept, ['Mcp-Session-Id', 'x']] })).toEqual([404, -32001])
    expect((await one.call('1', 'initialize')).text).toContain('initialized already')
    expect((await one.call('1', 'server/unheard')).text).toContain('-32601')
    expect((await one.call('1', 'ping')).text).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  test('batches are accepted on 2025-03-26 only', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"1","method":"ping"}]'
    const old = await (await client(url, '2025-03-26')).post(batch)
    expect(old.status).toBe(200)
    expect(JSON.parse(old.text)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: '1', result: {} },
    ])
    const young = await (await client(url)).post(batch)
    expect([young.status, JSON.parse(young.text).error.code]).toEqual([400, -32600])
    const notices = await (await client(url, '2025-03-26')).post('[{"jsonrpc":"2.0","method":"x"}]')
    expect(notices).toMatchObject({ status: 202, text: '' })
  })

  test('a backend that has lost its session gets a new one, once, and the call is answered', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const one = await client(url)
    crm.sessions.clear()
    const replies = await Promise.all([1, 2, 3].map(id => one.call(String(id), 'tools/call', '{"name":"crm_echo"}')))
    expect(replies.map(reply => JSON.parse(reply.text).result.asked.name)).toEqual(['echo', 'echo', 'echo'])
    expect(crm.sessions.size).toBe(1)
    expect(crm.of('notifications/initialized')).toHaveLength(2)
    crm.sessions.clear()
    expect(items((await one.call('4', 'tools/list')).text, 'tools')).toHaveLength(2)
  })
})

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

describe('calls', () => {
  test('go to the backend of the name, with an id of their own, and come back with the client’s', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url, '2025-06-18', [
      ['Authorization', 'Bearer t'],
      ['X-Own', 'v'],
    ])
    for (const id of [big, '"g:1"', '1.50', '"1"', '0']) {
      const params = `{ "name":"db_a_b", "arguments":{"n":${big},"u":"\\u00e9"},"_meta":{"progressToken":${id}}}`
      const reply = await one.call(id, 'tools/call', params)
      expect(get(reply.text, 'id')).toBe(id)
      expect(get(reply.text, 'result.asked')).toBe(params.replace('db_a_b', 'a_b'))
      expect(get(reply.text, 'result.upstream')).not.toBe(id)
    }
    expect(crm.of('tools/call')).toEqual([])
    const upstream = db.seen.filter(seen => seen.body.includes('"id"')).map(seen => get(seen.body, 'id'))
    expect(new Set(upstream).size).toBe(upstream.length)
    const [seen] = db.of('tools/call')
    expect(header(seen!.headers, 'authorization')).toBe('Bearer t')
    expect(header(seen!.headers, 'x-own')).toBe('v')
    expect(header(seen!.headers, 'mcp-protocol-version')).toBe('2025-06-18')
    expect([...db.sessions]).toEqual([header(seen!.headers, 'mcp-session-id')])
  })

  test('of unknown names are refused here, without asking anyone', async () => {
    const crm = await mcp(usual)
    const { url } = await gateway({ crm })
    const one = await client(url)
    for (const name of ['echo', 'db_echo', '_echo', '']) {
      const reply = JSON.parse((await one.call('1', 'tools/call', JSON.stringify({ name }))).text)
      expect(reply).toMatchObject({ id: 1, error: { code: -32602, message: `Unknown tool: ${name}` } })
    }
    expect(crm.of('tools/call')).toEqual([])
  })

  test('errors of a backend pass as they are, whatever their status; what is no answer becomes one', async () => {
    const crm = await mcp({
      'tools/call': (body, response) => {
        const name = get(body, 'params.name')
        if (name === '"error"')
          json(response, failure(body, -32042, 'mine').replace('}}', `,"data":{"n":${big}}}}`), 403)
        else if (name === '"nobody"')
          json(response, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}', 400)
        else if (name === '"page"') response.writeHead(401, { 'Content-Type': 'text/html' }).end('<p>')
        else if (name === '"wrong"') json(response, '{"jsonrpc":"2.0","id":"c:9","result":{}}')
        else if (name === '"reset"') response.socket!.resetAndDestroy()
        return undefined
      },
    })
    const { url } = await gateway({ crm })
    const one = await client(url)
    const call = async (name: string) => (await one.call('5', 'tools/call', `{"name":"crm_${name}"}`)).text
    expect(await call('error')).toBe(
      `{"jsonrpc":"2.0","id":5,"error":{"code":-32042,"message":"mine","data":{"n":${big}}}}`,
    )
    expect(await call('nobody')).toBe('{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"m"}}')
    expect(await call('page')).toContain('answered with status 401')
    expect(await call('wrong')).toContain('ended its answer without a response')
    expect(await call('reset')).toContain('closed the connection before it answered')
  })

  test('are streamed as they come, progress before the response, with event ids of their own', async () => {
    let last: ServerResponse | undefined
    let asked = ''
    const crm = await mcp({
      'tools/call': (body, response) => {
        last = response
        asked = body
        return stream(
          response,
          '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.0}}',
        )
      },
    })
    const { url } = await gateway({ crm })
    const one = await client(url)
    const call = one.watch(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"crm_x","_meta":{"progressToken":1}}}',
    )
    const progress =
      'id: crm/7\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.0}}\n\n'
    await call.until(progress)
    last!.write(': still here\n\n')
    await call.until(': still here')
    last!.end(`data: ${result(asked, '{"content":[]}')}\n\n`)
    const reply = await call.done
    expect(reply.text).toBe(`${progress}: still here\n\ndata: {"jsonrpc":"2.0","id":5,"result":{"content":[]}}\n\n`)
    expect(header(reply.headers, 'content-type')).toBe('text/event-stream')
  })

  test('whose server dies in the middle end with an error', async () => {
    let last: ServerResponse | undefined
    const crm = await mcp({
      'tools/call': (_body, response) => {
        last = response
        return stream(response, '{"jsonrpc":"2.0","method":"x"}')
      },
    })
    const { url } = await gateway({ crm })
    const one = await client(url)
    const call = one.watch('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"crm_x"}}')
    await call.until('"x"')
    last!.socket!.resetAndDestroy()
    const reply = await call.done
    expect(reply.whole).toBe(true)
    expect(reply.text).toMatch(/data: \{"jsonrpc":"2.0","id":5,"error":\{"code":-32603,.*broke off.*\n\n$/)
  })

  test('are cancelled at the backend that runs them, by the id it knows', async () => {
    const running: ServerResponse[] = []
    const crm = await mcp({ 'tools/call': (_body, response) => void running.push(response) })
    const db = await mcp({})
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const call = one.watch('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"crm_x"}}')
    await expect.poll(() => running.length).toBe(1)
    const cancel = (id: string) =>
      one.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"enough"}}`)
    expect((await cancel('5')).status).toBe(202)
    for (const unknown of ['6', '"5"', 'null']) expect((await cancel(unknown)).status).toBe(202)
    const seen = crm.of('notifications/cancelled').map(one => get(one.body, 'params'))
    expect(seen).toEqual([`{"requestId":${get(crm.of('tools/call')[0]!.body, 'id')},"reason":"enough"}`])
    expect(db.of('notifications/cancelled')).toEqual([])
    running[0]!.destroy()
    expect(await call.done).toMatchObject({ status: 200, text: '' })
    expect((await cancel('5')).status).toBe(202)
  })

  test('of two clients with equal ids are never mixed up', async () => {
    const crm = await mcp({ 'tools/call': (_body, _response, session) => `{"session":"${session}"}` })
    const { url } = await gateway({ crm })
    const clients = await Promise.all([client(url), client(url)])
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => clients[i % 2]!.call('1', 'tools/call', '{"name":"crm_x"}')),
    )
    const stamps = [0, 1].map(who => new Set(replies.filter((_, i) => i % 2 === who).map(reply => reply.text)))
    expect(stamps.map(set => set.size)).toEqual([1, 1])
    expect(new Set(stamps.flatMap(set => [...set])).size).toBe(2)
  })

  test('completion, subscription and level go where they belong', async () => {
    const crm = await mcp(usual)
    const db = await mcp(usual)
    const { url } = await gateway({ crm, db })
    const one = await client(url)
    const ref = async (text: string) =>
      get((await one.call('1', 'completion/complete', `{"ref":${text}}`)).text, 'result.asked.ref')
    expect(await ref('{"type":"ref/prompt","name":"db_p"}')).toBe('{"type":"ref/prompt","name":"p"}')
    expect(await ref('{"type":"ref/resource","uri":"db+crm://customers/{id}"}')).toBe(
      '{"type":"ref/resource","uri":"crm://customers/{id}"}',
    )
    expect(await ref('{"type":"ref/resource","uri":"crm://customers/{id}"}')).toBe(
      '{"type":"ref/resource","uri":"crm://customers/{id}"}',
    )
    expect([crm, db].map(server => server.of('completion/complete').length)).toEqual([1, 2])
    await one.call('1', 'resources/subscribe', '{"uri":"db+memo:own"}')
    expect([crm, db].map(server => server.of('resources/subscribe').length)).toEqual([0, 1])
    expect((await one.call('1', 'logging/setLevel', '{"level":"error"}')).text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    )
    expect([crm, db].map(server => server.of('logging/setLevel').length)).toEqual([1, 1])
  })
})

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
