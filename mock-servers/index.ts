import { setMaxListeners } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CannotJudge } from '../kit/errors.ts'
import { SERVICE } from '../kit/routing.ts'
import type { ServerName, Servers, Sink, Stage } from '../kit/types.ts'
import { HttpEndpoint } from './http.ts'
import { McpServer } from './mcp.ts'
import { offers } from './offers.ts'
import { type RegisterAt, type Registration, register } from './registration.ts'
import { SCRIPTS } from './scripts.ts'
import { tap } from './tap.ts'

export { attachLink, connectLink, listenLink, type MocksLink, serveLink } from './link.ts'
export type { RegisterAt } from './registration.ts'
export { PORTS } from './scripts.ts'
export { type StdioOptions, serveStdio } from './stdio.ts'

/** Which servers start, where, and who hears of what they see. */
export interface StartOptions {
  readonly sink: Sink
  readonly stage: Stage
  /** Where each server listens; any free port where nothing is said. `PORTS` holds the usual ones. */
  readonly ports?: Partial<Record<ServerName, number>> | undefined
  readonly host?: string
  /** Issues no session ids; GET and DELETE are 405. */
  readonly stateless?: boolean
  /** `approve_refund` asks for the role `crm_admin`. */
  readonly tier2?: boolean
  readonly only?: readonly ServerName[] | undefined
  /** Each server registers itself there when it starts, renews, and takes itself out when it stops. */
  readonly registerAt?: RegisterAt | undefined
}

/** Starts the mock servers. A port that is taken is an Error that says which, and what to do. */
export async function startServers(options: StartOptions): Promise<Servers> {
  const names = options.only ?? (Object.keys(SCRIPTS) as ServerName[])
  const running = new Map<ServerName, Running>()
  const ports = new Map<ServerName, number>()
  const registrations = new Map<ServerName, Registration>()
  const host = options.host ?? '127.0.0.1'
  const shown = host.includes(':') ? `[${host}]` : host
  const start = async (name: ServerName) => {
    if (running.has(name)) return
    const started = await listen(name, host, ports.get(name) ?? options.ports?.[name] ?? 0, options)
    ports.set(name, started.port)
    running.set(name, started)
    if (!options.registerAt) return
    const url = `http://${EVERYWHERE.has(host) ? '127.0.0.1' : shown}:${started.port}/mcp`
    const registration = register(options.registerAt, { name, service: SERVICE[name], url })
    registrations.set(name, registration)
    await registration.first
  }
  const stop = async (name: ServerName) => {
    const server = running.get(name)
    running.delete(name)
    await registrations.get(name)?.close()
    registrations.delete(name)
    await server?.close()
  }
  const close = async () => void (await Promise.all(names.map(stop)))
  try {
    for (const name of names) await start(name)
  } catch (e) {
    await close()
    throw e
  }
  return {
    names,
    url: name => (ports.has(name) ? `http://${shown}:${ports.get(name)}/mcp` : undefined),
    offers,
    start,
    stop,
    close,
  }
}

/** Addresses that stand for all of the machine: there nobody can be called. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

interface Running {
  readonly port: number
  close(): Promise<void>
}

async function listen(name: ServerName, host: string, port: number, options: StartOptions): Promise<Running> {
  const { sink, stage, stateless = false, tier2 = false } = options
  const over = new AbortController()
  // Every wait of every exchange listens to it.
  setMaxListeners(0, over.signal)
  const mcp = new McpServer(SCRIPTS[name], { tier2 })
  const endpoint = new HttpEndpoint(mcp, { stateless })
  const answer = endpoint.answer.bind(endpoint)
  // Connections stay open for long, so that a gateway's pool never meets one that is just being closed.
  const server = createServer({ keepAliveTimeout: 600_000, maxHeaderSize: 131_072, requestTimeout: 0 })
  server.on('request', tap({ server: name, sink, stage, over: over.signal, answer }))
  await listening(server, name, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      over.abort()
      mcp.stop()
      return new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function listening(server: Server, name: ServerName, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (e: NodeJS.ErrnoException) => reject(cannotListen(e, name, host, port)))
    server.listen(port, host, resolve)
  })
}

function cannotListen(e: NodeJS.ErrnoException, name: ServerName, host: string, port: number): Error {
  const what = `The mock server ${name} cannot listen on ${host}:${port}`
  if (e.code === 'EADDRINUSE') {
    return new CannotJudge(`${what}: the port is taken. Stop what listens there, or choose another port for ${name}.`)
  }
  return new CannotJudge(`${what}: ${e.code ?? e.message}. Choose another address or port for ${name}.`)
}
