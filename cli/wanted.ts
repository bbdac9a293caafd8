import { expand } from '../kit/environment.ts'
import { WrongUsage } from '../kit/errors.ts'
import type { Wanted } from '../kit/preflight.ts'
import { profiles } from '../kit/profiles.ts'
import type { Mock, TargetFile } from '../kit/target-file.ts'
import type { Feature, Pairs, Revision, ServerName } from '../kit/types.ts'
import { type Arguments, oneOf, wholeNumber } from './arguments.ts'
import { readText } from './files.ts'
import { stories, storyOf } from './stories.ts'

/** What the command line and the target file say of the gateway and of what stands behind it. */
export interface Told {
  readonly wanted: Wanted
  /** Features that it is said not to have. */
  readonly lacks: readonly Feature[]
  readonly mocks: Mocks
  /** The kit's own identity provider, where the gateway trusts it. */
  readonly idp?: TargetFile['idp']
  /** Texts that no report may show. */
  readonly secrets: readonly string[]
}

/** Where the mock servers wait. */
export interface Mocks {
  readonly at: Readonly<Partial<Record<ServerName, Mock>>>
  /** Where the kit listens for servers on stdio, and where it looks for servers that run already: `host:port`. */
  readonly record: string
  /** The address at which they listen. */
  readonly host: string
}

export const SERVERS: readonly ServerName[] = ['crm', 'db', 'syncboot']
export const PORTS: Readonly<Record<ServerName, number>> = { crm: 4101, db: 4102, syncboot: 4103 }
export const RECORD = '127.0.0.1:4100'
export const DEFAULT_TIMEOUT = 5000

/** Reads what is told of the gateway. Undefined where neither --url nor --target is given: the embedded one is meant. */
export async function readTold(args: Arguments, env: NodeJS.ProcessEnv): Promise<Told | undefined> {
  const url = args.value('url')
  const path = args.value('target')
  const profile = args.value('profile')
  if (profile !== undefined) oneOf(profile, [...Object.keys(profiles), ...Object.keys(stories)], 'profile')
  if (url !== undefined && path !== undefined)
    throw new WrongUsage('--url and --target both name a gateway: give one of them.')
  if (path !== undefined) {
    const text = readText(path, 'target')
    // Loaded only here: what it needs is felt in the start of every run.
    const { readTargetFile } = await import('../kit/target-file.ts')
    return fromFile(readTargetFile(text, path, env), args, env)
  }
  if (url === undefined) return undefined
  return fromFile({ name: '', url: checkedUrl(url), headers: [], secrets: [] }, args, env)
}

/** What a target file says, and the flags beside it. */
export function fromFile(file: TargetFile, args: Arguments, env: NodeJS.ProcessEnv): Told {
  const extra = readHeaders(args, env)
  const given = args.value('profile')
  const profile = given === undefined || storyOf(given) ? file.profile : given
  const features = file.features ?? []
  const lacks = features.filter(f => f.startsWith('-')).map(f => f.slice(1) as Feature)
  const mocks = readMocks(args, env, file)
  const revisions = readRevisions(args) ?? file.revisions
  return {
    wanted: {
      ...(file.name && { name: file.name }),
      url: file.url,
      ...(file.routing && { routing: file.routing }),
      headers: [...file.headers, ...extra.headers],
      ...(profile !== undefined && { profile }),
      features: [
        ...(features.filter(f => !f.startsWith('-')) as Feature[]),
        ...(file.idp ? ['auth' as const] : []),
        ...(file.controlApi ? ['control-api' as const] : []),
      ],
      ...(file.admin && { admin: file.admin }),
      ...(file.limits && { limits: file.limits }),
      ...(revisions && { revisions: [...revisions].sort() }),
      ...(file.mocks && { required: SERVERS.filter(name => mocks.at[name] !== undefined) }),
    },
    lacks,
    mocks,
    ...(file.idp && { idp: file.idp }),
    secrets: [...file.secrets, ...extra.secrets],
  }
}

/** Where the mock servers wait, by the flags, else the file, else as usual. */
export function readMocks(
  args: Arguments,
  env: NodeJS.ProcessEnv,
  file: Partial<TargetFile> = {},
  flag: 'port' | 'mock-port' = 'port',
): Mocks {
  const record = args.value('record') ?? file.record ?? (env['MCP_CONFORMANCE_RECORD'] || RECORD)
  if (!/:\d{1,5}$/.test(record)) throw new WrongUsage(`--record must be like ${RECORD}, not ${record}.`)
  return {
    at: { ...(file.mocks ?? PORTS), ...readPorts(args, flag) },
    record,
    host: args.value('host') ?? '127.0.0.1',
  }
}

/** `--port crm=4101`, by server. */
function readPorts(args: Arguments, flag: string): Partial<Record<ServerName, Mock>> {
  return Object.fromEntries(
    args.words(flag).map(word => {
      const [name = '', port] = word.split('=')
      if (port === undefined) throw new WrongUsage(`--${flag} ${word} names no server: write it as --${flag} crm=4101.`)
      const server = oneOf(name, SERVERS, flag)
      return [server, port === 'stdio' ? port : wholeNumber(port, flag, 0, 65535)]
    }),
  )
}

/** `--revision`, checked; undefined where it is not given. */
export function readRevisions(args: Arguments): readonly Revision[] | undefined {
  const words = args.words('revision')
  return words.length ? words.map(word => oneOf(word, JUDGED, 'revision')) : undefined
}

const JUDGED: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25']

/** `--timeout` in ms. */
export const readTimeout = (args: Arguments): number =>
  wholeNumber(args.value('timeout') ?? String(DEFAULT_TIMEOUT), 'timeout', 1, 600_000)

function checkedUrl(url: string): string {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' }
  if (protocol === 'http:' || protocol === 'https:') return url
  throw new WrongUsage(`--url ${url} is no address of a gateway: it must be like http://127.0.0.1:8080/mcp.`)
}

/** `--header` and `--bearer-env`. */
export function readHeaders(args: Arguments, env: NodeJS.ProcessEnv): { headers: Pairs; secrets: readonly string[] } {
  const secrets: string[] = []
  const headers = args.values('header').map(text => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new WrongUsage(`--header ${text.split(':')[0]} is no field: write it as --header 'Name: value'.`)
    return [name, expand(value, env, `--header ${name}`, secrets)] as const
  })
  const variable = args.value('bearer-env')
  if (variable === undefined) return { headers, secrets }
  if (!/^\w+$/.test(variable))
    throw new WrongUsage('--bearer-env takes the name of an environment variable, not the token itself.')
  const token = expand(`\${${variable}}`, env, '--bearer-env', secrets)
  return { headers: [...headers, ['Authorization', `Bearer ${token}`]], secrets }
}
