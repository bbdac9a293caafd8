import { type Json, tryParse } from '../kit/json.ts'
import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { Exchange, ServerName } from '../kit/types.ts'
import { type StartOptions, startServers } from '../mock-servers/index.ts'

/** A mark of its own for each test, so that tests share servers. */
let count = 0
export const newMark = (): string => `mcpc-${(++count).toString(16).padStart(10, '0')}`

/** Servers with a recorder and a stage around them. */
export async function startRig(options: Partial<StartOptions> = {}) {
  const recorder = createRecorder()
  const stage = createStage(recorder, 200)
  const servers = await startServers({ sink: recorder, stage, ...options })
  return {
    recorder,
    stage,
    servers,
    url: (name: ServerName = 'crm') => servers.url(name)!,
    /** What the tap wrote down of a check, as soon as `test` holds of the last of it. */
    async seen(mark: string, test: (e: Exchange) => boolean = e => e.endedAt !== undefined): Promise<Exchange> {
      const last = () => recorder.exchanges(mark).backend.at(-1)
      await recorder.when(() => last() !== undefined && test(last()!), 2000)
      return last()!
    },
  }
}

export const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

export const INITIALIZE = (protocolVersion = '2025-11-25', more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' }, ...more },
})

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The messages of a stream, or the one document; lossless. What is no JSON is left out. */
  readonly messages: Json[]
}

/** Posts text as it stands, or a value as JSON. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const documents = stream
    ? text
        .split('\n\n')
        .filter(Boolean)
        .map(e => e.replace(/^event: message\n/, '').replaceAll(/^data: /gm, ''))
    : [text].filter(t => t.startsWith('{') || t.startsWith('['))
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages: documents.map(tryParse).filter(m => m !== undefined),
  }
}

/** Opens a session and gives a function that calls methods in it. */
export async function open(url: string, version = '2025-11-25', more: object = {}) {
  const { headers, messages } = await post(url, INITIALIZE(version, more))
  const session = headers.get('mcp-session-id') ?? ''
  const fields: Record<string, string> = {
    ...(session && { 'Mcp-Session-Id': session }),
    'MCP-Protocol-Version': version,
  }
  let id = 1
  return {
    session,
    fields,
    initialize: messages[0],
    send: (body: unknown, headers: Record<string, string> = {}) => post(url, body, { ...fields, ...headers }),
    request: (method: string, params: object = {}) => post(url, { jsonrpc: '2.0', id: ++id, method, params }, fields),
    /** Calls a tool. */
    call: (name: string, args: object = {}, meta?: object) =>
      post(
        url,
        {
          jsonrpc: '2.0',
          id: ++id,
          method: 'tools/call',
          params: { name, arguments: args, ...(meta && { _meta: meta }) },
        },
        fields,
      ),
  }
}

/** The plain value of the result, for comparisons without large numbers. */
export const result = async (answer: Promise<{ text: string }>) => JSON.parse((await answer).text).result

/** The plain value of the error. */
export const error = async (answer: Promise<{ text: string }>) => JSON.parse((await answer).text).error
