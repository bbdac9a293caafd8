import type { Pool } from 'undici'
import { get, getString, values } from '../json.ts'
import type { Backend, Fields, Gateway } from '../types.ts'
import { type Asked, ask, sessionIn, Unasked } from './ask.ts'

const REVISION = '2025-06-18'

/** More pages than any list has: a server that gives cursor after cursor would never come to an end. */
const MOST_PAGES = 1000

/** The tools of a server, raw, over all pages: in a session of the gateway's own. Rejects with Unasked. */
export async function listTools(gateway: Gateway, backend: Backend, signal: AbortSignal): Promise<string[]> {
  const client = new Client(gateway, backend, signal)
  try {
    const hello = await client.request('initialize', INITIALIZE)
    if (get(hello, 'capabilities.tools') === undefined) return []
    await client.notify('notifications/initialized')
    return await client.pages()
  } finally {
    client.bye()
  }
}

const INITIALIZE = `{"protocolVersion":"${REVISION}","capabilities":{},"clientInfo":{"name":"mcp-reference-gateway","version":"1"}}`

/** The gateway as a client of one server, for one listing. */
class Client {
  private readonly pool: Pool
  private readonly backend: Backend
  private readonly signal: AbortSignal
  private readonly fields: Fields
  private lastId = 0

  constructor(gateway: Gateway, backend: Backend, signal: AbortSignal) {
    const { auth } = gateway.settings
    const token = auth?.upstream?.[backend.name]
    this.pool = gateway.routes.pool(backend)
    this.backend = backend
    this.signal = signal
    this.fields = token === undefined ? [] : [['Authorization', `Bearer ${token}`]]
  }

  /** The result, raw. */
  async request(method: string, params: string): Promise<string> {
    const id = String(++this.lastId)
    const answer = await this.post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`, id)
    const result = get(answer.message, 'result')
    if (result === undefined)
      throw new Unasked(`refuses ${method}: ${getString(answer.message, 'error.message') ?? ''}`)
    if (method === 'initialize') this.begin(answer, getString(result, 'protocolVersion') ?? REVISION)
    return result
  }

  async notify(method: string): Promise<void> {
    await this.post(`{"jsonrpc":"2.0","method":"${method}"}`, undefined)
  }

  /** All pages of the list of tools. */
  async pages(): Promise<string[]> {
    const tools: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = await this.request('tools/list', cursor === undefined ? '{}' : `{"cursor":${cursor}}`)
      tools.push(...values(get(result, 'tools') ?? '[]'))
      const next = get(result, 'nextCursor') ?? 'null'
      if (next === 'null' || next === cursor) return tools
      cursor = next
    }
    throw new Unasked('lists without end')
  }

  /** Ends the session; nobody waits for that. */
  bye(): void {
    if (!this.fields.some(([name]) => name === 'Mcp-Session-Id')) return
    const { path } = this.backend
    const end = { method: 'DELETE' as const, path, fields: this.fields }
    ask(this.pool, end, undefined, AbortSignal.timeout(1000)).catch(() => {})
  }

  private begin(answer: Asked, revision: string): void {
    const session = sessionIn(answer)
    if (session !== undefined) this.fields.push(['Mcp-Session-Id', session])
    this.fields.push(['MCP-Protocol-Version', revision])
  }

  private post(body: string, id: string | undefined): Promise<Asked> {
    const fields: Fields = [
      ...this.fields,
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ]
    return ask(this.pool, { method: 'POST', path: this.backend.path, fields, body }, id, this.signal)
  }
}
