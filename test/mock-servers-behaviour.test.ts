import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { error, HEADERS, open, result, startRig } from './mock-servers-rig.ts'

let rig: Awaited<ReturnType<typeof startRig>>
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.servers.close())

describe('what a relay is judged by', () => {
  test('echo gives back its arguments just as they came', async () => {
    const { send } = await open(rig.url())
    const args = '{ "b":1.0,"a" : [9007199254740993, -0,1e2,"\\u00e9\\ud83d\\ude00é"],\n"b": "}\\"]" }'
    const { text } = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":${args},"name":"echo"}}`,
    )
    expect(text).toContain(`"structuredContent":${args},`)
    expect(text).toContain(`"text":${JSON.stringify(args)}`)
    const streamed = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{\r\n"as":\n"sse"}}}`,
    )
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect(streamed.text).toContain('"structuredContent":{\ndata: "as":\ndata: "sse"}')
  })

  test('numbers go out as they are written', async () => {
    const { call } = await open(rig.url())
    const { text } = await call('numbers')
    for (const number of [
      '9007199254740993',
      '18446744073709551615',
      '1.0',
      '1e2',
      '1.5E+3',
      '-0',
      '0.1000000000000000055511151231257827',
      '12.340',
    ]) {
      expect(text).toContain(`:${number}`)
    }
  })

  test.each([0, 1, 61_440, 2_097_152])('big has exactly %d bytes', async bytes => {
    const { call } = await open(rig.url())
    const { content, _meta } = await result(call('big', { bytes }))
    expect(Buffer.byteLength(content[0].text)).toBe(bytes)
    expect(_meta.sha256).toBe(createHash('sha256').update(content[0].text).digest('hex'))
  })

  test('the large resource has exactly 60 KB, and is JSON with Korean names', async () => {
    const { request } = await open(rig.url())
    const { contents } = await result(request('resources/read', { uri: 'crm://customers/large' }))
    expect(Buffer.byteLength(contents[0].text)).toBe(61_440)
    expect(JSON.parse(contents[0].text).customers[0].name).toMatch(/^[가-힣]+$/)
  })

  test('fails_as_error answers with exactly the error it is told', async () => {
    const { send } = await open(rig.url())
    const { text } = await send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fails_as_error","arguments":{"code":-31999,"message":"\\u0041","data":{"n":1.00,"x":[ ]}}}}',
    )
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-31999,"message":"\\u0041","data":{"n":1.00,"x":[ ]}}}')
    expect((await error((await open(rig.url())).call('fails_as_error'))).data.violations[0].field).toBe('환불.금액')
  })

  test('structured content is empty, null, absent or nested', async () => {
    const { call } = await open(rig.url())
    const variant = async (variant?: string) =>
      (await result(call('structured_variants', { ...(variant && { variant }) }))).structuredContent
    expect([await variant(), await variant('null'), await variant('absent')]).toEqual([{}, null, undefined])
    expect(await variant('nested')).toHaveProperty('a')
  })

  test('a revision gets only the content types that it knows', async () => {
    const types = async (version: string) => {
      const { call } = await open(rig.url(), version)
      return (await result(call('all_content'))).content.map((block: { type: string }) => block.type)
    }
    expect(await types('2025-11-25')).toEqual(['text', 'image', 'audio', 'resource_link', 'resource', 'resource'])
    expect(await types('2025-03-26')).toEqual(['text', 'image', 'audio', 'resource', 'resource'])
  })

  test('progress carries the token just as it came, and the form can be chosen', async () => {
    const { send } = await open(rig.url())
    const call = (meta: string, as = '') =>
      send(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":2${as}},"_meta":${meta}}}`,
      )
    const { text, messages } = await call('{"progressToken":9007199254740993}')
    expect(messages).toHaveLength(3)
    expect(text).toContain('"params":{"progressToken":9007199254740993,"progress":1,"total":2,"message":"1/2 처리 중"}')
    expect((await call('{}')).headers.get('content-type')).toBe('application/json')
    expect((await call('{"progressToken":"p"}', ',"as":"json"')).messages).toHaveLength(1)
    expect((await call('{"mcp-conformance/as":"sse"}')).headers.get('content-type')).toBe('text/event-stream')
  })

  test('a cancelled call ends without an answer, and only in its own session', async () => {
    const a = await open(rig.url())
    const b = await open(rig.url())
    const long = {
      jsonrpc: '2.0',
      id: 99,
      method: 'tools/call',
      params: { name: 'long_task', _meta: { progressToken: 1 } },
    }
    const first = await fetch(rig.url(), {
      method: 'POST',
      headers: { ...HEADERS, ...a.fields },
      body: JSON.stringify(long),
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99, reason: '그만' } }
    expect((await b.send(cancel)).status).toBe(202)
    expect((await a.send({ ...cancel, params: { requestId: '99' } })).status).toBe(202)
    expect((await a.send(cancel)).status).toBe(202)
    expect(await first.text()).toMatch(/^event: message\ndata: .*notifications\/progress[^\n]*\n\n$/)
    expect((await result(a.call('whoami'))).structuredContent.cancelled).toEqual([99])
    expect((await result(b.call('whoami'))).structuredContent.cancelled).toEqual([])
    expect((await a.call('long_task', { wait_ms: 1 })).text).toContain('"structuredContent":{"finished":true}')
  })

  test('sessions keep their own state', async () => {
    const a = await open(rig.url(), '2025-06-18', {
      clientInfo: { name: 'a', version: '1', extra: [1] },
      capabilities: { roots: {} },
    })
    const b = await open(rig.url())
    const count = async (s: typeof a) => (await result(s.call('counter'))).structuredContent.count
    expect([await count(a), await count(a), await count(b)]).toEqual([1, 2, 1])
    await a.request('logging/setLevel', { level: 'warning' })
    await a.request('resources/subscribe', { uri: 'crm://customers/101' })
    await a.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await result(a.call('whoami'))).structuredContent).toEqual({
      server: 'crm',
      session: createHash('sha256').update(a.session).digest('hex').slice(0, 16),
      version: '2025-06-18',
      clientInfo: { name: 'a', version: '1', extra: [1] },
      capabilities: { roots: {} },
      initialized: true,
      level: 'warning',
      subscriptions: ['crm://customers/101'],
      cancelled: [],
    })
    expect((await result(b.call('whoami'))).structuredContent).toMatchObject({
      initialized: false,
      level: null,
      subscriptions: [],
    })
    expect((await a.call('log_messages', { level: 'error' })).messages).toHaveLength(4)
    expect((await a.call('log_messages')).messages).toHaveLength(1)
  })

  test('what belongs to no call goes to the GET stream of its session, or nowhere', async () => {
    const { fields, call, request } = await open(rig.url())
    expect((await result(call('announce_change', { what: 'prompts' }))).structuredContent).toEqual({
      what: 'prompts',
      present: true,
      announced: false,
    })
    const stream = await fetch(rig.url(), { headers: { ...fields, Accept: 'text/event-stream' } })
    expect((await result(call('announce_change', { what: 'prompts' }))).structuredContent).toMatchObject({
      present: false,
      announced: true,
    })
    expect((await result(call('touch_resource'))).structuredContent).toMatchObject({ announced: false })
    await request('resources/subscribe', { uri: 'crm://customers' })
    expect((await result(call('touch_resource'))).structuredContent).toMatchObject({ announced: true })
    await request('resources/unsubscribe', { uri: 'crm://customers' })
    expect((await result(call('touch_resource'))).structuredContent).toMatchObject({ announced: false })
    await fetch(rig.url(), { method: 'DELETE', headers: fields })
    const events = (await stream.text()).split('\n\n').filter(Boolean)
    expect(events.map(e => JSON.parse(e.slice(e.indexOf('{'))).method)).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/updated',
    ])
  })
})
