// A relay of bytes that holds every request for just so long (µs). Timers are too coarse for that: it sleeps for most of the time,
// so that a busy machine disturbs it little, and watches the clock for the rest.

import { connect, createServer } from 'node:net'

const WATCHED_MS = 0.3
const nobody = new Int32Array(new SharedArrayBuffer(4))

process.once('message', ({ port, us }) => {
  const server = createServer({ noDelay: true }, client => {
    const up = connect({ port, host: '127.0.0.1', noDelay: true })
    client.on('data', bytes => {
      const until = process.hrtime.bigint() + BigInt(Math.round(us * 1000))
      if (us / 1000 > WATCHED_MS) Atomics.wait(nobody, 0, 0, us / 1000 - WATCHED_MS)
      while (process.hrtime.bigint() < until);
      up.write(bytes)
    })
    up.on('data', bytes => client.write(bytes))
    for (const [one, other] of [
      [client, up],
      [up, client],
    ])
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
})
process.on('disconnect', () => process.exit())
