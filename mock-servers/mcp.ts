import { isObject, type JsonObject, stringify } from '../kit/json.ts'
import type { ServerName } from '../kit/types.ts'
import { type Asked, callTool } from './call.ts'
import { META, UNKNOWN } from './dress.ts'
import { Once } from './once.ts'
import { answerText, errorText, Fault, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type Request } from './rpc.ts'
import type { Data, Script } from './script.ts'
import { LEVELS, negotiate, newSession, type Session } from './session.ts'
import { Shelf } from './shelf.ts'

type Method = (request: Request, asked: Asked) => Data | Promise<Data>

const CAPABILITIES = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true, 'x-mock': UNKNOWN },
  tools: { listChanged: true },
  experimental: { 'com.example.mock/한글': { level: 1, 'x-mock': UNKNOWN } },
  'x-mock': UNKNOWN,
}

/** One MCP server, whatever carries its messages. */
export class McpServer {
  readonly server: ServerName
  readonly #script: Script
  readonly #methods: Readonly<Record<string, Method>>
  readonly #running = new Set<AbortController>()
  readonly #once = new Once<Data>()

  constructor(script: Script, { tier2 = false }: { readonly tier2?: boolean } = {}) {
    const { server } = script
    const shelf = new Shelf(script)
    this.server = server
    this.#script = script
    this.#methods = {
      ping: () => ({}),
      'tools/list': ({ params }, { session }) => shelf.listTools(session, params),
      'tools/call': (request, asked) =>
        this.#once.run(request, () =>
          callTool(request, { server, tools: shelf.tools(asked.session), tier2, running: this.#running }, asked),
        ),
      'resources/list': ({ params }, { session }) => shelf.listResources(session, params),
      'resources/templates/list': ({ params }) => shelf.listTemplates(params),
      'resources/read': ({ params }, { session }) => shelf.read(session, uriIn(params)),
      'resources/subscribe': ({ params }, { session }) => {
        const uri = uriIn(params)
        // Throws where there is no such resource.
        shelf.read(session, uri)
        session.subscriptions.add(uri)
        return {}
      },
      'resources/unsubscribe': ({ params }, { session }) => {
        session.subscriptions.delete(uriIn(params))
        return {}
      },
      'prompts/list': ({ params }, { session }) => shelf.listPrompts(session, params),
      'prompts/get': ({ params }, { session }) => shelf.prompt(session, params),
      'completion/complete': ({ params }, { session }) => shelf.complete(session, params),
      'logging/setLevel': ({ params: { level } }, { session }) => {
        if (typeof level !== 'string' || !LEVELS.includes(level)) {
          throw new Fault(INVALID_PARAMS, 'Invalid params: "level" is no log level')
        }
        session.level = level
        return {}
      },
    }
  }

  /** Answers `initialize`: with a new session, or with an error where the client leaves out what is required. */
  initialize({ id: requestId, params }: Request, id: string | undefined): { session?: Session; text: string } {
    const { protocolVersion, capabilities, clientInfo } = params
    if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isObject(clientInfo)) {
      const why = 'Invalid params: "protocolVersion", "capabilities" and "clientInfo" are required'
      return { text: errorText(requestId, new Fault(INVALID_PARAMS, why)) }
    }
    const session = newSession(id, negotiate(protocolVersion), clientInfo, capabilities)
    const { serverInfo, instructions } = this.#script
    const result = { protocolVersion: session.version, capabilities: CAPABILITIES, serverInfo, instructions }
    return { session, text: answerText(requestId, { ...result, _meta: META, 'x-mock': UNKNOWN }) }
  }

  /** The text of the answer; undefined where the request was cancelled and gets none. */
  async answer(request: Request, asked: Asked): Promise<string | undefined> {
    const method = Object.hasOwn(this.#methods, request.method) ? this.#methods[request.method] : undefined
    try {
      if (!method) throw new Fault(METHOD_NOT_FOUND, `Method not found: ${request.method}`)
      return answerText(request.id, await method(request, asked))
    } catch (e) {
      if (e instanceof Fault) return errorText(request.id, e)
      if (e instanceof Error && e.name === 'AbortError') return undefined
      return errorText(request.id, new Fault(INTERNAL_ERROR, `Internal error: ${e}`))
    }
  }

  /** Takes note of a notification. */
  heed(method: string, params: JsonObject, session: Session): void {
    if (method === 'notifications/initialized') session.initialized = true
    if (method !== 'notifications/cancelled') return
    const id = stringify(params['requestId'] ?? null)
    for (const call of session.running) {
      if (call.id !== id) continue
      session.cancelled.push(id)
      call.stop.abort()
    }
  }

  /** Ends every call that runs: none of them is answered. */
  stop(): void {
    for (const call of this.#running) call.abort()
  }
}

function uriIn({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw new Fault(INVALID_PARAMS, 'Invalid params: "uri" is a string')
  return uri
}
