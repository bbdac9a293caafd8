/** What came of a call, as JSON-RPC has it; `none` where there is no answer of that kind, `unread` where it was not read. */
export type Outcome = 'result' | 'error' | 'tool-error' | 'none' | 'unread'

/** What is written down of one call. */
export interface AuditRecord {
  /** The UTC time of `timestamp`, and a number where several calls began in one millisecond: `20260815214005.120-1`. */
  readonly id: string
  /** When the head of the request was there, ISO 8601. */
  readonly timestamp: string
  readonly sessionId: string | null
  /** `sub` of the verified token. */
  readonly userId: string | null
  /** The service that was asked for. */
  readonly mcpName: string | null
  readonly httpMethod: string
  readonly mcpMethod: string | null
  readonly toolName: string | null
  /** Raw JSON, so that numbers stay as they were sent. */
  readonly arguments: string | null
  /** Null where the client had hung up before there was one. */
  readonly responseStatus: number | null
  /** From the head of the request to the end of the answer. */
  readonly executionTimeMs: number
  /**
   * What the gateway added to that: before the first request to a server, and after the last answer of one. Null where
   * nothing was sent to a server.
   */
  readonly addedMs: number | null
  readonly outcome: Outcome
  readonly errorCode: number | null
  /** The part of the gateway that refused it. */
  readonly refusedBy: string | null
  readonly clientAddress: string
  /** True where the client hung up before its answer had ended. */
  readonly clientGone: boolean
}

/** The record as one line of JSON, without the line's end. */
export function lineOf(record: AuditRecord): string {
  const text = JSON.stringify({ ...record, arguments: undefined })
  const raw = record.arguments
  // Line breaks can stand between the values of raw JSON, and a record is one line.
  return `${text.slice(0, -1)},"arguments":${raw === null ? 'null' : raw.replace(/[\r\n]+/g, ' ')}}`
}
