import type { Passage } from '../passage.ts'
import { eventOf, fieldOf, withData, withId } from '../sse.ts'
import type { Connection } from './connection.ts'
import { STREAM } from './line.ts'
import { Pump } from './pump.ts'
import type { Session } from './session.ts'
import { translate } from './translate.ts'

/** How long to wait before a backend's stream that has ended is opened again, where the backend does not say. */
const RETRY_MS = 1000

/** A client's GET stream: the streams of all backends in one. */
export class Stream {
  readonly passage: Passage
  private readonly session: Session
  private readonly attached = new Set<Connection>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly pump = new Pump()

  constructor(session: Session, passage: Passage) {
    this.session = session
    this.passage = passage
    passage.out.head({ status: 200, fields: [...STREAM] })
    const last = /^([^/]+)\/(.*)$/s.exec(passage.header('last-event-id') ?? '')
    for (const connection of session.connections) {
      this.attach(connection, last?.[1] === connection.backend.name ? last[2] : undefined)
    }
  }

  /** Opens a backend's stream and lets it flow into this one, unless it does already. */
  attach(connection: Connection, lastEventId?: string): void {
    if (this.passage.gone || this.attached.has(connection) || !connection.welcome) return
    this.attached.add(connection)
    let streaming = false
    let last = lastEventId
    let retry = RETRY_MS
    const note = (block: string) => {
      last = fieldOf(block, 'id') ?? last
      const wait = fieldOf(block, 'retry')
      if (wait !== undefined && /^\d+$/.test(wait)) retry = Number(wait)
    }
    connection.listen(this.passage, lastEventId, {
      head: (status, stream) => {
        streaming = stream && status < 300
      },
      message: (text, block) => {
        if (!streaming || block === undefined) return
        note(block)
        this.write(connection, text, block)
      },
      other: block => {
        note(block)
        if (streaming) this.pump.run(() => this.passage.out.chunk(Buffer.from(marked(block, connection))))
      },
      done: failure => {
        this.attached.delete(connection)
        if (streaming && !failure) this.later(retry, () => this.attach(connection, last))
      },
    })
  }

  /** Writes a message of a backend; in the block that it came in, where there is one. */
  write(connection: Connection, message: string, block = eventOf('')): void {
    this.pump.run(() => {
      const made = translate(this.session, connection.backend.name, this.passage, message)
      const put = (text: string) => this.passage.out.chunk(Buffer.from(withData(marked(block, connection), text)))
      return typeof made === 'string' ? put(made) : made.then(put)
    })
  }

  /** Ends it, and the backends' streams that flow into it. */
  close(): void {
    this.stop()
    this.passage.abort()
    this.passage.out.end()
  }

  /** Stops what would open streams again. */
  stop(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      then()
    }, ms)
    this.timers.add(timer)
  }
}

/** The block with the backend's name before its event id: backends number theirs alike. */
export function marked(block: string, connection: Connection): string {
  const id = fieldOf(block, 'id')
  return id ? withId(block, `${connection.backend.name}/${id}`) : block
}
