import { setMaxListeners } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { parse } from '../kit/json.ts'
import { checkOf, findMark } from '../kit/recorder.ts'
import type { ServerName, Sink, Stage, Writer } from '../kit/types.ts'
import { play } from './acts.ts'
import { McpServer } from './mcp.ts'
import { answerText, classify, errorText, Fault, INVALID_REQUEST, type Incoming, PARSE_ERROR } from './rpc.ts'
import { SCRIPTS } from './scripts.ts'
import type { Session } from './session.ts'
import { rawAt } from './slice.ts'
import { StdioReply } from './stdio-reply.ts'

/** What serves, and over which streams. */
export interface StdioOptions {
  readonly server: ServerName
  readonly input: Readable
  readonly output: Writable
  readonly sink: Sink
  readonly stage: Stage
  /** `approve_refund` asks for a role, which nobody has on stdio. */
  readonly tier2?: boolean
}

/** Serves one MCP server over stdio: a message a line, both ways. `done` resolves when the input has ended. */
export function serveStdio(options: StdioOptions): { readonly done: Promise<void>; close(): void } {
  const { input } = options
  const line = new StdioServer(options)
  let rest = Buffer.alloc(0)
  input.on('data', (chunk: Buffer | string) => {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const bytes = rest.subarray(0, rest[end - 1] === 13 ? end - 1 : end)
      if (bytes.length > 0) void line.take(bytes)
      rest = rest.subarray(end + 1)
    }
  })
  const done = new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.on(event, () => resolve())
  }).then(() => line.close())
  return { done, close: () => void input.destroy() }
}

class StdioServer {
  readonly #options: StdioOptions
  readonly #mcp: McpServer
  readonly #over = new AbortController()
  #session: Session | undefined
  /** The check that opened the session: messages that carry no mark are its. */
  #check = ''

  constructor(options: StdioOptions) {
    this.#options = options
    setMaxListeners(0, this.#over.signal)
    // A peer that is gone can't be told; its end of the input says the same.
    options.output.on('error', () => {})
    this.#mcp = new McpServer(SCRIPTS[options.server], options.tier2 === undefined ? {} : { tier2: options.tier2 })
  }

  close(): void {
    this.#over.abort()
    this.#mcp.stop()
  }

  async take(bytes: Buffer): Promise<void> {
    const text = bytes.toString('utf8')
    const own = findMark(text)
    const writer = this.#open(own ?? this.#check, bytes)
    const reply = new StdioReply(this.#options.output, writer, this.#over.signal)
    const usual = async () => {
      for (const answer of await this.#answers(text, own, reply)) reply.message(answer)
      reply.end()
    }
    const { stage } = this.#options
    const acts = own === undefined ? undefined : await stage.acts(own)
    if (!acts) return usual()
    return play(acts, { reply, stage, nonce: own ?? '', request: text, over: this.#over.signal, usual })
  }

  /** The messages that answer a line: none or one. */
  async #answers(text: string, mark: string | undefined, reply: StdioReply): Promise<readonly string[]> {
    const value = parsed(text)
    if (value instanceof Fault) return [errorText('null', value)]
    if (!Array.isArray(value)) return present(await this.#answer(classify(value, text), mark, reply))
    if (this.#session?.version !== '2025-03-26' || value.length === 0) {
      return [errorText('null', new Fault(INVALID_REQUEST, 'Invalid request: a line holds one message'))]
    }
    const messages = value.map((message, i) => classify(message, rawAt(text, [i]) ?? ''))
    const answers = (await Promise.all(messages.map(m => this.#answer(m, undefined, reply)))).flatMap(present)
    return answers.length ? [`[${answers.join(',')}]`] : []
  }

  async #answer(message: Incoming, mark: string | undefined, reply: StdioReply): Promise<string | undefined> {
    if (message.kind === 'response') return undefined
    if (message.kind === 'invalid') {
      return errorText(message.id, new Fault(INVALID_REQUEST, `Invalid request: ${message.why}`))
    }
    if (message.kind === 'request' && message.method === 'initialize') {
      const { session, text } = this.#mcp.initialize(message, undefined)
      if (session) {
        this.#session = session
        this.#check = checkOf(mark ?? '')
        session.outlets.add(notice => this.#announce(notice))
      }
      return text
    }
    const session = this.#session
    if (message.kind === 'notification') {
      if (session) this.#mcp.heed(message.method, message.params, session)
      return undefined
    }
    if (message.method === 'ping') return answerText(message.id, {})
    if (!session) return errorText(message.id, new Fault(INVALID_REQUEST, 'Invalid request: initialize comes first'))
    return this.#mcp.answer(message, { session, roles: [], outlet: { open() {}, send: m => reply.message(m) } })
  }

  /** Sends a message that answers nothing; it is an exchange of its own, without a request. */
  #announce(notice: string): void {
    const reply = new StdioReply(this.#options.output, this.#open(this.#check, Buffer.alloc(0)), this.#over.signal)
    reply.message(notice)
    reply.end()
  }

  #open(nonce: string, body: Buffer): Writer {
    const { sink, server } = this.#options
    return sink.open({
      side: 'backend',
      transport: 'stdio',
      server,
      nonce,
      request: { method: '', path: '', headers: [], body },
    })
  }
}

function parsed(text: string) {
  try {
    return parse(text)
  } catch (e) {
    return new Fault(PARSE_ERROR, `Parse error: ${e instanceof Error ? e.message : String(e)}`)
  }
}

const present = (answer: string | undefined): string[] => (answer === undefined ? [] : [answer])
