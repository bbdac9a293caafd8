import { ask, sessionIn } from '../collect/ask.ts'
import { get, getString } from '../json.ts'
import type { Backend, Fields, Gateway } from '../types.ts'
import type { Action } from './plan.ts'

/** What became of a call: its result or error, raw. Where no answer came, the call rejects with an Error that says why. */
export interface Answered {
  readonly result?: string
  readonly error?: string
}

/** What goes into `params._meta` beside the trace. */
const KEY = 'syncseries/idempotencyKey'
const REVISION = '2025-06-18'
const INITIALIZE = `{"protocolVersion":"${REVISION}","capabilities":{},"clientInfo":{"name":"mcp-reference-gateway","version":"1"}}`

/** Calls tools for one workflow, in sessions of its own: one with each server, opened when it is needed. */
export class Caller {
  private readonly gateway: Gateway
  private readonly authorization: string | undefined
  private readonly sessions = new Map<string, Fields>()
  private readonly over: AbortSignal
  private lastId = 0

  /** `authorization`: the whole value of the field; the gateway's own token for each server where it is not given. */
  constructor(gateway: Gateway, authorization: string | undefined, over: AbortSignal) {
    this.gateway = gateway
    this.authorization = authorization
    this.over = over
  }

  /** Calls a tool. A session that the server has forgotten is opened anew, once: such a call was not run. */
  async call(action: Action, traceId: string, key: string, ms: number): Promise<Answered> {
    const { routes } = this.gateway
    const backend = routes.named(action.backend) ?? routes.service(action.backend)
    if (!backend) return { error: JSON.stringify({ message: `There is no server ${JSON.stringify(action.backend)}.` }) }
    const signal = AbortSignal.any([this.over, AbortSignal.timeout(ms)])
    const meta = JSON.stringify({ traceId, [KEY]: key })
    const params = `{"name":${JSON.stringify(action.tool)},"arguments":${action.arguments},"_meta":${meta}}`
    const known = this.sessions.get(backend.name)
    const fields = known ?? (await this.open(backend, signal))
    const answer = await this.request(backend, fields, 'tools/call', params, signal)
    if (answer.status === 404 && known) {
      const anew = await this.open(backend, signal)
      return answered((await this.request(backend, anew, 'tools/call', params, signal)).message)
    }
    return answered(answer.message)
  }

  /** Ends its sessions; nobody waits for that. */
  bye(): void {
    for (const [name, fields] of this.sessions) {
      const backend = this.gateway.routes.named(name)
      if (!backend || !fields.some(([field]) => field === 'Mcp-Session-Id')) continue
      const end = { method: 'DELETE' as const, path: backend.path, fields }
      ask(this.gateway.routes.pool(backend), end, undefined, AbortSignal.timeout(1000)).catch(() => {})
    }
    this.sessions.clear()
  }

  private async open(backend: Backend, signal: AbortSignal): Promise<Fields> {
    const own = this.gateway.settings.auth?.upstream?.[backend.name]
    const authorization = this.authorization ?? (own === undefined ? undefined : `Bearer ${own}`)
    const fields: Fields = authorization === undefined ? [] : [['Authorization', authorization]]
    const answer = await this.request(backend, fields, 'initialize', INITIALIZE, signal)
    const revision = getString(answer.message, 'result.protocolVersion')
    if (revision === undefined) throw new Error(`The server ${JSON.stringify(backend.name)} opened no session.`)
    const session = sessionIn(answer)
    if (session !== undefined) fields.push(['Mcp-Session-Id', session])
    fields.push(['MCP-Protocol-Version', revision])
    await this.post(backend, fields, '{"jsonrpc":"2.0","method":"notifications/initialized"}', undefined, signal)
    this.sessions.set(backend.name, fields)
    return fields
  }

  private request(backend: Backend, fields: Fields, method: string, params: string, signal: AbortSignal) {
    const id = String(++this.lastId)
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
    return this.post(backend, fields, body, id, signal)
  }

  private async post(backend: Backend, own: Fields, body: string, id: string | undefined, signal: AbortSignal) {
    const fields: Fields = [
      ...own,
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ]
    const pool = this.gateway.routes.pool(backend)
    try {
      return await ask(pool, { method: 'POST', path: backend.path, fields, body }, id, signal)
    } catch (cause) {
      throw new Error(`The server ${JSON.stringify(backend.name)} ${(cause as Error).message}.`, { cause })
    }
  }
}

function answered(message: string): Answered {
  const result = get(message, 'result')
  return result === undefined ? { error: get(message, 'error') ?? '{}' } : { result }
}
