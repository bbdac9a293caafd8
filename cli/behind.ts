import { createRecorder } from '../kit/recorder.ts'
import { createStage } from '../kit/stage.ts'
import type { ServerName } from '../kit/types.ts'
import { startServers } from '../mock-servers/index.ts'
import type { Bench } from './embedded.ts'
import { type Mocks, SERVERS } from './wanted.ts'

/** Sets up what stands behind a gateway that is not ours: the mock servers at their ports. */
export async function openBehind({ at }: Mocks, secrets: readonly string[]): Promise<Bench> {
  const recorder = createRecorder()
  for (const secret of secrets) recorder.secret(secret)
  const stage = createStage(recorder)
  const ports = Object.fromEntries(Object.entries(at).filter(([, port]) => typeof port === 'number')) as Partial<
    Record<ServerName, number>
  >
  const only = SERVERS.filter(name => ports[name] !== undefined)
  return { recorder, stage, servers: await startServers({ sink: recorder, stage, ports, only }) }
}
