import type { Socket } from 'node:net'
import type { ServerName, Sink, Stage, Writer } from '../../kit/types.ts'
import { type Lines, lines } from './lines.ts'
import { type Down, hello, isHello, type Order, type Up } from './messages.ts'

/** What a kit does with what it hears. */
export interface KitEnd {
  readonly sink: Sink
  readonly stage: Stage
}

/** A link as the kit holds it. */
export interface KitLink extends Lines {
  /** Resolves when it is done, and all that was told before is recorded; rejects with a sentence where it can't be. */
  order(what: Order, server?: ServerName): Promise<void>
}

/** The kit's end of a link: plays what the servers tell into the recorder, and answers what they ask. */
export function kitEnd(socket: Socket, { sink, stage }: KitEnd, ready: () => void, closed: () => void): KitLink {
  const orders = new Map<number, (failed?: string) => void>()
  let ordered = 0
  const writers = new Map<number, Writer>()
  let greeted = false
  const link = lines(
    socket,
    value => {
      if (greeted) return void take(value as Up)
      if (!isHello(value, 'mocks')) return void socket.destroy()
      greeted = true
    },
    () => {
      for (const writer of writers.values()) writer.fail('the mock server went away, or its link broke')
      writers.clear()
      for (const settle of orders.values()) settle('the mock servers went away')
      orders.clear()
      closed()
    },
  )
  link.send(hello('kit'))

  async function take(message: Up): Promise<void> {
    if ('ask' in message) {
      const { q, nonce } = message
      if (message.ask === 'seen') return link.send({ q, seen: await stage.seen(nonce, message.events) } satisfies Down)
      const acts = await stage.acts(nonce)
      return link.send({ q, ...(acts && { acts }) } satisfies Down)
    }
    if ('done' in message) {
      orders.get(message.done)?.(message.failed)
      orders.delete(message.done)
      return
    }
    if (message.tell === 'ready') return ready()
    if (message.tell === 'open') {
      const { n, at, init, request } = message
      const body = Buffer.from(request.body, 'base64')
      writers.set(n, sink.open({ ...init, at, request: { ...request, body } }))
      return
    }
    const writer = writers.get(message.n)
    if (!writer) return
    if (message.tell === 'head') writer.head(message.status, message.headers, message.at)
    else if (message.tell === 'chunk') writer.chunk(Buffer.from(message.base64, 'base64'), message.at)
    else if (message.tell === 'message') writer.message(message.text, message.at)
    else if (message.tell === 'held') writer.held(message.events)
    else {
      writers.delete(message.n)
      if (message.tell === 'end') writer.end(message.at)
      else if (message.tell === 'gone') writer.gone(message.at)
      else writer.fail(message.reason)
    }
  }
  return {
    ...link,
    order: (what, server) =>
      new Promise((resolve, reject) => {
        const n = ++ordered
        orders.set(n, failed => (failed === undefined ? resolve() : reject(new Error(failed))))
        link.send({ order: n, do: what, ...(server && { server }) } satisfies Down)
      }),
  }
}
