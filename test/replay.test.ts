import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { format } from '../api/format.ts'
import { untilAgain } from '../cli/run/watch.ts'
import { cli } from './cli-process.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult } from './cli-samples.ts'

let folder = ''
const servers: Server[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-replay-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Got {
  readonly session: string | undefined
  readonly authorization: string | undefined
  readonly method: string
}

/** A gateway that opens a new session, and answers calls with this; it remembers what it got. */
async function gateway(answer: { readonly status: number; readonly body: string }, port = 0) {
  const got: Got[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const { method } = JSON.parse(text) as { method: string }
    got.push({
      session: request.headers['mcp-session-id'] as string | undefined,
      authorization: request.headers.authorization,
      method,
    })
    if (method === 'initialize')
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'new-session' })
        .end('{"id":1,"result":{}}')
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  servers.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, got, server }
}

const initialize = sampleExchange('client', {
  body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
  answer: '{"id":1,"result":{}}',
  answerHeaders: [
    ['Content-Type', 'application/json'],
    ['Mcp-Session-Id', 'old-session'],
  ],
})
const call = sampleExchange('client', {
  body: '{"jsonrpc":"2.0","id":2,"method":"tools/call"}',
  headers: [
    ['Content-Type', 'application/json'],
    ['Mcp-Session-Id', 'old-session'],
    ['Authorization', 'Bearer «hidden 0123abcd»'],
  ],
  status: 502,
  answer: 'no route',
  more: { label: 'call' },
})
const report = sampleReport([
  sampleResult('pass', sampleCheck('sessions/issued')),
  sampleResult('fail', sampleCheck('tools/called'), { evidence: sampleEvidence([initialize, call]) }),
])

async function saved(): Promise<string> {
  const path = join(folder, 'report.json')
  writeFileSync(path, await format(report, 'json'))
  return path
}

describe('replay', () => {
  test('what is answered as then is told, in the new session and without what the report hides', async () => {
    const { url, got } = await gateway({ status: 502, body: 'no route' })
    const { code, stdout, stderr } = await cli(['replay', await saved(), '--url', url])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('✗ as then  tools/called  2025-11-25')
    expect(stdout).toContain('tools/call [call]: 502, the same as then')
    expect(stdout).toContain('1 check sent again: 1 answered as then, 0 otherwise')
    expect(got).toEqual([
      { session: undefined, authorization: undefined, method: 'initialize' },
      { session: 'new-session', authorization: undefined, method: 'tools/call' },
    ])
  })
  test('what is answered otherwise is shown beside what came then; a token takes the place of the hidden one', async () => {
    const { url, got } = await gateway({ status: 200, body: '{"id":2,"result":{"content":[]}}' })
    const { code, stdout } = await cli(
      ['replay', await saved(), 'tools/called', '--url', url, '--bearer-env', 'TOKEN'],
      { env: { TOKEN: 'secret-token' } },
    )
    expect(code).toBe(0)
    expect(stdout).toContain('≠ otherwise  tools/called')
    expect(stdout).toMatch(/then {2}502 {2}no route\n +now {3}200 {2}\{"id":2,"result":\{"content":\[\]\}\}/)
    expect(got[1]?.authorization).toBe('Bearer secret-token')
    expect(stdout).not.toContain('secret-token')
  })
  test.each([
    [['replay'], 2, 'replay takes a report, and a check'],
    [['replay', 'REPORT', 'tools/none'], 2, 'has no check tools/none'],
    [['replay', 'REPORT', 'sessions/issued'], 3, '--evidence all keeps those of checks that passed'],
    [
      ['replay', 'REPORT', '--url', 'http://127.0.0.1:1/mcp'],
      3,
      'Nobody answers at http://127.0.0.1:1/mcp: the connection was refused',
    ],
  ])('%j', async (args, code, sentence) => {
    const path = await saved()
    const came = await cli(args.map(arg => (arg === 'REPORT' ? path : arg)))
    expect(came).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  })
})

test('watching: it is time again when the gateway was gone and is back', async () => {
  const first = await gateway({ status: 200, body: '{}' })
  const stop = new AbortController()
  const waiting = untilAgain(first.url, [], stop.signal)
  await expect.poll(() => first.got.length).toBeGreaterThan(0)
  const { port } = first.server.address() as AddressInfo
  await new Promise<void>(resolve => {
    first.server.close(() => resolve())
    first.server.closeAllConnections()
  })
  servers.splice(0)
  // It must have been missed before it is back.
  const blocked = createServer((_request, response) => void response.writeHead(503).end(() => missed()))
  let missed = () => {}
  const wasMissed = new Promise<void>(resolve => {
    missed = resolve
  })
  await new Promise<void>(resolve => blocked.listen(port, '127.0.0.1', resolve))
  await wasMissed
  await new Promise<void>(resolve => {
    blocked.close(() => resolve())
    blocked.closeAllConnections()
  })
  await gateway({ status: 200, body: '{}' }, port)
  expect(await waiting).toBe('restarted')
})
