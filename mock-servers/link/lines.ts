import type { Socket } from 'node:net'

/** A socket that carries one JSON value a line, both ways. */
export interface Lines {
  send(value: unknown): void
  /** Ends the connection once all that was sent has left. */
  close(): Promise<void>
}

/** Reads values off a socket until it closes. A line that is no JSON ends the connection: the peer is no link. */
export function lines(socket: Socket, take: (value: unknown) => void, closed: () => void): Lines {
  let rest = ''
  socket.setNoDelay(true).setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const found = (rest + chunk).split('\n')
    rest = found.pop() ?? ''
    try {
      for (const line of found) take(JSON.parse(line))
    } catch {
      socket.destroy()
    }
  })
  // What went wrong does not matter: either way nothing more comes.
  socket.on('error', () => {})
  socket.on('close', closed)
  return {
    send(value) {
      if (socket.writable) socket.write(`${JSON.stringify(value)}\n`)
    },
    close() {
      return new Promise(resolve => {
        if (socket.destroyed) return resolve()
        socket.ref()
        socket.once('close', () => resolve())
        socket.end(() => socket.destroy())
      })
    },
  }
}
