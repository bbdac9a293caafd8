import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { ServerName } from '../kit/types.ts'
import { listenLink } from '../mock-servers/index.ts'
import { newMark, startRig } from './mock-servers-rig.ts'
import { type Client, connectV1, connectV2, type Page } from './mock-servers-sdk-clients.ts'

/**
 * The mock servers against clients that no one here wrote: what the official SDKs refuse would be no fault of a gateway,
 * but of ours.
 */

let rig: Awaited<ReturnType<typeof startRig>>
let listener: Awaited<ReturnType<typeof listenLink>>
const recorder = createRecorder()
let built: string
beforeAll(async () => {
  rig = await startRig()
  listener = await listenLink({ sink: recorder, stage: createStage(recorder) })
  built = mkdtempSync(join(tmpdir(), 'mock-servers-'))
  spawnSync('node', [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--outDir',
    built,
    '--declaration',
    'false',
  ])
  writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(built, 'main.js'),
    `import { connectLink, serveStdio } from './mock-servers/index.js'
     const link = await connectLink(process.argv[3])
     await serveStdio({ server: process.argv[2], input: process.stdin, output: process.stdout, ...link }).done
     await link.close()`,
  )
}, 60_000)
afterAll(async () => {
  await rig.servers.close()
  await listener.close()
  rmSync(built, { recursive: true, force: true })
})

/** Walks all pages of a list. */
async function all<P extends Page, T>(list: (cursor?: string) => Promise<P>, items: (page: P) => T[]): Promise<T[]> {
  const found: T[] = []
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    found.push(...items(page))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

/** Arguments that fit the tools that require some. */
const ARGUMENTS: Record<string, object> = {
  approve_refund: { order_id: 'ORD-99' },
  send_email: { to: 'a@example.com', subject: '안내' },
  find__by_email: { email: 'a@example.com' },
  long_task: { wait_ms: 1 },
  big: { bytes: 100_000 },
  query_orders: { customer_id: 101 },
  describe_table: { table: 'orders' },
  syncboot_generate_schema: { domainName: 'Grade', fields: [] },
  rollback_schema: { domainName: 'Grade' },
  publish_cms: { domainName: 'Grade' },
  unpublish_cms: { domainName: 'Grade' },
  run_regression_test: { scenarioId: 'scn-checkout-flow' },
}

const SIZES = { crm: [27, 10, 4, 5], db: [6, 4, 1, 2], syncboot: [11, 5, 2, 3] } as const

/** A whole session: all that is listed is also called, read and asked for. */
async function session(client: Client, server: ServerName): Promise<void> {
  expect(client.info()).toMatchObject({ name: `${server}-service` })
  expect(client.instructions()).toBeTruthy()
  await client.ping()
  const tools = await all(client.tools, p => p.tools)
  const resources = await all(client.resources, p => p.resources)
  const templates = await all(client.templates, p => p.resourceTemplates)
  const prompts = await all(client.prompts, p => p.prompts)
  expect([tools, resources, templates, prompts].map(list => list.length)).toEqual(SIZES[server])
  // `announce_change` changes what is listed: it has its turn later.
  for (const { name } of tools.filter(tool => tool.name !== 'announce_change')) {
    const called = client.call(name, ARGUMENTS[name] ?? {})
    if (name === 'fails_as_error') await expect(called).rejects.toThrow('HITL Approval Required')
    else expect(await called, name).toHaveProperty('content')
  }
  for (const { uri } of resources) expect((await client.read(uri)).contents.length).toBeGreaterThan(0)
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(args.filter(a => a.required).map(a => [a.name, '값']))
    expect((await client.prompt(name, given)).messages).toBeInstanceOf(Array)
  }
  await expect(client.call('no_such_tool', {})).rejects.toThrow('Unknown tool')
  await expect(client.read('no:such')).rejects.toThrow('Resource not found')
}

/** The tools that report progress, and how often. */
const PROGRESS: Partial<Record<ServerName, readonly [tool: string, times: number]>> = {
  crm: ['count', 5],
  syncboot: ['deep_research', 3],
}

/** What only the CRM has. */
async function crmSession(client: Client): Promise<void> {
  expect((await client.complete('refund_letter', 'language', '한')).completion.values).toEqual(['한국어'])
  await client.subscribe('crm://customers')
  await client.level('error')
  expect(await client.call('log_messages', {})).toMatchObject({ structuredContent: { sent: 0 } })
  const cancelled = new AbortController()
  const task = client.call('long_task', {}, () => cancelled.abort('enough'), cancelled.signal)
  await expect(task).rejects.toThrow('enough')
  // The notification is on its way; whoever asks after it comes after it only on the same connection.
  const who = async () =>
    (await client.call('whoami', {}))['structuredContent'] as { cancelled: unknown[]; subscriptions: unknown[] }
  while ((await who()).cancelled.length === 0);
  expect((await who()).subscriptions).toEqual(['crm://customers'])
  const changed = new Promise<void>(resolve => client.onListChanged(resolve))
  expect(await client.call('announce_change', {})).toMatchObject({
    structuredContent: { present: true, announced: true },
  })
  await changed
  expect((await all(client.tools, p => p.tools)).at(-1)?.name).toBe('appeared_tool')
}

const SERVERS: readonly ServerName[] = ['crm', 'db', 'syncboot']
const overStdio = (server: ServerName) => ({
  command: process.execPath,
  args: [join(built, 'main.js'), server, listener.address],
})

describe.each([
  [
    'v1',
    (server: ServerName) => connectV1(new HttpV1(new URL(rig.url(server)))),
    (server: ServerName) => connectV1(new StdioV1(overStdio(server))),
  ],
  [
    'v2',
    (server: ServerName) => connectV2(new HttpV2(new URL(rig.url(server)))),
    (server: ServerName) => connectV2(new StdioV2(overStdio(server))),
  ],
])('the official client %s completes a session', (_, http, stdio) => {
  test.each(SERVERS)('with %s over HTTP', async server => {
    const client = await http(server)
    expect(client.version()).toBe('2025-11-25')
    await session(client, server)
    if (server === 'crm') await crmSession(client)
    const [tool, times] = PROGRESS[server] ?? []
    const seen: object[] = []
    if (tool) await client.call(tool, {}, p => seen.push(p))
    expect(seen).toHaveLength(times ?? 0)
    await client.close()
  })

  test.each(SERVERS)('with %s over stdio, recorded over the link', async server => {
    const client = await stdio(server)
    await session(client, server)
    if (server === 'crm') await crmSession(client)
    const mark = newMark()
    await client.call('echo', { nonce: `${mark}.1`, 값: '한글' })
    await recorder.when(() => recorder.exchanges(mark).backend[0]?.endedAt !== undefined, 2000)
    const [exchange] = recorder.exchanges(mark).backend
    expect(exchange).toMatchObject({ transport: 'stdio', server, nonce: `${mark}.1` })
    expect(exchange?.events).toHaveLength(1)
    expect(exchange?.events[0]?.data).toContain(`"structuredContent":{"nonce":"${mark}.1","값":"한글"}`)
    // The SDKs lose progress that comes in one read with the answer, as it does on a pipe: the record knows better.
    const [tool, times = 0] = PROGRESS[server] ?? ['echo']
    await client.call(tool, { nonce: `${mark}.2` }, () => {})
    const second = () => recorder.exchanges(mark).backend[1]
    await recorder.when(() => second()?.endedAt !== undefined, 2000)
    expect(second()?.events).toHaveLength(times + 1)
    await client.close()
  })
})
