import { once } from 'node:events'
import { connect } from 'node:net'

/** One connection that is kept, and one request at a time on it. Answers must have a Content-Length. */
export async function openWire(port, head, body) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const bytes = Buffer.from(
    `${head}Host: 127.0.0.1:${port}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  let got = Buffer.alloc(0)
  let wanted = -1
  let settle
  let refuse
  socket.on('data', chunk => {
    got = got.length ? Buffer.concat([got, chunk]) : chunk
    if (wanted < 0) {
      const end = got.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = got.toString('latin1', 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)
      if (!text.startsWith('HTTP/1.1 200') || !length) {
        refuse(new Error(`an unexpected answer: ${got.toString('utf8').slice(0, 300)}`))
        return
      }
      wanted = end + 4 + Number(length[1])
    }
    if (got.length >= wanted) {
      got = got.subarray(wanted)
      wanted = -1
      settle()
    }
  })
  socket.on('error', cause => refuse?.(cause))
  return {
    /** Sends the request and waits for its whole answer; gives how long that took, in µs. */
    async time() {
      const answered = new Promise((resolve, reject) => {
        settle = resolve
        refuse = reject
      })
      const start = process.hrtime.bigint()
      socket.write(bytes)
      await answered
      return Number(process.hrtime.bigint() - start) / 1000
    },
    close: () => socket.destroy(),
  }
}
