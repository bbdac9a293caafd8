import { Mask } from './mask.ts'
import { SseParser } from './sse.ts'
import type { Exchange, ExchangeInit, Pairs, Recorder, RequestSeen, ResponseSeen, SseEvent, Writer } from './types.ts'

const STRAYS_KEPT = 100
const MARK = /mcpc-[0-9a-f]{10}(?:\.\d+)?/

/** The part of a mark that names the check. */
export function checkOf(nonce: string): string {
  const dot = nonce.indexOf('.')
  return dot < 0 ? nonce : nonce.slice(0, dot)
}

/** The first mark in a text: one that names an exchange goes before one that names only a check. */
export function findMark(text: string): string | undefined {
  const exact = /mcpc-[0-9a-f]{10}\.\d+/.exec(text)?.[0]
  return exact ?? MARK.exec(text)?.[0]
}

/** Ms since the epoch, with fractions: comparable between the processes of one machine. */
export const now = (): number => performance.timeOrigin + performance.now()

/** Holds what both sides saw. Everything is masked on the way in. */
export function createRecorder(): Recorder {
  const mask = new Mask()
  const byCheck = new Map<string, Exchange[]>()
  const strays: Exchange[] = []
  const waiters = new Set<() => void>()
  const changed = () => {
    for (const wake of [...waiters]) wake()
  }

  return {
    now,
    secret: value => mask.add(value),
    open(init) {
      const writer = new Entry(init, mask, changed)
      if (init.nonce === '') {
        strays.push(writer.exchange)
        if (strays.length > STRAYS_KEPT) strays.shift()
      } else {
        const key = checkOf(init.nonce)
        const list = byCheck.get(key)
        if (list) list.push(writer.exchange)
        else byCheck.set(key, [writer.exchange])
      }
      changed()
      return writer
    },
    when(test, ms, signal) {
      if (test()) return Promise.resolve(true)
      if (signal?.aborted) return Promise.resolve(false)
      return new Promise(resolve => {
        const finish = (held: boolean) => {
          waiters.delete(wake)
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(held)
        }
        const wake = () => {
          if (test()) finish(true)
        }
        const giveUp = () => finish(false)
        // On a busy machine the time may be up while what is waited for is in the socket: that is read first.
        const timer = setTimeout(() => setImmediate(() => finish(test())), ms)
        signal?.addEventListener('abort', giveUp)
        waiters.add(wake)
      })
    },
    exchanges(checkNonce) {
      const all = byCheck.get(checkNonce) ?? []
      return { client: all.filter(e => e.side === 'client'), backend: all.filter(e => e.side === 'backend') }
    },
    strays: () => strays,
    forget: checkNonce => void byCheck.delete(checkNonce),
  }
}

/** Bytes that come in pieces and are read as text. */
class Body {
  readonly #mask: Mask
  #chunks: Uint8Array[] = []
  #text: string | undefined
  size = 0

  constructor(mask: Mask, bytes?: Uint8Array) {
    this.#mask = mask
    if (bytes?.length) this.push(bytes)
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.size += bytes.length
    this.#text = undefined
  }

  get text(): string {
    this.#text ??= this.#mask.text(this.#joined().toString('utf8'))
    return this.#text
  }

  get utf8(): boolean {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(this.#joined())
      return true
    } catch {
      return false
    }
  }

  #joined(): Buffer {
    const whole = this.#chunks.length === 1 ? Buffer.from(this.#chunks[0]!) : Buffer.concat(this.#chunks)
    this.#chunks = [whole]
    return whole
  }
}

type Growing = { -readonly [K in keyof Exchange]: Exchange[K] }

class Entry implements Writer {
  readonly exchange: Exchange
  readonly #grow: Growing
  readonly #mask: Mask
  readonly #changed: () => void
  readonly #body: Body
  readonly #events: SseEvent[] = []
  #sse: SseParser | undefined

  constructor(init: ExchangeInit, mask: Mask, changed: () => void) {
    this.#mask = mask
    this.#changed = changed
    this.#body = new Body(mask)
    const { side, transport, server, nonce, label, who } = init
    this.#grow = {
      side,
      transport,
      server,
      nonce,
      ...(label !== undefined && { label }),
      ...(who !== undefined && { who }),
      at: init.at ?? now(),
      request: requestView(init, mask),
      events: this.#events,
    }
    this.exchange = this.#grow
  }

  head(status: number, headers: Pairs, at = now()): void {
    const type = headers.find(([n]) => n.toLowerCase() === 'content-type')?.[1] ?? ''
    if (/^text\/event-stream\b/i.test(type)) this.#sse = new SseParser(e => this.#event(e))
    this.#grow.response = responseView(status, this.#mask.headers(headers), this.#body, at)
    this.#changed()
  }

  chunk(bytes: Uint8Array, at = now()): void {
    this.#body.push(bytes)
    this.#sse?.push(bytes, at)
    this.#changed()
  }

  message(text: string, at = now()): void {
    this.#event({ at, event: '', data: text, hasData: true, comments: [] })
    this.#changed()
  }

  fail(reason: string): void {
    this.#grow.failure ??= this.#mask.text(reason)
    this.#changed()
  }

  end(at = now()): void {
    this.#grow.endedAt ??= at
    this.#changed()
  }

  gone(at = now()): void {
    this.#grow.goneAt ??= at
    this.#changed()
  }

  held(events: number): void {
    this.#grow.held ??= events
    this.#changed()
  }

  #event(e: SseEvent): void {
    this.#events.push({ ...e, data: this.#mask.text(e.data) })
  }
}

function requestView({ request }: ExchangeInit, mask: Mask): RequestSeen {
  const body = new Body(mask, request.body)
  return {
    method: request.method,
    path: mask.text(request.path),
    headers: mask.headers(request.headers),
    get body() {
      return body.text
    },
    size: body.size,
  }
}

function responseView(status: number, headers: Pairs, body: Body, at: number): ResponseSeen {
  return {
    status,
    headers,
    at,
    get body() {
      return body.text
    },
    get size() {
      return body.size
    },
    get utf8() {
      return body.utf8
    },
  }
}
