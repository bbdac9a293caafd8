import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { backend, json, type Reply, send, type TestBackend } from './reference-gateway-rig.ts'

/** A call as the server of the test got it. */
export interface Called {
  readonly tool: string
  readonly arguments: string
  readonly key: string
  readonly traceId: string
  readonly authorization: string | undefined
}

/** A server that runs what has the same key once, and writes down both: what was asked for, and what ran. */
export interface SagaServer {
  readonly server: TestBackend
  readonly asked: Called[]
  readonly ran: string[]
  /** What a tool does in place of its answer; true where it has seen to it. */
  does(tool: string, how: (response: ServerResponse, id: number, called: Called) => boolean): void
  /** Resolves when this tool has been asked for so often. */
  until(tool: string, times?: number): Promise<void>
}

export async function sagaServer(): Promise<SagaServer> {
  const asked: Called[] = []
  const ran: string[] = []
  const keys = new Set<string>()
  const hows = new Map<string, Parameters<SagaServer['does']>[1]>()
  const waiting = new Set<() => void>()
  const server = await backend((request, response, body) => {
    if (request.method === 'DELETE') return void response.end()
    const { id, method, params } = JSON.parse(body)
    if (method === 'initialize') {
      response.setHeader('Mcp-Session-Id', `s-${asked.length}`)
      return json(response, `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-06-18"}}`)
    }
    if (method !== 'tools/call') return void response.writeHead(202).end()
    const called: Called = {
      tool: params.name,
      arguments: /"arguments":(.*),"_meta"/.exec(body)?.[1] ?? '',
      key: params._meta['syncseries/idempotencyKey'] ?? '',
      traceId: params._meta.traceId,
      authorization: request.headers.authorization,
    }
    asked.push(called)
    if (!keys.has(called.key)) ran.push(called.tool)
    keys.add(called.key)
    for (const look of waiting) look()
    if (hows.get(called.tool)?.(response, id, called)) return
    json(response, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)
  })
  return {
    server,
    asked,
    ran,
    does: (tool, how) => void hows.set(tool, how),
    until: (tool, times = 1) =>
      new Promise(resolve => {
        const look = () => {
          if (asked.filter(one => one.tool === tool).length < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Answers with an error. */
export const refuses = (response: ServerResponse, id: number): true => {
  json(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"nein"}}`)
  return true
}

/** Three steps a, b, c, undone by -a, -b, -c. */
export const steps = (...names: readonly string[]) =>
  names.map(name => ({ name, backend: 'crm', tool: name, arguments: {}, compensate: { tool: `-${name}` } }))

/** What the control plane says: of a workflow, of all, or a problem. */
export interface Told {
  readonly id: string
  readonly state: string
  readonly steps: readonly { readonly state: string; readonly reason: string | null }[]
  readonly sagas: readonly object[]
  readonly errors?: readonly { readonly member: string }[]
}

/** Asks a control plane with this token. */
export const asking =
  (url: string, token: string) =>
  async (method: string, path: string, body?: string | object): Promise<Reply & { readonly json: Told }> => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await send(`${url}/api/v1${path}`, {
      method,
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...(text === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      ...(text !== undefined && { body: text }),
    })
    return { ...reply, json: reply.text === '' ? undefined : JSON.parse(reply.text) }
  }

/** Asks until the workflow is in this state, bounded in time. */
export async function untilState(ask: ReturnType<typeof asking>, id: string, state: string): Promise<Told> {
  await expect
    .poll(async () => (await ask('GET', `/sagas/${id}`)).json.state, { timeout: 4000, interval: 10 })
    .toBe(state)
  return (await ask('GET', `/sagas/${id}`)).json
}
