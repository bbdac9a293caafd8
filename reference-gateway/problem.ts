import { STATUS_CODES } from 'node:http'
import { get, getString, valid, values } from './json.ts'
import { errorMessage, kindOf } from './jsonrpc.ts'
import type { Refusal } from './types.ts'

/** What goes into `error.data`: a problem as in RFC 9457, as raw JSON. Members of `more` win over the usual ones. */
export function problem(status: number, detail: string, instance: string | undefined, more: object = {}): string {
  const title = STATUS_CODES[status] ?? 'Error'
  return JSON.stringify({ type: 'about:blank', title, status, detail, ...(instance && { instance }), ...more })
}

/** What the request was about: `/tools/call/<tool>` for a tool, `/<method>` for anything else. */
export function instanceOf(request: string): string | undefined {
  const method = getString(request, 'method')
  if (method === undefined) return undefined
  const tool = method === 'tools/call' ? getString(request, 'params.name') : undefined
  return [method, ...(tool === undefined ? [] : [tool])].map(part => `/${encoded(part)}`).join('')
}

/** The body that refuses each request in this one: a JSON-RPC error, or a batch of them; with the id null where there is none. */
export function refusalBody({ status, code, message, data }: Omit<Refusal, 'seed'>, body: string): string {
  const requests = requestsIn(body)
  const errors = (requests.length ? requests : ['{}']).map(request =>
    errorMessage(get(request, 'id'), code, message, problem(status, message, instanceOf(request), data)),
  )
  return errors.length > 1 ? `[${errors.join(',')}]` : errors[0]!
}

/** As it may stand in a path, slashes of methods aside. Half a pair of surrogates can't be encoded, so it is replaced. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString()).replaceAll('%2F', '/')

function requestsIn(body: string): string[] {
  if (!valid(body)) return []
  const all = body.trimStart()[0] === '[' ? values(body) : [body]
  return all.filter(message => kindOf(message) === 'request')
}
