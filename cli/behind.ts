import { CannotJudge } from '../kit/errors.ts'
import { createRecorder } from '../kit/recorder.ts'
import { Unjudged } from '../kit/session.ts'
import { createStage } from '../kit/stage.ts'
import type { ServerName, Servers } from '../kit/types.ts'
import { startServers } from '../mock-servers/index.ts'
import { attachLink, type KitLink, listenLink } from '../mock-servers/link.ts'
import { offers } from '../mock-servers/offers.ts'
import type { Bench } from './embedded.ts'
import { type Mocks, SERVERS } from './wanted.ts'

/** What stands behind a gateway that is not ours, and how it got there. */
export interface Behind extends Bench {
  /** Lines for people: servers in other processes, and how they find the run. */
  readonly notes: readonly string[]
  close(): Promise<void>
}

/**
 * Sets up the mock servers at their ports. Where `mcp-conformance mocks` holds the ports already, the run listens in on
 * its servers; where a gateway starts servers on stdio, it waits for what they bring.
 */
export async function openBehind(mocks: Mocks, secrets: readonly string[]): Promise<Behind> {
  const recorder = createRecorder()
  for (const secret of secrets) recorder.secret(secret)
  const stage = createStage(recorder)
  const kit = { sink: recorder, stage }
  const onStdio = SERVERS.filter(name => mocks.at[name] === 'stdio')
  const ports = portsOf(mocks)
  const only = SERVERS.filter(name => ports[name] !== undefined)
  const { host, port } = addressOf(mocks.record)
  const listening = onStdio.length ? await listenLink({ ...kit, host, port }) : undefined
  try {
    const { servers, notes, close } = await startOrAttach()
    return {
      recorder,
      stage,
      servers: listening ? withStdio(servers, onStdio, listening.settle) : servers,
      notes: [...notes, ...onStdio.map(name => `${name} is on stdio: the gateway starts ${stdioCommand(name, mocks)}`)],
      async close() {
        await close()
        await listening?.close()
      },
    }
  } catch (cause) {
    await listening?.close()
    throw cause
  }

  async function startOrAttach() {
    try {
      const servers = await startServers({ ...kit, ports, only, host: mocks.host })
      return { servers, notes: [], close: () => servers.close() }
    } catch (cause) {
      const link = cause instanceof CannotJudge && !listening ? await attachLink(mocks.record, kit) : undefined
      if (!link) throw cause
      const servers = elsewhere(only, ports, mocks.host, link)
      return { servers, notes: ['the mock servers are those of mcp-conformance mocks'], close: () => link.close() }
    }
  }
}

/** How a gateway starts a server on stdio. */
export const stdioCommand = (name: ServerName, { record }: Mocks): string =>
  `mcp-conformance mocks ${name} --stdio --record ${record}`

/** The ports of those servers that have one. */
export const portsOf = ({ at }: Mocks): Partial<Record<ServerName, number>> =>
  Object.fromEntries(Object.entries(at).filter(([, port]) => typeof port === 'number'))

/** `host:port`, taken apart. */
export function addressOf(address: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  return { host, port: Number(port) }
}

/** Servers in another process, at the other end of a link. */
function elsewhere(
  names: readonly ServerName[],
  ports: Partial<Record<ServerName, number>>,
  host: string,
  link: KitLink,
): Servers {
  return {
    names,
    url: name => (ports[name] === undefined ? undefined : `http://${host}:${ports[name]}/mcp`),
    offers,
    stop: name => link.order('stop', name),
    start: name => link.order('start', name),
    settle: () => link.order('sync').catch(() => {}),
    close: async () => {},
  }
}

function withStdio(servers: Servers, onStdio: readonly ServerName[], settle: () => Promise<void>): Servers {
  const isStdio = (name: ServerName) => onStdio.includes(name)
  return {
    ...servers,
    names: SERVERS.filter(name => isStdio(name) || servers.names.includes(name)),
    settle,
    stop: name => (isStdio(name) ? cannot(name) : servers.stop(name)),
    start: name => (isStdio(name) ? cannot(name) : servers.start(name)),
  }
}

const cannot = async (name: ServerName): Promise<void> => {
  throw new Unjudged(`the mock server ${name} is on stdio: the gateway starts it, and this run can't stop it`)
}
