import { edit, get } from '../json.ts'
import { code, errorMessage, kindOf } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { withData } from '../sse.ts'
import type { Failure } from '../types.ts'
import type { Connection } from './connection.ts'
import { upstreamId } from './ids.ts'
import type { Line } from './line.ts'
import { Pump } from './pump.ts'
import type { Flight, Session } from './session.ts'
import { marked } from './stream.ts'
import { translate } from './translate.ts'

/**
 * Sends a client's request to one backend, and what comes back to the client: JSON as JSON, a stream as a stream, each
 * event as it comes. Whatever happens, the line is finished once.
 */
export async function relay(
  session: Session,
  connection: Connection,
  passage: Passage,
  message: string,
  line: Line,
): Promise<void> {
  const id = get(message, 'id')!
  const upstream = upstreamId(id)
  const flight: Flight = { connection, upstreamId: upstream, cancelled: false }
  const pump = new Pump()
  const name = connection.backend.name
  let streaming = false
  let answered = false
  let status = 200
  session.flights.set(id, flight)

  const pass = (text: string, block?: string) => {
    if (!streaming || block === undefined) return line.respond(text)
    line.block(withData(marked(block, connection), text))
  }
  const finish = (failure?: Failure) => {
    if (session.flights.get(id) === flight) session.flights.delete(id)
    if (!answered && !flight.cancelled && (failure || !streaming)) {
      const said = status < 300 ? 'ended its answer without a response' : `answered with status ${status}`
      line.respond(errorMessage(id, code.internal, failure?.message ?? `The server "${name}" ${said}.`))
    }
    line.finish()
  }

  const finds = {
    head(seen: number, stream: boolean) {
      status = seen
      streaming = stream
      if (stream) line.stream()
    },
    message(text: string, block?: string) {
      pump.run(() => {
        const own = get(text, 'id')
        if (kindOf(text) === 'response') {
          // An error without an id is what a server says that could not even read so far.
          const mine = own === upstream || (own === 'null' && get(text, 'error.code') !== undefined)
          if (!mine || answered) return
          answered = true
          if (own === 'null')
            return pass(
              edit(text, 'id', () => id),
              block,
            )
        } else if (!streaming) return session.aside(connection, text)
        const made = translate(session, name, passage, text)
        return typeof made === 'string' ? pass(made, block) : made.then(ready => pass(ready, block))
      })
    },
    other(block: string) {
      pump.run(() => line.block(marked(block, connection)))
    },
    done(failure?: Failure) {
      pump.run(() => finish(failure))
    },
  }
  try {
    await connection.send(
      passage,
      edit(message, 'id', () => upstream),
      finds,
    )
  } catch (error) {
    finish({ kind: 'refused', message: error instanceof Error ? error.message : String(error) })
  }
}
