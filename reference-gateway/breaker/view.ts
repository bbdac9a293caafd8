import type { Tracked } from './sessions.ts'

/** A session as the control plane shows it. */
export interface SessionView {
  readonly key: string
  readonly sessionId: string | null
  readonly subject: string | null
  readonly state: 'OPEN' | 'CLOSED'
  readonly reason: 'rate' | 'payload' | null
  readonly openedAt: string | null
  readonly closesAt: string | null
  readonly requests: number
  readonly lastSeenAt: string
}

/** Shows a session. */
export function view(session: Tracked): SessionView {
  const { key, sessionId, subject, reason, openedAt, closesAt, requests, lastSeenAt } = session
  const open = reason !== undefined
  return {
    key,
    sessionId: sessionId ?? null,
    subject: subject ?? null,
    state: open ? 'OPEN' : 'CLOSED',
    reason: reason ?? null,
    openedAt: open ? iso(openedAt) : null,
    closesAt: open && Number.isFinite(closesAt) ? iso(closesAt) : null,
    requests,
    lastSeenAt: iso(lastSeenAt),
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
