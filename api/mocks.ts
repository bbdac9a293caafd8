import { openBehind } from '../cli/behind.ts'
import { RECORD, SERVERS } from '../cli/wanted.ts'
import type { ServerName } from '../kit/types.ts'
import { remember } from './inner/behind.ts'

/** The mock servers, up and waiting for a gateway. */
export interface Mocks {
  /** Where each of them is reached: `http://127.0.0.1:PORT/mcp`. */
  readonly urls: Readonly<Partial<Record<ServerName, string>>>
  /** Closes their ports, and every connection. */
  close(): Promise<void>
}

/** Which mock servers to start, and where. */
export interface MocksOptions {
  /** Those to start; all three where not given. */
  readonly servers?: readonly ServerName[]
  /** The port of each; any free one where not given. */
  readonly ports?: Readonly<Partial<Record<ServerName, number>>>
  /** The address at which they listen; 127.0.0.1 where not given. */
  readonly host?: string
}

/** Starts the servers that a gateway is to be put in front of. Throws CannotJudge where a port is taken. */
export async function startMocks({ servers = SERVERS, ports = {}, host }: MocksOptions = {}): Promise<Mocks> {
  const at = Object.fromEntries(servers.map(name => [name, ports[name] ?? 0]))
  const behind = await openBehind({ at, record: RECORD, host: host ?? '127.0.0.1' }, [])
  const urls = Object.fromEntries(behind.servers.names.map(name => [name, behind.servers.url(name)!]))
  const mocks: Mocks = { urls, close: () => behind.close() }
  remember(mocks, behind)
  return mocks
}
