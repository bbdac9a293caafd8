import { isObject, parse, stringify } from '../kit/json.ts'
import type { ServerName } from '../kit/types.ts'
import { says } from './build.ts'
import { dressedResult } from './dress.ts'
import { misfit } from './fits.ts'
import { Fault, INVALID_PARAMS, noticeText, type Request } from './rpc.ts'
import type { Data, Tool } from './script.ts'
import { announce, type Session } from './session.ts'
import { rawAt, verbatim } from './slice.ts'

/** Where a request's own messages go while it is answered. */
export interface Outlet {
  /** Opens the stream now. */
  open(): void
  /** Sends a message ahead of the answer. */
  send(message: string): void
}

/** What a request brings along besides its text. */
export interface Asked {
  readonly session: Session
  readonly outlet: Outlet
  readonly roles: readonly string[]
}

/** The server that is called. */
export interface Called {
  readonly server: ServerName
  readonly tools: readonly Tool[]
  readonly tier2: boolean
  /** Every call that runs, so that they can be ended. */
  readonly running: Set<AbortController>
}

/** Answers `tools/call`. Throws a Fault for an error, an AbortError for a call that was cancelled. */
export async function callTool(request: Request, called: Called, asked: Asked): Promise<Data> {
  const { name, arguments: args = {} } = request.params
  const { server } = called
  const { session, outlet, roles } = asked
  if (!isObject(args)) throw new Fault(INVALID_PARAMS, 'Invalid params: "arguments" is an object')
  const tool = called.tools.find(t => t.name === name)
  if (!tool) throw new Fault(INVALID_PARAMS, `Unknown tool: ${typeof name === 'string' ? name : 'no name'}`)
  const wrong = misfit(tool.lists.inputSchema, args)
  if (wrong !== undefined) {
    // Up to 2025-06-18 a protocol error; from 2025-11-25 something for the model to read and mend.
    if (session.version < '2025-11-25') throw new Fault(INVALID_PARAMS, `Invalid params: ${wrong}`)
    return dressedResult(server, says(`Invalid arguments: ${wrong}`, { isError: true }))
  }
  const finished = (result: Data) => (tool.exact ? result : dressedResult(server, result))
  if (typeof tool.answer !== 'function') return finished(tool.answer)

  const token = tokenOf(request)
  const stop = new AbortController()
  const running = { id: stringify(parse(request.id)), stop }
  session.running.add(running)
  called.running.add(stop)
  try {
    const result = await tool.answer({
      server,
      args,
      rawArgs: rawAt(request.text, ['params', 'arguments']) ?? '{}',
      version: session.version,
      session,
      roles,
      tier2: called.tier2,
      over: stop.signal,
      open: () => outlet.open(),
      progress(progress, total, message) {
        if (token !== undefined)
          outlet.send(noticeText('notifications/progress', { progressToken: token, progress, total, message }))
      },
      notify: (method, params) => outlet.send(noticeText(method, params)),
      announce: (method, params) => announce(session, noticeText(method, params)),
    })
    return finished(result)
  } finally {
    session.running.delete(running)
    called.running.delete(stop)
  }
}

/** The progress token just as it came; undefined where there is none, or it is neither text nor a number. */
function tokenOf({ text }: Request) {
  const token = rawAt(text, ['params', '_meta', 'progressToken'])
  return token !== undefined && /^["\d-]/.test(token) ? verbatim(token) : undefined
}
