import { readFileSync } from 'node:fs'
import type { AuthConfig } from '../guards.ts'
import { readPem } from './jwks.ts'

/** The configuration with the key's file read. Throws, with one sentence, where the key can't be used. */
export function readAuth({ pemFile, ...config }: AuthConfig): AuthConfig {
  const pem = config.pem ?? (pemFile === undefined ? undefined : textIn(pemFile))
  if (pem === undefined && config.jwksUrl === undefined) {
    throw new Error('auth: it must be known where the keys are: jwksUrl, pem or pemFile.')
  }
  if (pem !== undefined) readPem(pem)
  return { ...config, ...(pem !== undefined && { pem }) }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`auth: the file ${path} can't be read (${(cause as NodeJS.ErrnoException).code}).`)
  }
}
