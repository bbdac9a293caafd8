import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../kit/json.ts'
import { stringify } from '../kit/json.ts'
import type { ServerName } from '../kit/types.ts'
import { offers } from '../mock-servers/offers.ts'

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: Params }
type Params = {
  readonly name?: string
  readonly arguments?: Args
  readonly protocolVersion?: string
  readonly _meta?: Meta
}
type Args = { readonly bytes?: number; readonly to?: number }
type Meta = { readonly progressToken?: unknown }

const LINE = 'abcdefghijklmnopqrstuvwxyz 0123456789\\n'
const READ = 61_440

/** The answers of one server, made once: what is left to do for a call is to put its id in. */
export class Answers {
  private readonly name: ServerName
  private readonly lists: ReadonlyMap<string, string>
  private readonly texts = new Map<number, string>()
  private sessions = 0

  constructor(name: ServerName) {
    this.name = name
    const list = (method: string, member: string, entries: readonly JsonObject[]) =>
      [method, stringify({ [member]: entries })] as const
    this.lists = new Map([
      list('tools/list', 'tools', offers(name, 'tools')),
      list('resources/list', 'resources', offers(name, 'resources')),
      list('resources/templates/list', 'resourceTemplates', offers(name, 'resources/templates')),
      list('prompts/list', 'prompts', offers(name, 'prompts')),
    ])
  }

  /** Answers one message, or a batch of them as one whole. */
  answer(body: Buffer, response: ServerResponse): void {
    let message: Message
    try {
      message = JSON.parse(body.toString('utf8')) as Message
    } catch {
      response.writeHead(400, { 'Content-Length': 0 }).end()
      return
    }
    const { id, method = '', params = {} } = message
    if (id === undefined) response.writeHead(202, { 'Content-Length': 0 }).end()
    else if (method === 'initialize') this.json(response, id, this.hello(params), `bench-${++this.sessions}`)
    else if (params.name?.endsWith('count')) this.stream(response, id, params)
    else this.json(response, id, this.result(method, params))
  }

  private hello({ protocolVersion = '2025-11-25' }: Params): string {
    const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {}, logging: {} }
    return JSON.stringify({
      protocolVersion,
      capabilities,
      serverInfo: { name: `${this.name}-service`, version: '1.0.0' },
    })
  }

  private result(method: string, params: Params): string {
    const list = this.lists.get(method)
    if (list !== undefined) return list
    if (method === 'resources/read') return `{"contents":[{"uri":"crm://customers/large","text":"${this.text(READ)}"}]}`
    if (method !== 'tools/call') return '{}'
    const { bytes } = params.arguments ?? {}
    if (bytes !== undefined) return `{"content":[{"type":"text","text":"${this.text(bytes)}"}],"isError":false}`
    const args = JSON.stringify(params.arguments ?? {})
    return `{"content":[{"type":"text","text":${JSON.stringify(args)}}],"structuredContent":${args},"isError":false}`
  }

  private json(response: ServerResponse, id: number | string, result: string, session?: string): void {
    const text = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': text.length,
        ...(session && { 'Mcp-Session-Id': session }),
      })
      .end(text)
  }

  /** Each event is written by itself, the next one when the one before has left. */
  private stream(
    response: ServerResponse,
    id: number | string,
    { arguments: { to = 5 } = {}, _meta = {} }: Params,
  ): void {
    const event = (message: unknown) => `event: message\ndata: ${JSON.stringify(message)}\n\n`
    const token = _meta.progressToken
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    const next = (i: number): void => {
      if (i > to) {
        const result = { content: [{ type: 'text', text: `counted to ${to}` }], isError: false }
        response.end(event({ jsonrpc: '2.0', id, result }))
        return
      }
      const params = { progressToken: token, progress: i, total: to }
      response.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }), () =>
        setImmediate(next, i + 1),
      )
    }
    next(1)
  }

  /** The inside of a JSON string of so many bytes, made once for each size. */
  private text(bytes: number): string {
    const known = this.texts.get(bytes)
    if (known !== undefined) return known
    const made = LINE.repeat(Math.floor(bytes / LINE.length)) + '.'.repeat(bytes % LINE.length)
    this.texts.set(bytes, made)
    return made
  }
}
