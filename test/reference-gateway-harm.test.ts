import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../reference-gateway/control/endpoints.ts'
import * as harm from '../reference-gateway/mutants/harm.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import { parts } from '../reference-gateway/parts.ts'
import { backend, gateway, header, json, rpc, send, watch } from './reference-gateway-rig.ts'

const big = '9007199254740993'
const tools = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a", "annotations":{"x":1},"n":${big}},{"name":"b"}]}}`
const stream = (...messages: string[]) => messages.map(message => `id: 5\ndata: ${message}\n\n`).join('')

/** A backend that answers by what the request holds. */
const usual = () =>
  backend((request, response, body) => {
    if (request.method === 'GET') return void response.writeHead(204).end()
    if (body.includes('stream')) {
      return void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(`: hello\n\n${stream('{"n":1}', '{"n":2}', '{"n":3}')}`)
    }
    if (body.includes('moved')) return void response.writeHead(307, { Location: '/there' }).end()
    if (body.includes('packed')) {
      return void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync(tools))
    }
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'X-A': '1',
      'Content-Length': Buffer.byteLength(tools),
    })
    response.end(tools)
  })

async function harmed(mutate: harm.Mutate) {
  const crm = await usual()
  const running = await gateway({ crm }, {}, mutate(parts))
  const call = (body: string, headers: [string, string][] = []) => send(`${running.url}/crm/mcp`, { body, headers })
  return { crm, url: running.url, call }
}

describe('requests', () => {
  test('editRequest and editForward edit what matches and leave the rest', async () => {
    for (const make of [harm.editRequest, harm.editForward]) {
      const { crm, call } = await harmed(make(/"drop"/, text => harm.edit(text, 'params.drop', () => undefined)))
      await call(`{"id":${big},"params":{ "drop":1,"keep": 1.0}}`)
      await call(`{ "id":${big},"params":{"keep": 1.0}}`)
      expect(crm.seen.map(one => one.body)).toEqual([
        `{"id":${big},"params":{"keep": 1.0}}`,
        `{ "id":${big},"params":{"keep": 1.0}}`,
      ])
      expect(header(crm.seen[0]!.headers, 'content-length')).toBe(String(crm.seen[0]!.body.length))
    }
  })

  test('in a batch only the message that matches is edited', async () => {
    const { crm, call } = await harmed(harm.editRequest(/"b"/, text => text.replace('b', 'c')))
    await call('[ {"a":1}, {"b":1} ]')
    expect(crm.seen[0]!.body).toBe('[ {"a":1}, {"c":1} ]')
  })

  test('requestField sets, drops, adds', async () => {
    const headers: [string, string][] = [
      ['A', '1'],
      ['X-b', '2'],
      ['C', '3'],
    ]
    const names = async (mutate: harm.Mutate) => {
      const { crm, call } = await harmed(mutate)
      await call('{}', headers)
      const raw = crm.seen[0]!.headers
      return raw.slice(raw.indexOf('A'), -2)
    }
    expect(await names(harm.requestField('x-B', 'new'))).toEqual(['A', '1', 'x-B', 'new', 'C', '3'])
    expect(await names(harm.requestField('x-b', undefined))).toEqual(['A', '1', 'C', '3'])
    expect(await names(harm.requestField('x-b', old => [...old, 'too']))).toEqual([
      'A',
      '1',
      'x-b',
      '2',
      'x-b',
      'too',
      'C',
      '3',
    ])
    expect(await names(harm.requestField('New', 'n', { fields: /^x-b: 2$/im }))).toEqual([
      'A',
      '1',
      'X-b',
      '2',
      'C',
      '3',
      'New',
      'n',
    ])
    expect(await names(harm.requestField('New', 'n', /only this/))).toEqual(['A', '1', 'X-b', '2', 'C', '3'])
  })

  test('refuse, swallow and sendTwice', async () => {
    const refusing = await harmed(harm.refuse(/bad/, 400, request => request.toUpperCase(), [['X-Why', 'so']]))
    expect(await refusing.call('"bad"')).toMatchObject({ status: 400, text: '"BAD"' })
    expect((await refusing.call('{}')).text).toBe(tools)
    expect(refusing.crm.seen).toHaveLength(1)

    const swallowing = await harmed(harm.swallow({ request: /"method":"notifications/, http: /^POST/ }))
    expect(await swallowing.call('{"method":"notifications/x"}')).toMatchObject({ status: 202, text: '' })
    expect(swallowing.crm.seen).toEqual([])

    const doubling = await harmed(harm.sendTwice(/"method"/))
    expect((await doubling.call('{"method":1}')).text).toBe(tools)
    await expect.poll(() => doubling.crm.seen.map(one => one.body)).toEqual(['{"method":1}', '{"method":1}'])
  })

  test('cacheReplies gives the first body again, with the id of the request', async () => {
    const { crm, call } = await harmed(harm.cacheReplies(/list/))
    for (const id of ['1', '"x"']) {
      expect((await call(`{"id":${id},"method":"list"}`)).text).toBe(tools.replace('"id":1', `"id":${id}`))
    }
    await call('{"id":1}')
    expect(crm.seen).toHaveLength(2)
  })

  test('hang never answers, retryAfterFailure asks again', async () => {
    const { url, crm } = await harmed(harm.hang(/hang/))
    const call = watch(`${url}/crm/mcp`, { body: '"hang"' })
    expect((await send(`${url}/crm/mcp`, { body: '{}' })).status).toBe(200)
    expect(crm.seen).toHaveLength(1)
    call.hangUp()

    let n = 0
    const shaky = await backend((_request, response) =>
      n++ === 0 ? response.socket!.resetAndDestroy() : json(response, '{}'),
    )
    const running = await gateway({ shaky }, {}, harm.retryAfterFailure()(parts))
    expect((await send(`${running.url}/shaky/mcp`, { body: rpc('1') })).text).toBe('{}')
    expect(shaky.seen).toHaveLength(2)
  })
})

describe('replies', () => {
  test('editReply and editAnswer edit a JSON body, and its length; the rest stays', async () => {
    for (const make of [harm.editReply, harm.editAnswer]) {
      const { call } = await harmed(
        make(/"tools"/, text => harm.edit(text, 'result.tools.*.annotations', () => undefined)),
      )
      const reply = await call('{}')
      expect(reply.text).toBe(tools.replace('{"name":"a", "annotations":{"x":1},"n":', '{"name":"a","n":'))
      expect(header(reply.headers, 'content-length')).toBe(String(reply.bytes.length))
      expect(header(reply.headers, 'x-a')).toBe('1')
    }
  })

  test('what does not match stays byte for byte, as does what is packed', async () => {
    const never = () => 'harmed'
    const { call } = await harmed(
      harm.several(harm.editReply(/nowhere/, never), harm.editReply({ request: /mine/ }, never)),
    )
    expect((await call('{}')).text).toBe(tools)
    expect((await call('"stream"')).text).toBe(`: hello\n\n${stream('{"n":1}', '{"n":2}', '{"n":3}')}`)
    expect((await call('"mine"')).text).toBe('harmed')
    const all = await harmed(harm.editReply(/(?:)/, never))
    expect((await all.call('"packed"')).bytes.equals(gzipSync(tools))).toBe(true)
  })

  test('an edit of an event makes one, several or none', async () => {
    const edits = await harmed(
      harm.editReply(/"n"/, (text, { n }) => (n === 1 ? [] : n === 2 ? [text, text] : text.replace('3', big))),
    )
    expect((await edits.call('"stream"')).text).toBe(`: hello\n\n${stream('{"n":2}', '{"n":2}', `{"n":${big}}`)}`)
  })

  test('fields, status and head', async () => {
    const { call } = await harmed(
      harm.several(
        harm.replyField('x-a', undefined),
        harm.replyField('X-New', '1'),
        harm.replyStatus(status => status + 1),
      ),
    )
    const reply = await call('{}')
    expect(reply).toMatchObject({ status: 201, text: tools })
    expect(header(reply.headers, 'x-a')).toBeUndefined()
    expect(header(reply.headers, 'x-new')).toBe('1')
  })

  test('the gateway’s own answers are edited too', async () => {
    const running = await gateway(
      { crm: 'http://127.0.0.1:1/' },
      {},
      harm.editReply(/-32603/, text => text.replace('-32603', '1'))(parts),
    )
    expect((await send(`${running.url}/crm/mcp`, { body: rpc('1') })).text).toContain('"code":1')
  })
})

describe('streams', () => {
  test('editEvents sees every block', async () => {
    const swap = () => {
      let kept: string[] = []
      return {
        block(text: string, n: number) {
          if (n === 1) return []
          if (n === 2) {
            kept = [text]
            return []
          }
          return [text, ...kept.splice(0)]
        },
        end: () => [': bye\n\n'],
      }
    }
    const { call } = await harmed(harm.editEvents(undefined, swap))
    expect((await call('"stream"')).text).toBe(`${stream('{"n":2}', '{"n":1}', '{"n":3}')}: bye\n\n`)
    expect((await call('{}')).text).toBe(tools)
  })

  test('truncateAt, neverEnd, bufferWhole, holdHead', async () => {
    const cut = await harmed(harm.truncateAt(10, /cut/))
    expect(await cut.call('"cut"')).toMatchObject({ text: tools.slice(0, 10), whole: true })
    expect((await cut.call('{}')).text).toBe(tools)

    const open = await harmed(harm.neverEnd(/open/))
    const call = watch(`${open.url}/crm/mcp`, { body: '"open"' })
    await call.until(tools)
    call.hangUp()

    for (const slow of [harm.bufferWhole(), harm.holdHead()]) {
      let release = () => {}
      const crm = await backend((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
        release = () => response.end('data: 1\n\n')
      })
      const { url } = await gateway({ crm }, {}, slow(parts))
      const held = watch(`${url}/crm/mcp`, { body: rpc('1') })
      let headCame = false
      void held.head.then(() => (headCame = true))
      await expect.poll(() => crm.seen.length).toBe(1)
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(headCame).toBe(false)
      release()
      expect((await held.done).text).toBe('data: 1\n\n')
    }
  })

  test('decodeEachChunk breaks a character in two, and only that', async () => {
    const crm = await backend((_request, response, body) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const bytes = Buffer.from('data: 가나\n\n')
      response.write(bytes.subarray(0, 7))
      setTimeout(() => response.end(bytes.subarray(7)), body.includes('slow') ? 50 : 0)
    })
    const { url } = await gateway({ crm }, {}, harm.decodeEachChunk()(parts))
    expect((await send(`${url}/crm/mcp`, { body: '"slow"' })).text).toMatch(/^data: \uFFFD+나\n\n$/)
  })

  test('followRedirects', async () => {
    const { call, crm } = await harmed(harm.followRedirects(/once/))
    expect((await call('"moved"')).status).toBe(307)
    const followed = await backend((request, response) => {
      if (request.url === '/mcp') response.writeHead(308, { Location: '/there?x=1' }).end()
      else json(response, '{"there":1}')
    })
    const { url } = await gateway({ followed }, {}, harm.followRedirects()(parts))
    expect((await send(`${url}/followed/mcp`, { body: rpc('1') })).text).toBe('{"there":1}')
    expect(followed.seen.map(one => one.url)).toEqual(['/mcp', '/there?x=1'])
    expect(crm.seen).toHaveLength(1)
  })

  test('wrapReply does anything else', async () => {
    const { call } = await harmed(
      harm.wrapReply(/x/, out =>
        harm.through(out, { chunk: bytes => out.chunk(Buffer.from(bytes.toString().toUpperCase())) }),
      ),
    )
    expect((await call('"x"')).text).toBe(tools.toUpperCase())
    expect((await call('{}')).text).toBe(tools)
  })
})

describe('the list', () => {
  test('parts are replaced, left out, put in their place', () => {
    const names = (mutate: harm.Mutate) => mutate(parts).map(part => part.name)
    const all = parts.map(part => part.name)
    const mine = { name: 'mine' }
    expect(names(harm.addFirst(mine))).toEqual(['mine', ...all])
    expect(names(harm.addLast(() => mine))).toEqual([...all, 'mine'])
    expect(names(harm.removePart('metrics'))).toEqual(all.slice(1))
    expect(names(harm.addBefore('relay', mine)).slice(-2)).toEqual(['mine', 'relay'])
    expect(names(harm.replacePart('origin', {}))).toEqual(all)
    expect(() => harm.removePart('nope')(parts)).toThrow('There is no part nope; there are metrics,')
    expect(new Set(all).size).toBe(all.length)
  })

  test('a part that remembers begins anew with each gateway', async () => {
    const stateful = harm.addLast(() => {
      let first: string | undefined
      return {
        name: 'harm',
        forward(hop) {
          first ??= harm.field(hop.fields, 'mcp-session-id')
          hop.fields = harm.changeField(hop.fields, 'mcp-session-id', first)
        },
      }
    })
    for (let i = 0; i < 2; i++) {
      const { crm, call } = await harmed(stateful)
      await call('{}', [['Mcp-Session-Id', `a${i}`]])
      await call('{}', [['Mcp-Session-Id', `b${i}`]])
      expect(crm.seen.map(one => header(one.headers, 'mcp-session-id'))).toEqual([`a${i}`, `a${i}`])
    }
  })
})

test('every mutant has a name of its own, a sentence, and a check that catches it', () => {
  expect(new Set(mutants.map(mutant => mutant.name)).size).toBe(mutants.length)
  for (const mutant of mutants) {
    expect(mutant.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    expect(mutant.harm).toMatch(/^[A-Z].*\.$/)
    expect(mutant.caughtBy.length).toBeGreaterThan(0)
    const { mutate, configure, operate, configureControl } = mutant
    expect([mutate, configure, operate, configureControl].some(Boolean)).toBe(true)
    if (mutate) expect(mutate(parts)).not.toEqual(parts)
    if (operate) expect(operate(endpoints)).not.toEqual(endpoints)
  }
})
