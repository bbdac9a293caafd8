import type { Call } from '../../audit/call.ts'
import { type Making, makeRecords } from '../../audit/make.ts'
import type { AuditRecord } from '../../audit/record.ts'
import { makeAudit } from '../../parts/audit.ts'
import { type Mutate, replacePart } from '../harm.ts'

/** Makes the records otherwise. */
export const makes = (records: typeof makeRecords): Mutate => replacePart('audit', makeAudit({ records }))

/** Writes something else down in place of each record: another one, several, or none. */
export const recording = (change: (record: AuditRecord, call: Call) => AuditRecord | readonly AuditRecord[]): Mutate =>
  makes((call, body, making) => makeRecords(call, body, making).flatMap(record => change(record, call)))

/** Leaves calls out of the record. */
export const leavesOut = (which: (record: AuditRecord, call: Call) => boolean): Mutate =>
  recording((record, call) => (which(record, call) ? [] : record))

/** Writes down other arguments, as raw JSON. */
export const writing = (change: (raw: string) => string): Mutate =>
  recording(record => ({ ...record, arguments: record.arguments === null ? null : change(record.arguments) }))

/** Hides less. */
export const hiding = (hide: (making: Making) => Making['hide']): Mutate =>
  makes((call, body, making) => makeRecords(call, body, { ...making, hide: hide(making) }))
