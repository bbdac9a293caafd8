import type { ServerName } from '../kit/types.ts'
import { startChild } from './child.ts'

/** The servers that stand behind while latencies are measured, in a process of their own. */
export interface Responders {
  url(name: ServerName): string | undefined
  stop(): Promise<void>
}

/** Starts one for each port; 0 is any free one. Throws CannotJudge where a port is taken. */
export async function startResponders(
  ports: Readonly<Partial<Record<ServerName, number>>>,
  host = '127.0.0.1',
): Promise<Responders> {
  const child = await startChild<{ ports: Partial<Record<ServerName, number>> }>('responder', { ports, host })
  const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host
  return {
    url: name => (child.hello.ports[name] === undefined ? undefined : `http://${shown}:${child.hello.ports[name]}/mcp`),
    stop: child.stop,
  }
}
