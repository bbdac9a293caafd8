import type { AddressInfo } from 'node:net'
import type { Hop } from './hop.ts'
import { code, errorMessage } from './jsonrpc.ts'
import { parts as allParts } from './parts.ts'
import { Passage } from './passage.ts'
import { Routes } from './routes.ts'
import { settings as fillIn } from './settings.ts'
import { createListener } from './tls.ts'
import type { Config, Gateway, Outlet, Part } from './types.ts'

export { allParts as parts }

/** A gateway that listens. */
export interface RunningGateway {
  /** Its origin: `http://127.0.0.1:4200`. */
  readonly url: string
  readonly port: number
  /** What its parts see of it; the control plane is built on this. */
  readonly gateway: Gateway
  /** Ends every connection at once, to clients and to backends. */
  close(): Promise<void>
}

/** Starts a gateway made of these parts. Rejects where the configuration cannot be used or the port is taken. */
export async function startGateway(config: Config, parts: readonly Part[] = allParts): Promise<RunningGateway> {
  const settings = fillIn(config)
  const routes = new Routes(config.backends, settings.timeouts.connectMs)
  // Who has nothing to say at a point is not asked there, and who answers at once is not waited for: a turn of the event loop for
  // each part would cost more than what most of them do.
  const forwarding = parts.filter(part => part.forward)
  const receiving = parts.filter(part => part.receive)
  const answering = parts.filter(part => part.answer)
  const gateway: Gateway = {
    settings,
    parts,
    routes,
    async send(hop: Hop, out: Outlet) {
      try {
        for (const part of forwarding) {
          const waits = part.forward!(hop)
          if (waits) await waits
        }
      } catch {
        hop.discard()
        out.fail({ kind: 'reset', message: 'The gateway could not forward this request.' })
        return
      }
      hop.out = out
      let way = out
      for (const part of answering) way = part.answer!(hop, way)
      hop.dispatch(routes.pool(hop.backend), way)
    },
  }
  const server = createListener(
    config.tls,
    (request, response) => void serve(new Passage(gateway, request, response), receiving),
  )
  // Longer than clients keep idle connections, so that none is closed just when it is used again.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    const closing = parts.map(part => part.close?.(gateway))
    server.closeAllConnections()
    await Promise.all([closed, routes.close(), ...closing])
  }
  try {
    for (const part of parts) part.open?.(gateway)
  } catch (cause) {
    await close()
    throw cause
  }
  return {
    url: `${config.tls ? 'https' : 'http'}://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    port,
    gateway,
    close,
  }
}

async function serve(passage: Passage, receiving: readonly Part[]): Promise<void> {
  try {
    // The rest of the packet that brought the head is read first: a small body is then whole already.
    await null
    for (const part of receiving) {
      const given = part.receive!(passage)
      if (!(given instanceof Promise ? await given : given)) continue
      passage.servedBy ??= part.name
      return
    }
    passage.answer(404, '{"error":"No part of the gateway answers this"}')
  } catch (error) {
    if (passage.started || passage.gone) passage.out.fail({ kind: 'cut', message: String(error) })
    else passage.answer(500, errorMessage(undefined, code.internal, 'The gateway failed at this request.'))
  }
}
