import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { answerOf, guardFeatures, memberOf, perform, SYNCSERIES_API } from '../kit/admin.ts'
import { json, stringify } from '../kit/json.ts'
import { OWN_NAMES } from '../kit/names.ts'
import { createRecorder } from '../kit/recorder.ts'
import { openRig } from '../kit/rig.ts'
import { Unjudged } from '../kit/session.ts'
import { createStage } from '../kit/stage.ts'
import type { Action, ActionName, Admin, Servers, Target } from '../kit/types.ts'

interface Got {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
const got: Got[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const bytes of request) body += bytes
  got.push({ method: request.method, url: request.url, headers: request.headers, body })
  response.writeHead(request.url === '/broken' ? 500 : 200).end('{"list":[{"tool":"echo","n":9007199254740993}]}')
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

const none: Servers = {
  names: ['crm'],
  url: () => undefined,
  stop: async () => {},
  start: async () => {},
  close: async () => {},
}
const recorder = createRecorder()

function rigWith(actions: Partial<Record<ActionName, Action>>) {
  const admin: Admin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: [['Authorization', 'Bearer the-administrator']],
    actions,
  }
  const target: Target = {
    name: 'sample',
    url: 'http://127.0.0.1:1/mcp',
    routing: { style: 'header' },
    headers: [],
    features: [],
    limits: {},
    admin,
    revisions: ['2025-11-25'],
    servers: ['crm'],
    names: OWN_NAMES,
  }
  return openRig({
    target,
    revision: '2025-11-25',
    servers: none,
    recorder,
    stage: createStage(recorder),
    timeout: 5000,
  }).rig
}

describe('what is asked of a gateway’s operators’ side', () => {
  test('goes out with the variables filled in, for an address and for JSON each in its way', async () => {
    const rig = rigWith({ addRoute: { url: '/routes/{name}', body: '{"name":{name},"n":{n}}' } })
    const e = await perform(rig, 'addRoute', { name: 'a/b "c"', n: json(3) }, 'added')
    expect(got.at(-1)).toMatchObject({
      method: 'POST',
      url: '/routes/a%2Fb%20%22c%22',
      body: '{"name":"a/b \\"c\\"","n":3}',
    })
    expect(got.at(-1)?.headers.authorization).toBe('Bearer the-administrator')
    expect(e.label).toBe('added')
  })

  test('is seen as evidence, without the token', async () => {
    const rig = rigWith({ tools: { url: '/tools' } })
    await perform(rig, 'tools', {})
    const [seen] = recorder.exchanges(rig.nonce).client
    expect(seen).toMatchObject({ who: 'admin', request: { method: 'GET', path: '/tools' }, response: { status: 200 } })
    expect(JSON.stringify(seen?.request.headers)).not.toContain('the-administrator')
  })

  test('gives the value at its path, under the names that the gateway has', async () => {
    const rig = rigWith({ audit: { url: '/audit', path: 'list', fields: { toolName: 'tool' } } })
    const value = answerOf(rig.target, 'audit', await perform(rig, 'audit', {}))
    const first = Array.isArray(value) ? value[0] : undefined
    expect(memberOf(rig.target, 'audit', first, 'toolName')).toBe('echo')
    expect(stringify(memberOf(rig.target, 'audit', first, 'n')!)).toBe('9007199254740993')
  })

  test('gives nothing where the gateway refuses', async () => {
    const rig = rigWith({ audit: { url: '/broken', path: 'list' } })
    expect(answerOf(rig.target, 'audit', await perform(rig, 'audit', {}))).toBeUndefined()
  })

  test('can be a command: what it prints is the answer, and its failure a refusal', async () => {
    const print = 'console.log(JSON.stringify({ was: process.argv[1] }))'
    const rig = rigWith({
      resetSession: { command: [process.execPath, '-e', print, '{session}'] },
      tools: { command: [process.execPath, '-e', 'console.error("no"); process.exit(3)'] },
    })
    const reset = await perform(rig, 'resetSession', { session: 'a b' })
    expect(answerOf(rig.target, 'resetSession', reset)).toEqual({ was: 'a b' })
    const failed = await perform(rig, 'tools', {})
    expect(answerOf(rig.target, 'tools', failed)).toBeUndefined()
    expect(failed.response?.body).toContain('no')
  })

  test('can be a log: a list is also a value in each line, one line or none', async () => {
    const log = (text: string) => rigWith({ audit: { command: [process.execPath, '-e', `console.log('${text}')`] } })
    for (const [text, list] of [
      ['{"tool":"a"}\\n{"tool":"b"}', [{ tool: 'a' }, { tool: 'b' }]],
      ['{"tool":"a"}', [{ tool: 'a' }]],
      ['[{"tool":"a"}]', [{ tool: 'a' }]],
      ['', []],
      ['{"tool":"a"}\\nno JSON', undefined],
    ] as const) {
      const rig = log(text)
      expect(answerOf(rig.target, 'audit', await perform(rig, 'audit', {}))).toEqual(list)
    }
  })

  test('cannot be judged where it is not declared', async () => {
    await expect(perform(rigWith({}), 'saga', {})).rejects.toThrow(Unjudged)
  })
})

test('what is declared becomes features', () => {
  const admin = (actions: Admin['actions']): Admin => ({ url: 'http://127.0.0.1', headers: [], actions })
  expect(guardFeatures({})).toEqual([])
  expect(guardFeatures({ rps: 10 })).toEqual(['rate-guard'])
  expect(guardFeatures({ rps: 10, openSeconds: 5, bytes: 51_200 })).toEqual([
    'rate-guard',
    'open-state',
    'payload-guard',
  ])
  expect(guardFeatures({}, admin({ approvals: {}, approve: {} }))).toEqual([])
  expect(guardFeatures({}, admin({ resetSession: {} }))).toEqual(['session-reset'])
  expect(guardFeatures({}, admin(SYNCSERIES_API))).toContain('sagas')
})
