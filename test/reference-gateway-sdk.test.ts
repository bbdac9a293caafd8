import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import { startServers } from '../mock-servers/index.ts'
import { startGateway } from '../reference-gateway/gateway.ts'

/** The gateway between the official SDKs' clients and the mock servers, in each of its modes. */

let servers: Awaited<ReturnType<typeof startServers>>
let gateway: Awaited<ReturnType<typeof startGateway>>
beforeAll(async () => {
  const recorder = createRecorder()
  servers = await startServers({ sink: recorder, stage: createStage(recorder) })
  gateway = await startGateway({
    backends: Object.fromEntries(servers.names.map(name => [name, { url: servers.url(name)! }])),
  })
})
afterAll(async () => {
  await gateway.close()
  await servers.close()
})

const modes = [
  ['path', '/crm/mcp', {}, ''],
  ['header', '/mcp', { 'Mcp-Name': 'crm-service' }, ''],
  ['aggregate', '/all/mcp', {}, 'crm_'],
] as const

describe.each(modes)('%s mode', (mode, path, headers, prefix) => {
  const url = () => new URL(path, gateway.url)
  const requestInit = { headers }

  test('the v1 client completes a session', async () => {
    const client = new ClientV1({ name: 'test', version: '1.0.0' }, { capabilities: { roots: {} } })
    const transport = new HttpV1(url(), { requestInit })
    await client.connect(transport)
    const updated = new Promise<string>(resolve => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, notice => resolve(notice.params.uri))
    })
    const names: string[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor })
      names.push(...page.tools.map(tool => tool.name))
      cursor = page.nextCursor
    }
    expect(names).toContain(`${prefix}echo`)
    if (mode === 'aggregate') expect(names).toEqual(expect.arrayContaining(['db_echo', 'syncboot_deep_research']))
    const said = await client.callTool({ name: `${prefix}echo`, arguments: { text: '안녕 🎉' } })
    expect(said.structuredContent).toEqual({ text: '안녕 🎉' })
    const read = await client.readResource({ uri: 'crm://customers' })
    expect(read.contents[0]!.uri).toBe('crm://customers')
    expect((await client.readResource({ uri: 'crm://customers/101' })).contents).toHaveLength(1)
    await expect(client.readResource({ uri: 'crm://nowhere/at/all' })).rejects.toMatchObject({ code: -32002 })
    await client.subscribeResource({ uri: 'crm://customers' })
    await client.callTool({ name: `${prefix}touch_resource`, arguments: {} })
    expect(await updated).toBe('crm://customers')
    const prompt = await client.getPrompt({ name: `${prefix}mixed_messages` })
    expect(prompt.messages.length).toBeGreaterThan(4)
    const ref = { type: 'ref/prompt', name: `${prefix}refund_letter` } as const
    const { completion } = await client.complete({ ref, argument: { name: 'language', value: 'k' } })
    expect(completion.values).toContain('ko')
    await client.setLoggingLevel('error')
    expect(await client.ping()).toEqual({})
    await transport.terminateSession()
    await client.close()
  })

  test('the v2 client completes a session', async () => {
    const client = new ClientV2({ name: 'test', version: '1.0.0' })
    const transport = new HttpV2(url(), { requestInit })
    await client.connect(transport)
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    const said = await client.callTool({ name: `${prefix}echo`, arguments: { text: 'x' } })
    expect(said.structuredContent).toEqual({ text: 'x' })
    await transport.terminateSession()
    await client.close()
  })
})

test('progress reaches the v1 client through the aggregating endpoint, all of it and in order', async () => {
  const client = new ClientV1({ name: 'test', version: '1.0.0' })
  await client.connect(new HttpV1(new URL('/all/mcp', gateway.url)))
  const seen: number[] = []
  await client.callTool({ name: 'syncboot_deep_research', arguments: { topic: 'x' } }, undefined, {
    onprogress: ({ progress }) => seen.push(progress),
  })
  expect(seen).toEqual([25, 60, 100])
  const all = (await client.listResources()).resources
  expect(all.map(one => one.uri)).toEqual(expect.arrayContaining(['crm://customers', 'db+crm://customers']))
  expect(new Set(all.map(one => one.uri)).size).toBe(all.length)
  const theirs = await client.readResource({ uri: 'db+crm://customers' })
  expect(theirs.contents[0]!.uri).toBe('db+crm://customers')
  await client.close()
})
