import type { Socket } from 'node:net'
import { now } from '../../kit/recorder.ts'
import type { Exchange, ExchangeInit, Pairs, Servers, Sink, Stage, Writer } from '../../kit/types.ts'
import { type Lines, lines } from './lines.ts'
import { type Down, hello, isHello, type Up } from './messages.ts'

/** Calls the kit; gives nothing where nobody is there. */
export type Dial = () => Promise<Socket | undefined>

/** How a kit has a server stopped and started. */
export type Control = Pick<Servers, 'start' | 'stop'>

type Answer = Extract<Down, { q: number }>

interface Peer {
  readonly link: Lines
  readonly questions: Map<number, (answer: Answer) => void>
}

/**
 * The servers' end of links, to any number of kits: tells each of them all, and asks them what to do. Where a way to call
 * the kit is given, it is called anew whenever there is something to tell and nobody listens. Without a kit the servers just serve.
 */
export class MocksEnd {
  readonly #peers = new Set<Peer>()
  readonly #dial: Dial | undefined
  #calling: Promise<void> | undefined
  #waiting: Up[] = []
  #exchanges = 0
  #questions = 0
  #closed = false
  #control: Control | undefined

  constructor(dial?: Dial) {
    this.#dial = dial
  }

  get connected(): number {
    return this.#peers.size
  }

  readonly sink: Sink = { open: init => this.#open(init) }

  readonly stage: Stage = {
    acts: async nonce =>
      (
        await this.#ask(
          q => ({ ask: 'acts', q, nonce }),
          a => a.acts !== undefined,
        )
      )?.acts,
    seen: async (nonce, events) =>
      (
        await this.#ask(
          q => ({ ask: 'seen', q, nonce, events }),
          a => a.seen === true,
        )
      )?.seen ?? false,
  }

  /** Lets kits stop and start these servers. */
  obeys(control: Control): void {
    this.#control = control
  }

  /** Takes a kit in; resolves once it has said what it is, or has gone. */
  attach(socket: Socket): Promise<void> {
    return new Promise(resolve => {
      const questions: Peer['questions'] = new Map()
      let greeted = false
      const link = lines(
        socket,
        value => {
          if (greeted) {
            const down = value as Down
            if ('order' in down) return void this.#obey(link, down)
            questions.get(down.q)?.(down)
            questions.delete(down.q)
          } else if (isHello(value, 'kit')) {
            greeted = true
            this.#peers.add(peer)
            link.send({ tell: 'ready' } satisfies Up)
            resolve()
          } else socket.destroy()
        },
        () => {
          this.#peers.delete(peer)
          for (const [q, answer] of questions) answer({ q })
          questions.clear()
          resolve()
        },
      )
      const peer: Peer = { link, questions }
      link.send(hello('mocks'))
    })
  }

  /** Calls the kit, where it can be called and nobody listens yet. */
  async call(): Promise<void> {
    if (!this.#dial || this.#peers.size > 0 || this.#closed) return
    this.#calling ??= this.#connect(this.#dial)
    await this.#calling
  }

  async close(): Promise<void> {
    await this.#calling
    this.#closed = true
    await Promise.all([...this.#peers].map(({ link }) => link.close()))
  }

  async #connect(dial: Dial): Promise<void> {
    const socket = await dial()
    if (socket) await this.attach(socket)
    // A server on stdio ends when its input does, whether a kit listens or not.
    socket?.unref()
    this.#calling = undefined
    const waiting = this.#waiting
    this.#waiting = []
    for (const message of waiting) this.#tell(message)
  }

  async #obey(link: Lines, { order, do: what, server }: Extract<Down, { order: number }>): Promise<void> {
    let failed: string | undefined
    try {
      if (what !== 'sync') {
        if (!this.#control || !server) throw new Error('this mock server can not be stopped: it is on stdio')
        await this.#control[what](server)
      }
    } catch (error) {
      failed = (error as Error).message
    }
    link.send({ done: order, ...(failed !== undefined && { failed }) } satisfies Up)
  }

  #tell(message: Up): void {
    if (this.#calling) this.#waiting.push(message)
    else for (const { link } of this.#peers) link.send(message)
  }

  /** Asks every kit; the first answer that says something counts. */
  async #ask(question: (q: number) => Up, says: (answer: Answer) => boolean): Promise<Answer | undefined> {
    await this.call()
    const asked = [...this.#peers].map(
      ({ link, questions }) =>
        new Promise<Answer>((resolve, reject) => {
          const q = ++this.#questions
          questions.set(q, answer => (says(answer) ? resolve(answer) : reject()))
          link.send(question(q))
        }),
    )
    return Promise.any(asked).catch(() => undefined)
  }

  #open({ request, ...init }: ExchangeInit): Writer {
    void this.call()
    const n = ++this.#exchanges
    const body = Buffer.from(request.body).toString('base64')
    this.#tell({ tell: 'open', n, at: now(), init, request: { ...request, body } })
    return new Teller(n, init, request, message => this.#tell(message))
  }
}

/** Tells of one exchange. What is told is not kept. */
class Teller implements Writer {
  readonly exchange: Exchange
  readonly #n: number
  readonly #tell: (message: Up) => void

  constructor(
    n: number,
    init: Omit<ExchangeInit, 'request'>,
    { method, path, headers, body }: ExchangeInit['request'],
    tell: (message: Up) => void,
  ) {
    this.#n = n
    this.#tell = tell
    this.exchange = { ...init, at: now(), request: { method, path, headers, body: '', size: body.length }, events: [] }
  }

  head(status: number, headers: Pairs): void {
    this.#tell({ tell: 'head', n: this.#n, at: now(), status, headers })
  }
  chunk(bytes: Uint8Array): void {
    this.#tell({ tell: 'chunk', n: this.#n, at: now(), base64: Buffer.from(bytes).toString('base64') })
  }
  message(text: string): void {
    this.#tell({ tell: 'message', n: this.#n, at: now(), text })
  }
  fail(reason: string): void {
    this.#tell({ tell: 'fail', n: this.#n, reason })
  }
  end(): void {
    this.#tell({ tell: 'end', n: this.#n, at: now() })
  }
  gone(): void {
    this.#tell({ tell: 'gone', n: this.#n, at: now() })
  }
  held(events: number): void {
    this.#tell({ tell: 'held', n: this.#n, events })
  }
}
