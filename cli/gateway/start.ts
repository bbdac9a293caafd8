import { CannotJudge } from '../../kit/errors.ts'
import { type RunningControl, startControl } from '../../reference-gateway/control/server.ts'
import { type RunningGateway, startGateway } from '../../reference-gateway/gateway.ts'
import type { Mutant } from '../../reference-gateway/mutants/mutant.ts'
import { parts } from '../../reference-gateway/parts.ts'
import type { Config } from '../../reference-gateway/types.ts'
import type { GatewayFile } from './config.ts'

/** The gateway, and its control plane where there is one. */
export interface Running {
  readonly gateway: RunningGateway
  readonly control?: RunningControl
  close(): Promise<void>
}

/** Starts both. Throws CannotJudge, in one sentence, where an address is taken or a setting can't be used. */
export async function startBoth({ control: told, ...config }: GatewayFile & Config, mutant?: Mutant): Promise<Running> {
  const changed = mutant?.configure?.(config) ?? config
  const gateway = await orSay(() => startGateway(changed, mutant?.mutate?.(parts) ?? parts), 'port', config.port)
  if (!told) return { gateway, close: () => gateway.close() }
  try {
    const control = await orSay(() => startControl(gateway.gateway, told), 'control-port', told.port)
    return {
      gateway,
      control,
      async close() {
        await control.close()
        await gateway.close()
      },
    }
  } catch (cause) {
    await gateway.close()
    throw cause
  }
}

async function orSay<T>(start: () => Promise<T>, flag: string, port: number | undefined): Promise<T> {
  try {
    return await start()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new CannotJudge(`Port ${port} is taken: choose another one with --${flag}.`)
    throw new CannotJudge(`The gateway can't start: ${message}`)
  }
}
