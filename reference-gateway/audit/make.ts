import { bearerOf } from '../parts/auth.ts'
import type { Call } from './call.ts'
import { cut, truncated } from './cut.ts'
import { hideText } from './hide.ts'
import { idOf, isoOf } from './ids.ts'
import { type Asked, asked, UNREAD } from './message.ts'
import type { AuditRecord } from './record.ts'

/** How records are made. */
export interface Making {
  /** Arguments beyond this are cut. */
  readonly argumentBytes: number
  /** Takes secrets out of raw JSON: the token of the request, and values that are named like secrets. */
  readonly hide: (raw: string, token: string | undefined) => string
}

/** A larger body is not looked into. */
export const READ_BYTES = 1024 * 1024
/** Texts of a client that are no arguments are kept so far. */
const LONGEST = 256

/** The records of a call whose body is this, as far as it is known: one, or one for each message of a batch. */
export function makeRecords(call: Call, body: Buffer | undefined, making: Making): AuditRecord[] {
  const { passage, answer } = call
  const token = bearerOf(passage)
  const text = (value: string | null | undefined) => {
    if (!value) return null
    const clean = hideText(value, token)
    return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean
  }
  const messages = read(body, passage.header('mcp-method'))
  const [service, ...others] = call.services
  return messages.map((message, index) => {
    const { outcome, errorCode } = answer.outcome(message.id, messages.length === 1)
    return {
      id: idOf(call.stamp, index),
      timestamp: isoOf(call.stamp.ms),
      sessionId: text(passage.header('mcp-session-id') ?? answer.sessionId),
      userId: text(passage.identity?.subject),
      mcpName: text(passage.backend?.service ?? passage.header('mcp-name') ?? (others.length > 0 ? null : service)),
      httpMethod: passage.method,
      mcpMethod: text(message.method),
      toolName: text(message.tool),
      arguments: message.arguments === null ? null : cut(making.hide(message.arguments, token), making.argumentBytes),
      responseStatus: answer.status,
      executionTimeMs: call.executionTimeMs,
      addedMs: call.addedMs,
      outcome,
      errorCode,
      refusedBy: ANSWERS.has(passage.servedBy ?? '') ? null : (passage.servedBy ?? null),
      clientAddress: passage.address,
      clientGone: call.gone,
    }
  })
}

/** These parts answer, and refuse nothing. */
const ANSWERS = new Set(['relay', 'aggregate'])

/** What the field says has to do where the body is not known. */
function read(body: Buffer | undefined, field: string | undefined): readonly Asked[] {
  if (body && body.length <= READ_BYTES) return asked(body.toString('utf8'))
  const method = field ?? null
  return [{ ...UNREAD, method, arguments: body ? truncated(body.length, '') : null }]
}
