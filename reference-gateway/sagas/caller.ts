import type { OwnCall } from '../audit/own.ts'
import { ask, sessionIn } from '../collect/ask.ts'
import { get, getString } from '../json.ts'
import { noteCall } from '../parts/audit.ts'
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
  /** The id of the workflow. */
  private readonly saga: string
  private readonly authorization: string | undefined
  private readonly sessions = new Map<string, Fields>()
  private readonly over: AbortSignal
  private lastId = 0

  /** `authorization`: the whole value of the field; the gateway's own token for each server where it is not given. */
  constructor(gateway: Gateway, saga: string, authorization: string | undefined, over: AbortSignal) {
    this.gateway = gateway
    this.saga = saga
    this.authorization = authorization
    this.over = over
  }

  /**
   * Calls a tool, and has that written down. A session that the server has forgotten is opened anew, once: such a call was
   * not run.
   */
  async call(action: Action, traceId: string, key: string, ms: number): Promise<Answered> {
    const { routes } = this.gateway
    const backend = routes.named(action.backend) ?? routes.service(action.backend)
    if (!backend) return { error: JSON.stringify({ message: `There is no server ${JSON.stringify(action.backend)}.` }) }
    const startedAt = Date.now()
    const began = performance.now()
    const note = (status: number | null, answer?: Answered) => {
      noteCall(this.gateway, {
        userId: `saga:${this.saga}`,
        service: backend.service,
        tool: action.tool,
        arguments: action.arguments,
        startedAt,
        executionTimeMs: performance.now() - began,
        responseStatus: status,
        ...outcomeOf(answer),
      })
    }
    try {
      const { status, ...answer } = await this.ask(backend, action, traceId, key, ms)
      note(status, answer)
      return answer
    } catch (cause) {
      note(null)
      throw cause
    }
  }

  private async ask(backend: Backend, action: Action, traceId: string, key: string, ms: number) {
    const signal = either(this.over, AbortSignal.timeout(ms))
    const meta = JSON.stringify({ traceId, [KEY]: key })
    const params = `{"name":${JSON.stringify(action.tool)},"arguments":${action.arguments},"_meta":${meta}}`
    const known = this.sessions.get(backend.name)
    const fields = known ?? (await this.open(backend, signal))
    const answer = await this.request(backend, fields, 'tools/call', params, signal)
    if (answer.status === 404 && known) {
      const anew = await this.open(backend, signal)
      const again = await this.request(backend, anew, 'tools/call', params, signal)
      return { status: again.status, ...answered(again.message) }
    }
    return { status: answer.status, ...answered(answer.message) }
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

/** How the record names what came. */
function outcomeOf(answer: Answered | undefined): Pick<OwnCall, 'outcome' | 'errorCode'> {
  if (!answer) return { outcome: 'none', errorCode: null }
  if (answer.error !== undefined) {
    const code = Number(get(answer.error, 'code'))
    return { outcome: 'error', errorCode: Number.isInteger(code) ? code : null }
  }
  const failed = get(answer.result ?? '{}', 'isError') === 'true'
  return { outcome: failed ? 'tool-error' : 'result', errorCode: null }
}

/** Fires when one of the two does. */
function either(a: AbortSignal, b: AbortSignal): AbortSignal {
  // It came with Node 20.3.
  if ('any' in AbortSignal) return AbortSignal.any([a, b])
  const both = new AbortController()
  for (const signal of [a, b]) {
    if (signal.aborted) both.abort(signal.reason)
    else signal.addEventListener('abort', () => both.abort(signal.reason), { once: true })
  }
  return both.signal
}

function answered(message: string): Answered {
  const result = get(message, 'result')
  return result === undefined ? { error: get(message, 'error') ?? '{}' } : { result }
}
