import type { IncomingMessage, RequestListener } from 'node:http'
import { checkOf, findMark } from '../kit/recorder.ts'
import type { Pairs, ServerName, Sink, Stage } from '../kit/types.ts'
import { play } from './acts.ts'
import { HttpReply, type WholeReply } from './reply.ts'

/** The largest request that is taken, in bytes. */
const BODY_LIMIT = 33_554_432
/** How many sessions are remembered for the marks of requests that carry none. */
const SESSIONS_KEPT = 5000

/** A request that has come in whole. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers: Pairs
  readonly body: Buffer
  /** The value of a field; several are joined by a comma, undefined where there is none. */
  field(name: string): string | undefined
}

/** What the tap stands in front of, and whom it tells. */
export interface TapOptions {
  readonly server: ServerName
  readonly sink: Sink
  readonly stage: Stage
  /** Fires when the server stops. */
  readonly over: AbortSignal
  /** The server behind the tap. */
  readonly answer: (request: HttpRequest, reply: WholeReply) => Promise<void>
}

/** The recording front of an HTTP server: writes down what comes and goes, and plays what the kit has put up. */
export function tap({ server, sink, stage, over, answer }: TapOptions): RequestListener {
  const checks = new Map<string, string>()
  const remember = (id: string, check: string) => {
    checks.set(id, check)
    if (checks.size > SESSIONS_KEPT) checks.delete(checks.keys().next().value!)
  }

  return async (req, res) => {
    const { body, trouble } = await bodyOf(req)
    const request = requestOf(req, body)
    const own = markIn(request)
    const session = request.field('mcp-session-id')
    const nonce = own ?? (session === undefined ? undefined : checks.get(session)) ?? ''
    const { method, path, headers } = request
    const writer = sink.open({
      side: 'backend',
      transport: 'http',
      server,
      nonce,
      request: { method, path, headers, body },
    })
    const reply = new HttpReply(res, writer, sent => {
      const issued = sent.find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1]
      if (issued !== undefined && nonce !== '') remember(issued, checkOf(nonce))
    })
    if (trouble !== undefined) {
      writer.fail(trouble)
      req.destroy()
      return
    }
    const usual = () => answer(request, reply)
    // A GET carries no mark of its own: acts for it are put up under the check's.
    try {
      const acts = own !== undefined || method === 'GET' ? await stage.acts(nonce) : undefined
      if (acts) await play(acts, { reply, stage, nonce, request: body.toString('utf8'), over, usual })
      else await usual()
    } catch (e) {
      writer.fail(`the mock server failed: ${e}`)
      res.destroy()
    }
  }
}

async function bodyOf(req: IncomingMessage): Promise<{ body: Buffer; trouble?: string }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > BODY_LIMIT)
        return { body: Buffer.concat(chunks), trouble: `the request is larger than ${BODY_LIMIT} bytes` }
    }
    return { body: Buffer.concat(chunks) }
  } catch {
    return { body: Buffer.concat(chunks), trouble: 'the peer hung up before its request was whole' }
  }
}

function requestOf(req: IncomingMessage, body: Buffer): HttpRequest {
  const headers: [string, string][] = []
  for (let i = 0; i < req.rawHeaders.length; i += 2) headers.push([req.rawHeaders[i]!, req.rawHeaders[i + 1]!])
  return {
    method: req.method ?? '',
    path: req.url ?? '',
    headers,
    body,
    field(name) {
      const values = headers.filter(([n]) => n.toLowerCase() === name).map(([, value]) => value)
      return values.length ? values.join(', ') : undefined
    },
  }
}

/** The mark that a request carries: in its body, else its header values, else its URL; one of an exchange goes first. */
function markIn({ body, headers, path }: HttpRequest): string | undefined {
  const places = [body.toString('latin1'), headers.map(([, value]) => value).join('\n'), path]
  const marks = places.map(findMark).filter(mark => mark !== undefined)
  return marks.find(mark => mark.includes('.')) ?? marks[0]
}
