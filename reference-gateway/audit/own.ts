import { cut } from './cut.ts'
import { idOf, isoOf, type Stamp } from './ids.ts'
import type { Making } from './make.ts'
import type { AuditRecord, Outcome } from './record.ts'

/** A call of a tool that the gateway has made by itself: a step of a workflow. */
export interface OwnCall {
  /** On whose behalf: `saga:<id>`. */
  readonly userId: string
  /** The service that was called. */
  readonly service: string
  readonly tool: string
  /** Raw JSON. */
  readonly arguments: string
  /** In ms since the epoch. */
  readonly startedAt: number
  readonly executionTimeMs: number
  /** Null where no answer came. */
  readonly responseStatus: number | null
  readonly outcome: Outcome
  readonly errorCode: number | null
}

/** The record of a call that the gateway has made by itself. */
export function ownRecord(call: OwnCall, stamp: Stamp, making: Making): AuditRecord {
  const { service, tool, startedAt: _, arguments: given, ...rest } = call
  return {
    ...rest,
    id: idOf(stamp),
    timestamp: isoOf(stamp.ms),
    sessionId: null,
    mcpName: service,
    httpMethod: 'POST',
    mcpMethod: 'tools/call',
    toolName: tool,
    arguments: cut(making.hide(given, undefined), making.argumentBytes),
    addedMs: null,
    refusedBy: null,
    clientAddress: 'gateway',
    clientGone: false,
  }
}
