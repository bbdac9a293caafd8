import type { Arguments } from './arguments.ts'
import { quoted } from './words.ts'

/** Flags that decide how a check comes out, in the order in which they are printed. */
const TELLING = [
  'url',
  'target',
  'profile',
  'header',
  'bearer-env',
  'port',
  'record',
  'host',
  'timeout',
  'mutant',
  'suite',
] as const

/** The command line of this run without its selection, to be typed again. Credentials in it are left out. */
export function again(args: Arguments, env: NodeJS.ProcessEnv): string {
  const flags = TELLING.flatMap(flag => args.values(flag).map(value => `--${flag} ${quoted(safe(flag, value))}`))
  return [env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'npx mcp-conformance', ...flags].join(' ')
}

function safe(flag: string, value: string): string {
  if (flag !== 'header' || value.includes('${')) return value
  const name = value.split(':')[0] ?? ''
  return /auth|cookie|token|key|secret/i.test(name) ? `${name}: …` : value
}
