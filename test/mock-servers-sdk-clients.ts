import { Client as ClientV2, type StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import type { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import type { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

/** One page of a list. */
export interface Page {
  nextCursor?: string | undefined
}
interface Result {
  readonly [key: string]: unknown
}

/** What a session needs of either SDK. */
export interface Client {
  version(): string | undefined
  info(): unknown
  instructions(): string | undefined
  ping(): Promise<unknown>
  tools(cursor?: string): Promise<Page & { tools: { name: string }[] }>
  resources(cursor?: string): Promise<Page & { resources: { uri: string }[] }>
  templates(cursor?: string): Promise<Page & { resourceTemplates: { uriTemplate: string }[] }>
  prompts(
    cursor?: string,
  ): Promise<
    Page & { prompts: { name: string; arguments?: { name: string; required?: boolean | undefined }[] | undefined }[] }
  >
  call(name: string, args: object, onprogress?: (p: object) => void, signal?: AbortSignal): Promise<Result>
  read(uri: string): Promise<{ contents: unknown[] }>
  prompt(name: string, args: Record<string, string>): Promise<{ messages: unknown[] }>
  complete(name: string, argument: string, value: string): Promise<{ completion: { values: string[] } }>
  subscribe(uri: string): Promise<unknown>
  level(level: 'error'): Promise<unknown>
  onListChanged(take: () => void): void
  close(): Promise<void>
}

const OPTIONS = { capabilities: {} }

/** A client of the SDK of the session era. */
export async function connectV1(transport: HttpV1 | StdioV1): Promise<Client> {
  const client = new ClientV1({ name: 'sdk-v1', version: '1' }, OPTIONS)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    version: () => ('protocolVersion' in transport ? transport.protocolVersion : undefined),
    info: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    ping: () => client.ping(),
    tools: cursor => client.listTools({ ...(cursor && { cursor }) }),
    resources: cursor => client.listResources({ ...(cursor && { cursor }) }),
    templates: cursor => client.listResourceTemplates({ ...(cursor && { cursor }) }),
    prompts: cursor => client.listPrompts({ ...(cursor && { cursor }) }),
    call: (name, args, onprogress, signal) =>
      client.callTool({ name, arguments: { ...args } }, CallToolResultSchema, {
        ...(onprogress && { onprogress }),
        ...(signal && { signal }),
      }),
    read: uri => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (name, argument, value) =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } }),
    subscribe: uri => client.subscribeResource({ uri }),
    level: level => client.setLoggingLevel(level),
    onListChanged: take => client.setNotificationHandler(ToolListChangedNotificationSchema, take),
    async close() {
      if ('terminateSession' in transport) await transport.terminateSession()
      await client.close()
    },
  }
}

/** A client of the next SDK. */
export async function connectV2(transport: HttpV2 | StdioV2): Promise<Client> {
  const client = new ClientV2({ name: 'sdk-v2', version: '2' }, OPTIONS)
  await client.connect(transport)
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    info: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    ping: () => client.ping(),
    tools: cursor => client.listTools({ ...(cursor && { cursor }) }),
    resources: cursor => client.listResources({ ...(cursor && { cursor }) }),
    templates: cursor => client.listResourceTemplates({ ...(cursor && { cursor }) }),
    prompts: cursor => client.listPrompts({ ...(cursor && { cursor }) }),
    call: (name, args, onprogress, signal) =>
      client.callTool(
        { name, arguments: { ...args } },
        { ...(onprogress && { onprogress }), ...(signal && { signal }) },
      ),
    read: uri => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (name, argument, value) =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } }),
    subscribe: uri => client.subscribeResource({ uri }),
    level: level => client.setLoggingLevel(level),
    onListChanged: take => client.setNotificationHandler('notifications/tools/list_changed', take),
    async close() {
      if ('terminateSession' in transport) await transport.terminateSession()
      await client.close()
    },
  }
}
