import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { get } from '../reference-gateway/json.ts'
import { big, client, failure, mcp, result, stream, usual } from './reference-gateway-mcp.ts'
import { gateway, header, json } from './reference-gateway-rig.ts'

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
