import type { AuditRecord } from '../../audit/record.ts'
import type { Trail } from '../../audit/trail.ts'
import { trailOf } from '../../parts/audit.ts'
import { type Call, type Endpoint, Problem } from '../endpoint.ts'

const MOST = 1000

/** The record of calls: what is kept in memory, and every call as it ends. */
export const audit: readonly Endpoint[] = [
  {
    name: 'audit',
    method: 'GET',
    path: '/api/v1/audit',
    run(call) {
      const trail = needed(call)
      const { found, total } = trail.find(filter(call.query), limitOf(call.query.get('limit')))
      const records = found.map(({ line }) => line).join(',')
      return { text: `{"records":[${records}],"total":${total},"lost":${trail.lost}}`, type: 'application/json' }
    },
  },
  {
    name: 'audit-stream',
    method: 'GET',
    path: '/api/v1/audit/stream',
    run(call) {
      const trail = needed(call)
      const test = filter(call.query)
      const stream = call.stream()
      const stop = trail.watch(({ record, line }) => {
        if (test(record)) stream.sendText('record', line)
      })
      stream.over.addEventListener('abort', stop, { once: true })
      return undefined
    },
  },
]

function needed({ gateway }: Call): Trail {
  const trail = trailOf(gateway)
  if (trail) return trail
  throw new Problem(404, 'no-audit', 'No audit', 'The gateway keeps no record of calls: configure `audit`.')
}

function filter(query: URLSearchParams): (record: AuditRecord) => boolean {
  const [session, user, tool] = [query.get('session'), query.get('user'), query.get('tool')]
  const status = statusOf(query.get('status'))
  const since = sinceOf(query.get('since'))
  return record =>
    (session === null || record.sessionId === session) &&
    (user === null || record.userId === user) &&
    (tool === null || record.toolName === tool) &&
    (status === undefined || record.responseStatus === status) &&
    (since === undefined || record.timestamp >= since)
}

function statusOf(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^[1-5]\d\d$/.test(text)) return Number(text)
  throw new Problem(400, 'bad-query', 'Bad query', `status is an HTTP status such as 429, not ${text}.`)
}

function sinceOf(text: string | null): string | undefined {
  if (text === null) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new Problem(400, 'bad-query', 'Bad query', `since is a time such as 2026-08-15T21:40:05Z, not ${text}.`)
}

function limitOf(text: string | null): number {
  if (text === null) return 100
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST) return limit
  throw new Problem(400, 'bad-query', 'Bad query', `limit is a whole number from 1 to ${MOST}, not ${text}.`)
}
