import { createHash } from 'node:crypto'
import type { Json } from '../kit/json.ts'
import type { Revision } from '../kit/types.ts'

/** The revisions that the mock servers speak, oldest first. */
export const REVISIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25']
export const LATEST: Revision = '2025-11-25'

/** The revision for what a client asked for: the same where we speak it, else our latest. */
export const negotiate = (asked: unknown): Revision => REVISIONS.find(r => r === asked) ?? LATEST

/** Log levels, the least severe first. */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** What a server keeps of one client. */
export interface Session {
  /** Undefined where none was issued: stateless, or stdio. */
  readonly id: string | undefined
  readonly version: Revision
  readonly clientInfo: Json
  readonly capabilities: Json
  initialized: boolean
  /** The least severe log level that the client wants; undefined until it said so. */
  level: string | undefined
  /** How often `counter` was called. */
  count: number
  readonly subscriptions: Set<string>
  /** The lists that have their extra entry just now. */
  readonly appeared: Set<string>
  /** The ids, as JSON, of the calls that the client cancelled. */
  readonly cancelled: string[]
  /** What runs just now, and how to stop it. */
  readonly running: Set<{ readonly id: string; readonly stop: AbortController }>
  /** Where messages that belong to no request go: the GET streams, the newest last. */
  readonly outlets: Set<(message: string) => void>
}

/** A new session of a client that said this about itself. */
export function newSession(
  id: string | undefined,
  version: Revision,
  clientInfo: Json = null,
  capabilities: Json = null,
): Session {
  return {
    id,
    version,
    clientInfo,
    capabilities,
    initialized: false,
    level: undefined,
    count: 0,
    subscriptions: new Set(),
    appeared: new Set(),
    cancelled: [],
    running: new Set(),
    outlets: new Set(),
  }
}

/** Sends a message that belongs to no request: on one stream only, the newest. False where there is none. */
export function announce(session: Session, message: string): boolean {
  const send = [...session.outlets].at(-1)
  send?.(message)
  return send !== undefined
}

/** Names a session without giving it away: the first 16 hex digits of the SHA-256 of its id, null where there is none. */
export const sessionHash = (id: string | undefined): string | null =>
  id === undefined ? null : createHash('sha256').update(id).digest('hex').slice(0, 16)
