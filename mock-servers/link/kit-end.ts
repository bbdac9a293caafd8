import type { Socket } from 'node:net'
import type { Sink, Stage, Writer } from '../../kit/types.ts'
import { type Lines, lines } from './lines.ts'
import { type Down, hello, isHello, type Up } from './messages.ts'

export interface KitEnd {
  readonly sink: Sink
  readonly stage: Stage
}

/** The kit's end of a link: plays what the servers tell into the recorder, and answers what they ask. */
export function kitEnd(socket: Socket, { sink, stage }: KitEnd, ready: () => void, closed: () => void): Lines {
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
  return link
}
