import { closeSync, openSync } from 'node:fs'
import type { AuditConfig } from '../guards.ts'

/** Checks the configuration of the audit. Throws, with one sentence, where the file can't be written. */
export function readAudit(config: AuditConfig): AuditConfig {
  const { file } = config
  if (file !== undefined) {
    try {
      closeSync(openSync(file, 'a', 0o600))
    } catch (cause) {
      throw new Error(`The audit file ${JSON.stringify(file)} can't be written: ${(cause as Error).message}`)
    }
  }
  return config
}
