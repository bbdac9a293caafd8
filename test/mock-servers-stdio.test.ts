import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import { serveStdio } from '../mock-servers/index.ts'
import { INITIALIZE, newMark } from './mock-servers-rig.ts'

/** A server on streams, and the lines that it writes. */
function start() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const recorder = createRecorder()
  const stage = createStage(recorder, 100)
  const { done, close } = serveStdio({ server: 'crm', input, output, sink: recorder, stage })
  const lines: string[] = []
  let rest = ''
  let wake = () => {}
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const found = (rest + chunk).split('\n')
    rest = found.pop() ?? ''
    lines.push(...found)
    wake()
  })
  return {
    input,
    output,
    recorder,
    stage,
    done,
    close,
    say: (message: unknown) => void input.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    /** The next lines, as soon as there are so many. */
    async next(count: number): Promise<string[]> {
      while (lines.length < count) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return lines.splice(0, count)
    },
  }
}

const ping = (id: unknown, more: object = {}) => ({ jsonrpc: '2.0', id, method: 'ping', ...more })

test('speaks a message a line, however the bytes arrive', async () => {
  const { say, next, input, done } = start()
  say(ping(1))
  say(ping(2, { method: 'tools/list' }))
  const [early, refused] = await next(2)
  expect(early).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
  expect(JSON.parse(refused!).error.code).toBe(-32600)
  say(INITIALIZE('2025-06-18'))
  expect(JSON.parse((await next(1))[0]!).result.protocolVersion).toBe('2025-06-18')

  const text = Buffer.from(`${JSON.stringify(ping('한글\u2028'))}\r\n\n`)
  for (const byte of text) input.write(Buffer.from([byte]))
  expect((await next(1))[0]).toBe('{"jsonrpc":"2.0","id":"한글\u2028","result":{}}')

  say('{"half":\n')
  say('[]\n')
  say('{"jsonrpc":"2.0","id":3}\n')
  const codes = (await next(3)).map(line => JSON.parse(line).error.code)
  expect(codes).toEqual([-32700, -32600, -32600])
  say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  say({ jsonrpc: '2.0', id: 1, result: {} })
  say(ping(4))
  expect(await next(1)).toEqual(['{"jsonrpc":"2.0","id":4,"result":{}}'])
  input.end()
  await done
})

test('streams progress, cancels, and announces', async () => {
  const { say, next, recorder, close, done } = start()
  const mark = newMark()
  say(INITIALIZE('2025-03-26', { _meta: { n: `${mark}.1` } }))
  await next(1)
  say(ping(1, { method: 'tools/call', params: { name: 'count', arguments: { to: 2 }, _meta: { progressToken: 7 } } }))
  expect((await next(3)).map(line => JSON.parse(line).method)).toEqual([
    'notifications/progress',
    'notifications/progress',
    undefined,
  ])
  say(ping(2, { method: 'tools/call', params: { name: 'long_task', _meta: { progressToken: 8 } } }))
  await next(1)
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  say(ping(3, { method: 'tools/call', params: { name: 'announce_change' } }))
  const methods = (await next(2)).map(line => JSON.parse(line).method)
  expect(methods).toEqual(['notifications/tools/list_changed', undefined])
  say([ping(4), ping(5)])
  expect(JSON.parse((await next(1))[0]!)).toHaveLength(2)
  // All of it belongs to the check that opened the session; the announcement is an exchange without a request.
  const { backend } = recorder.exchanges(mark)
  expect(backend.every(e => e.transport === 'stdio' && e.endedAt !== undefined)).toBe(true)
  expect(backend.filter(e => e.request.size === 0).map(e => JSON.parse(e.events[0]!.data).method)).toEqual([
    'notifications/tools/list_changed',
  ])
  close()
  await done
})

test('plays acts that were written for HTTP', async () => {
  const { say, next, recorder, stage, close, done } = start()
  const mark = newMark()
  stage.put(`${mark}.1`, [
    { do: 'head' },
    { do: 'write', text: ': comment\n\ndata: {"a":\ndata: {{id}}}\n\nda' },
    { do: 'write', text: 'ta: 2\n\n' },
    { do: 'gate', events: 9 },
    { do: 'usual' },
  ])
  stage.put(`${mark}.2`, [
    { do: 'head', headers: [['Content-Type', 'application/json']] },
    { do: 'write', text: '{"x":\n' },
    { do: 'write', text: '{{id}}}' },
    { do: 'end' },
  ])
  stage.put(`${mark}.3`, [{ do: 'socket', text: 'no message\n' }, { do: 'reset' }])
  stage.put(`${mark}.4`, [{ do: 'silence' }])
  say(ping(1, { params: { n: `${mark}.1` } }))
  expect(await next(3)).toEqual(['{"a": 1}', '2', '{"jsonrpc":"2.0","id":1,"result":{}}'])
  say(ping(2, { params: { n: `${mark}.2` } }))
  expect(await next(1)).toEqual(['{"x": 2}'])
  say(ping(3, { params: { n: `${mark}.3` } }))
  expect(await next(1)).toEqual(['no message'])
  say(ping(4, { params: { n: `${mark}.4` } }))
  say(ping(5))
  expect(await next(1)).toEqual(['{"jsonrpc":"2.0","id":5,"result":{}}'])
  const { backend } = recorder.exchanges(mark)
  expect(backend.map(e => [e.nonce, e.events.length, e.held, e.endedAt !== undefined])).toEqual([
    [`${mark}.1`, 3, 9, true],
    [`${mark}.2`, 1, undefined, true],
    [`${mark}.3`, 1, undefined, false],
    [`${mark}.4`, 0, undefined, false],
  ])
  close()
  await done
})
