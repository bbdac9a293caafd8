import { identify } from './credentials.ts'
import { route } from './routing.ts'
import { type Session, sessionKey } from './session.ts'
import type { Rig } from './types.ts'

/** Lets a client go on in a session of this id, without a handshake. */
export async function adopt(rig: Rig, id: string, who = 'a', server = rig.target.servers[0] ?? 'crm'): Promise<void> {
  const { url, headers: routing } = route(rig.target.url, rig.target.routing, server)
  await identify(rig, who)
  const session: Session = { who, server, url, routing, id, revision: rig.revision, nextId: 1 }
  rig.memory.set(sessionKey(rig, who, server), session)
}
