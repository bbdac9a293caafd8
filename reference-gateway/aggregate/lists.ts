import { edit, get, getString, values } from '../json.ts'
import { code, errorMessage, resultMessage } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Connection } from './connection.ts'
import { mergedList } from './merge.ts'
import { exposedName } from './names.ts'
import { pages, Refused } from './pages.ts'
import type { Session } from './session.ts'

/** A list of several backends: the capability that has it, its key in the result, and how an item is offered. */
interface List {
  readonly capability: string
  readonly key: string
  offer(session: Session, backend: string, item: string): string
}

const named = (_session: Session, backend: string, item: string) =>
  member(item, 'name', own => exposedName(backend, own))

/** The methods that ask all backends. */
export const lists: Readonly<Record<string, List>> = {
  'tools/list': { capability: 'tools', key: 'tools', offer: named },
  'prompts/list': { capability: 'prompts', key: 'prompts', offer: named },
  'resources/list': {
    capability: 'resources',
    key: 'resources',
    offer: (session, backend, item) => member(item, 'uri', own => session.uris.expose(own, backend)),
  },
  'resources/templates/list': {
    capability: 'resources',
    key: 'resourceTemplates',
    offer: (session, backend, item) => member(item, 'uriTemplate', own => session.uris.exposeTemplate(own, backend)),
  },
}

/**
 * The response to a list request: all pages of all backends that can be asked, in the order of the configuration. A
 * backend that is down is left out; only where none answers it is an error.
 */
export async function listAll(session: Session, passage: Passage, message: string, list: List): Promise<string> {
  const id = get(message, 'id')!
  const params = get(message, 'params')
  if (params !== undefined && (get(params, 'cursor') ?? 'null') !== 'null') {
    return errorMessage(id, code.params, 'Invalid cursor: this list comes in one page.')
  }
  const method = getString(message, 'method')!
  const { gatherMs } = passage.gateway.settings.timeouts
  const { connections } = session
  const asked = await Promise.allSettled(
    connections.map(async connection => {
      const has = await offers(connection, passage, list.capability, gatherMs)
      return has ? pages(connection, passage, method, params, gatherMs) : undefined
    }),
  )
  const found = asked.flatMap((one, index) => {
    if (one.status === 'rejected' || !one.value) return []
    return [{ backend: connections[index]!.backend.name, results: one.value }]
  })
  if (found.length === 0) return nothing(id, method, asked)
  if (list.capability === 'resources') await session.learn(passage)
  const items = found.flatMap(({ backend, results }) =>
    results.flatMap(result => values(get(result, [list.key]) ?? '[]').map(item => list.offer(session, backend, item))),
  )
  const results = found.flatMap(one => one.results)
  return resultMessage(id, mergedList(results, list.key, items))
}

/** True where the backend declares the capability. Opens its session where it is not open. Rejects where it is late. */
async function offers(connection: Connection, passage: Passage, capability: string, ms: number): Promise<boolean> {
  const welcome = await within(ms, connection.open(passage), connection.backend.name)
  return get(welcome.capabilities, [capability]) !== undefined
}

/** The promise's value, or a rejection after so many ms; the work goes on. */
export async function within<T>(ms: number, work: Promise<T>, backend: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const message = `The server "${backend}" sent no answer within ${ms} ms.`
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function nothing(id: string, method: string, asked: readonly PromiseSettledResult<unknown>[]): string {
  const [first] = asked.flatMap(one => (one.status === 'rejected' ? [one.reason as Error] : []))
  if (!first) return errorMessage(id, code.method, `Method not found: ${method}`)
  if (first instanceof Refused) return `{"jsonrpc":"2.0","id":${id},"error":${first.error}}`
  return errorMessage(id, code.internal, first.message)
}

function member(item: string, key: string, offered: (own: string) => string): string {
  return edit(item, [key], raw => {
    if (raw[0] !== '"') return raw
    const own = JSON.parse(raw) as string
    const made = offered(own)
    return made === own ? raw : JSON.stringify(made)
  })
}
