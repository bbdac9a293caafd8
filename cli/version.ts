import { readFileSync } from 'node:fs'

/** The version of the package that this file is part of, built (dist/cli) or not (cli). */
export function version(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version
    } catch {}
  }
  return 'of unknown version'
}
