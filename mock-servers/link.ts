import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { CannotJudge } from '../kit/errors.ts'
import type { Sink, Stage } from '../kit/types.ts'
import { type KitEnd, type KitLink, kitEnd } from './link/kit-end.ts'
import { type Control, MocksEnd } from './link/mocks-end.ts'

/**
 * A link carries the record of mock servers in one process to a kit in another: what they see goes up, what they ask
 * (acts, gates) is answered down. Either side may dial:
 *
 *     servers that a gateway starts (stdio)   connectLink ──► listenLink    a run
 *     servers that stay up                      serveLink ◄── attachLink    a run
 *
 * An address is `host:port`. Loopback only, by default: what passes is not encrypted.
 */

export type { KitLink }

/** How long dialling may take, in ms. */
const DIAL_MS = 1000

/** What the servers write to and ask. */
export interface MocksLink {
  readonly sink: Sink
  readonly stage: Stage
  /** How many kits listen. */
  connected(): number
  /** Lets kits stop and start these servers. */
  obeys(control: Control): void
  close(): Promise<void>
}

/** For servers: calls the kit, now and whenever there is something to tell and nobody listens. Never fails: without a kit they just serve. */
export async function connectLink(address: string): Promise<MocksLink> {
  const end = new MocksEnd(() => dial(address))
  await end.call()
  return {
    sink: end.sink,
    stage: end.stage,
    connected: () => end.connected,
    obeys: c => end.obeys(c),
    close: () => end.close(),
  }
}

/** For servers that stay up: lets kits come and go. */
export async function serveLink({
  host = '127.0.0.1',
  port = 0,
} = {}): Promise<MocksLink & { readonly address: string }> {
  const end = new MocksEnd()
  const { address, close } = await listen(host, port, socket => void end.attach(socket))
  return {
    address,
    sink: end.sink,
    stage: end.stage,
    connected: () => end.connected,
    obeys: control => end.obeys(control),
    async close() {
      await end.close()
      await close()
    },
  }
}

/** For a kit: takes what servers bring that call it. */
export async function listenLink({ host = '127.0.0.1', port = 0, ...end }: KitEnd & { host?: string; port?: number }) {
  const links = new Set<KitLink>()
  const { address, close } = await listen(host, port, socket => {
    const link = kitEnd(
      socket,
      end,
      () => links.add(link),
      () => links.delete(link),
    )
  })
  return {
    address,
    /** How many server processes are connected. */
    connected: () => links.size,
    /** Resolves when all that the servers told so far is recorded. */
    async settle(): Promise<void> {
      await Promise.allSettled([...links].map(link => link.order('sync')))
    },
    close,
  }
}

/** For a kit: calls servers that are up already. Undefined where nobody, or nobody of ours, is there. */
export async function attachLink(address: string, end: KitEnd): Promise<KitLink | undefined> {
  const socket = await dial(address)
  if (!socket) return undefined
  return new Promise(resolve => {
    const silent = setTimeout(() => socket.destroy(), DIAL_MS)
    const settle = (result: KitLink | undefined) => {
      clearTimeout(silent)
      resolve(result)
    }
    const link = kitEnd(
      socket,
      end,
      () => settle(link),
      () => settle(undefined),
    )
  })
}

function dial(address: string): Promise<Socket | undefined> {
  const [, host = '127.0.0.1', port] = /^(?:\[?(.*?)\]?:)?(\d+)$/.exec(address) ?? []
  return new Promise(resolve => {
    const socket = connect(Number(port), host)
    const failed = () => {
      socket.destroy()
      resolve(undefined)
    }
    const timer = setTimeout(failed, DIAL_MS)
    socket.once('error', failed)
    socket.once('connect', () => {
      socket.off('error', failed)
      resolve(socket)
    })
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => clearTimeout(timer))
  })
}

async function listen(host: string, port: number, take: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server: Server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    take(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (e: NodeJS.ErrnoException) => {
      const why = e.code === 'EADDRINUSE' ? 'the port is taken' : (e.code ?? e.message)
      reject(
        new CannotJudge(
          `The record of the mock servers cannot be taken at ${host}:${port}: ${why}. Choose another address.`,
        ),
      )
    })
    server.listen(port, host, resolve)
  })
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
