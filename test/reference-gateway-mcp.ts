import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { get, getString } from '../reference-gateway/json.ts'
import { backend, header, json, type Reply, type Seen, send, type TestBackend, watch } from './reference-gateway-rig.ts'

/** What a test's MCP server answers: raw result texts by method, or a function that answers itself. */
export type Answers = Readonly<
  Record<string, string | ((body: string, response: ServerResponse, session: string) => string | undefined)>
>

export interface McpBackend extends TestBackend {
  readonly sessions: Set<string>
  /** The requests of one method. */
  of(method: string): Seen[]
  /** The GET streams that are open. */
  readonly streams: ServerResponse[]
}

const CAPABILITIES =
  '{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{}}'

/** A raw MCP server with sessions, made of texts. */
export async function mcp(answers: Answers, port = 0): Promise<McpBackend> {
  const sessions = new Set<string>()
  const streams: ServerResponse[] = []
  const one = await backend((request, response, body) => {
    if (getString(body || '{}', 'method') === 'initialize') {
      const id = randomUUID()
      sessions.add(id)
      response.setHeader('Mcp-Session-Id', id)
      const revision = get(body, 'params.protocolVersion')
      const usual = `{"protocolVersion":${revision},"capabilities":${CAPABILITIES},"serverInfo":{"name":"x","version":"1"}}`
      const own = answers['initialize']
      return json(response, result(body, (typeof own === 'function' ? own(body, response, id) : own) ?? usual))
    }
    answer(request, response, body)
  }, port)
  const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const session = request.headers['mcp-session-id'] as string
    if (!sessions.has(session)) {
      return json(response, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no session"}}', 404)
    }
    if (request.method === 'DELETE') {
      sessions.delete(session)
      return void response.writeHead(200).end()
    }
    if (request.method === 'GET') {
      streams.push(response)
      response.on('close', () => streams.splice(streams.indexOf(response), 1))
      return void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    }
    if (get(body, 'id') === undefined || get(body, 'method') === undefined) return void response.writeHead(202).end()
    const own = answers[getString(body, 'method')!]
    if (own === undefined) return json(response, failure(body, -32601, 'no such method'))
    const made = typeof own === 'function' ? own(body, response, session) : own
    if (made !== undefined) json(response, result(body, made))
  }
  const of = (method: string) => one.seen.filter(seen => getString(seen.body || '{}', 'method') === method)
  return { ...one, sessions, streams, of }
}

export const result = (request: string, text: string) => `{"jsonrpc":"2.0","id":${get(request, 'id')},"result":${text}}`

export const failure = (request: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${get(request, 'id')},"error":{"code":${code},"message":"${message}"}}`

/** A client of the aggregating endpoint. */
export interface McpClient {
  readonly session: string
  readonly hello: Reply
  post(body: string, headers?: [string, string][]): Promise<Reply>
  watch(body: string | undefined, headers?: [string, string][]): ReturnType<typeof watch>
  call(id: string, method: string, params?: string): Promise<Reply>
  end(): Promise<Reply>
}

const ACCEPT: [string, string][] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]

/** Opens a session with the aggregating endpoint. */
export async function client(
  origin: string,
  revision = '2025-06-18',
  more: [string, string][] = [],
): Promise<McpClient> {
  const url = `${origin}/all/mcp`
  const hello = await send(url, {
    headers: [...ACCEPT, ...more],
    body: `{"jsonrpc":"2.0","id":"hi","method":"initialize","params":{"protocolVersion":"${revision}","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1.0"}}}`,
  })
  const session = header(hello.headers, 'mcp-session-id') ?? ''
  const headers: [string, string][] = [
    ...ACCEPT,
    ['Mcp-Session-Id', session],
    ['MCP-Protocol-Version', revision],
    ...more,
  ]
  const post = (body: string, also: [string, string][] = []) => send(url, { headers: [...headers, ...also], body })
  if (session) await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  return {
    session,
    hello,
    post,
    watch: (body, also = []) =>
      watch(url, { headers: [...headers, ...also], ...(body === undefined ? { method: 'GET' } : { body }) }),
    call: (id, method, params = '{}') => post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`),
    end: () => send(url, { method: 'DELETE', headers }),
  }
}

/** The least whole number that a double cannot hold. */
export const big = '9007199254740993'
/** A tool as a server lists it. */
export const tool = (name: string) => `{"name":"${name}","x-new":{"n":${big}},"inputSchema":{"type":"object"}}`

/** A list in pages of one. */
const paged =
  (key: string, items: readonly string[]) =>
  (body: string): string => {
    const at = Number(JSON.parse(get(body, 'params.cursor') ?? '"0"'))
    const next = at + 1 < items.length ? `,"nextCursor":"${at + 1}"` : ''
    return `{"${key}":[${items[at] ?? ''}]${next},"_meta":{"page${at}":${at}}}`
  }

/** Opens a stream with these messages. */
export const stream = (response: ServerResponse, ...messages: string[]) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const message of messages) response.write(`id: 7\ndata: ${message}\n\n`)
  return undefined
}

/** What a server answers where the test does not care. */
export const usual: Answers = {
  'tools/list': paged('tools', [tool('echo'), tool('a_b')]),
  'prompts/list': paged('prompts', ['{"name":"p","title":"T"}']),
  'prompts/get': body => `{"messages":[],"asked":${get(body, 'params')}}`,
  'resources/list': paged('resources', ['{"uri":"crm://customers","name":"c"}', '{"uri":"memo:own","name":"m"}']),
  'resources/templates/list': paged('resourceTemplates', ['{"uriTemplate":"crm://customers/{id}","name":"t"}']),
  'resources/read': body => `{"contents":[{"uri":${get(body, 'params.uri')},"text":"t"}]}`,
  'resources/subscribe': '{}',
  'completion/complete': body => `{"completion":{"values":[]},"asked":${get(body, 'params')}}`,
  'logging/setLevel': '{}',
  'tools/call': body => `{"content":[],"asked":${get(body, 'params')},"upstream":${get(body, 'id')}}`,
}

/** The items of a list, out of the response. */
export const items = (text: string, key: string) =>
  JSON.parse(text).result[key] as { name: string; uri?: string; uriTemplate?: string }[]
