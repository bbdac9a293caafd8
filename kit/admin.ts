import { execFile } from 'node:child_process'
import { at, type Json, stringify, tryParse } from './json.ts'
import { Unjudged } from './session.ts'
import type { Action, ActionName, Admin, Exchange, Feature, Limits, Rig, Target } from './types.ts'
import { send } from './wire.ts'

/** The operations of `/api/v1` of the SyncSeries platform, as the kit's actions. */
export const SYNCSERIES_API: Readonly<Record<ActionName, Action>> = {
  resetSession: { method: 'POST', url: '/api/v1/sessions/{session}/reset' },
  sessionState: { url: '/api/v1/sessions/{session}', path: 'state' },
  audit: { url: '/api/v1/audit?session={session}', path: 'records' },
  routes: { url: '/api/v1/routes', path: 'routes' },
  addRoute: { url: '/api/v1/routes', body: '{"name":{name},"service":{service},"url":{url}}' },
  changeRoute: { method: 'PUT', url: '/api/v1/routes/{name}', body: '{"service":{service},"url":{url}}' },
  removeRoute: { method: 'DELETE', url: '/api/v1/routes/{name}' },
  tools: { url: '/api/v1/tools', path: 'tools' },
  servers: { url: '/api/v1/tools', path: 'backends' },
  register: { url: '/api/v1/registry', body: '{"name":{name},"service":{service},"url":{url}}' },
  renewRegistration: { method: 'PUT', url: '/api/v1/registry/{name}' },
  deregister: { method: 'DELETE', url: '/api/v1/registry/{name}' },
  metrics: { url: '/api/v1/metrics' },
  health: { url: '/api/v1/health' },
  approvals: { url: '/api/v1/approvals', path: 'approvals' },
  approve: { method: 'POST', url: '/api/v1/approvals/{ticket}/approve' },
  reject: { method: 'POST', url: '/api/v1/approvals/{ticket}/reject' },
  budgets: { url: '/api/v1/budgets', path: 'budgets' },
  setBudget: {
    method: 'PUT',
    url: '/api/v1/budgets/{agent}',
    body: '{"perDay":{perDay},"perMonth":{perMonth}}',
  },
  startSaga: { url: '/api/v1/sagas', body: '{saga}' },
  saga: { url: '/api/v1/sagas/{saga}' },
}

const NEEDED: readonly [Feature, readonly ActionName[]][] = [
  ['session-reset', ['resetSession']],
  ['session-state', ['sessionState']],
  ['audit-log', ['audit']],
  ['route-admin', ['addRoute', 'removeRoute']],
  ['tool-registry', ['tools']],
  ['registration', ['register', 'renewRegistration', 'deregister']],
  ['metrics', ['metrics']],
  ['approvals', ['approvals', 'approve', 'reject']],
  ['budgets', ['budgets', 'setBudget']],
  ['sagas', ['startSaga', 'saga']],
]

/** The features that declared limits and actions give a target. */
export const guardFeatures = (limits: Limits, admin?: Admin): Feature[] => [
  ...(limits.rps === undefined ? [] : ['rate-guard' as const]),
  ...(limits.rps === undefined || limits.openSeconds === undefined ? [] : ['open-state' as const]),
  ...(limits.bytes === undefined ? [] : ['payload-guard' as const]),
  ...NEEDED.flatMap(([feature, names]) => (names.every(name => admin?.actions[name]) ? [feature] : [])),
]

/** Values for the places of a template. */
export type Vars = Readonly<Record<string, Json>>

/**
 * Does one thing at the gateway's operators' side, and records it as an exchange of the client `admin`. `anonymous`:
 * without what lets an operator in.
 */
export async function perform(
  rig: Rig,
  name: ActionName,
  vars: Vars,
  label?: string,
  { anonymous = false } = {},
): Promise<Exchange> {
  const { admin } = rig.target
  const action = admin?.actions[name]
  if (!admin || !action) throw new Unjudged(`the target has no action ${name}`)
  const mark = rig.next()
  const url = new URL(filled(action.url ?? '', vars, inUrl), admin.url).href
  const body = Buffer.from(action.body === undefined ? '' : filled(action.body, vars, stringify))
  const method = action.method ?? (action.body === undefined ? 'GET' : 'POST')
  const headers = [
    ...(anonymous ? [] : admin.headers),
    ...Object.entries(action.headers ?? {}),
    ...(body.length ? [['Content-Type', 'application/json'] as const] : []),
    // Without it an empty body is sent as one in chunks, of no known length.
    ...(body.length || method === 'GET' ? [] : [['Content-Length', '0'] as const]),
  ]
  const argv = action.command?.map(word => filled(word, vars, plain))
  const { pathname, search } = new URL(url)
  const writer = rig.recorder.open({
    side: 'client',
    transport: 'http',
    server: rig.target.servers[0] ?? 'crm',
    nonce: mark,
    who: 'admin',
    ...(label !== undefined && { label }),
    request: argv
      ? { method: 'command', path: argv.join(' '), headers: [], body }
      : { method, path: pathname + search, headers, body },
  })
  if (!argv) await send({ url, method, headers, body }, writer, { signal: rig.signal })
  else {
    await new Promise<void>(resolve => {
      execFile(argv[0]!, argv.slice(1), { signal: rig.signal, timeout: rig.timeout }, (failed, stdout, stderr) => {
        writer.head(failed ? 500 : 200, [])
        writer.chunk(Buffer.from(failed ? stderr || failed.message : stdout))
        writer.end()
        resolve()
      })
    })
  }
  return writer.exchange
}

/** Actions whose value is a list. */
const LISTS: readonly ActionName[] = ['audit', 'routes', 'tools', 'servers', 'approvals', 'budgets']

/** The value that an action was asked for, out of its answer; undefined where there is none. */
export function answerOf(target: Target, name: ActionName, e: Exchange | undefined): Json | undefined {
  const status = e?.response?.status ?? 0
  if (status < 200 || status > 299) return undefined
  const { path, command } = target.admin?.actions[name] ?? {}
  const text = e?.response?.body ?? ''
  const isLines = command !== undefined && path === undefined && LISTS.includes(name)
  const body = isLines ? listIn(text) : tryParse(text)
  return path === undefined || body === undefined ? body : at(body, path)
}

/** A list, or the lines of a log, each a JSON value of its own. */
function listIn(text: string): Json | undefined {
  const whole = tryParse(text)
  if (Array.isArray(whole)) return whole
  const values = text.split('\n').flatMap(line => (line.trim() === '' ? [] : [tryParse(line)]))
  const known = values.filter(value => value !== undefined)
  return known.length === values.length ? known : undefined
}

/** A member of such a value, under the name that the gateway gives it. */
export function memberOf(target: Target, name: ActionName, value: Json | undefined, member: string): Json | undefined {
  return at(value, target.admin?.actions[name]?.fields?.[member] ?? member)
}

const filled = (template: string, vars: Vars, how: (value: Json) => string): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = vars[key]
    return value === undefined ? whole : how(value)
  })

const plain = (value: Json): string => (typeof value === 'string' ? value : stringify(value))
const inUrl = (value: Json): string => encodeURIComponent(plain(value))
