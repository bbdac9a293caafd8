import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { ServerName } from '../kit/types.ts'
import { type RegisterAt, startServers } from '../mock-servers/index.ts'
import { attachLink, serveLink } from '../mock-servers/link.ts'
import { addressOf, portsOf } from './behind.ts'
import type { Mocks } from './wanted.ts'

/** Mock servers that stay up, and let runs in other processes listen in. */
export interface House {
  readonly names: readonly ServerName[]
  url(name: ServerName): string | undefined
  /** Where runs meet them. */
  readonly record: string
  close(): Promise<void>
}

/** What the servers of a house do beyond the usual. */
export interface HouseOptions {
  /** They look at the roles in tokens. */
  readonly tier2?: boolean
  /** They register themselves with this gateway. */
  readonly registerAt?: RegisterAt | undefined
}

/** Starts mock servers that runs find. Throws CannotJudge where a port is taken. */
export async function openHouse(
  mocks: Mocks,
  names: readonly ServerName[],
  options: HouseOptions = {},
): Promise<House> {
  const link = await serveLink(addressOf(mocks.record))
  try {
    const servers = await startServers({ ...options, ...link, ports: portsOf(mocks), only: names, host: mocks.host })
    link.obeys(servers)
    return {
      names,
      url: servers.url,
      record: link.address,
      async close() {
        await servers.close()
        await link.close()
      },
    }
  } catch (cause) {
    await link.close()
    throw cause
  }
}

/** Whether such servers are up already, in another process. */
export async function isHouseOpen({ record }: Mocks): Promise<boolean> {
  const recorder = createRecorder()
  const link = await attachLink(record, { sink: recorder, stage: createStage(recorder) })
  await link?.close()
  return link !== undefined
}
