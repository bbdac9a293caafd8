import { edit, get, getString } from '../json.ts'
import { code, errorMessage, resultMessage } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import type { Connection } from './connection.ts'
import type { Line } from './line.ts'
import { listAll, lists } from './lists.ts'
import { ownName } from './names.ts'
import { relay } from './relay.ts'
import type { Session } from './session.ts'

/** Answers one request of a client with an open session: by itself, from all backends, or from the one it is for. */
export async function request(session: Session, passage: Passage, message: string, line: Line): Promise<void> {
  const id = get(message, 'id')!
  const answer = (response: string) => {
    line.respond(response)
    line.finish()
  }
  const method = getString(message, 'method') ?? ''
  if (method === 'ping') return answer(resultMessage(id, '{}'))
  const list = Object.hasOwn(lists, method) ? lists[method] : undefined
  if (list) return answer(await listAll(session, passage, message, list))
  if (method === 'logging/setLevel') return answer(await setLevel(session, passage, message))
  const target = await targetOf(session, passage, message, method)
  if (typeof target === 'string') answer(target)
  else await relay(session, target.connection, passage, target.message, line)
}

/** Where a request goes and in which words, or the error to answer with. */
type Target = { readonly connection: Connection; readonly message: string } | string

async function targetOf(session: Session, passage: Passage, message: string, method: string): Promise<Target> {
  const id = get(message, 'id')!
  switch (method) {
    case 'tools/call':
      return byName(session, message, 'params.name', 'tool')
    case 'prompts/get':
      return byName(session, message, 'params.name', 'prompt')
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return byUri(session, passage, message, 'params.uri')
    case 'completion/complete':
      return getString(message, 'params.ref.type') === 'ref/resource'
        ? byUri(session, passage, message, 'params.ref.uri')
        : byName(session, message, 'params.ref.name', 'prompt')
    case 'initialize':
      return errorMessage(id, code.invalid, 'This session is initialized already.')
    default:
      return errorMessage(id, code.method, `Method not found: ${method}`)
  }
}

function byName(session: Session, message: string, path: string, kind: string): Target {
  const exposed = getString(message, path)
  const own = exposed === undefined ? undefined : ownName(exposed)
  const connection = own && session.to(own.backend)
  if (!own || !connection) {
    const said = exposed === undefined ? `Missing name of the ${kind}` : `Unknown ${kind}: ${exposed}`
    return errorMessage(get(message, 'id'), code.params, said)
  }
  return { connection, message: edit(message, path, () => JSON.stringify(own.name)) }
}

async function byUri(session: Session, passage: Passage, message: string, path: string): Promise<Target> {
  const id = get(message, 'id')
  const exposed = getString(message, path)
  if (exposed === undefined) return errorMessage(id, code.params, 'Missing URI of the resource')
  await session.learn(passage)
  let own = session.uris.resolve(exposed)
  if (own === 'nobody') {
    session.unlearn()
    await session.learn(passage)
    own = session.uris.resolve(exposed)
  }
  if (own === 'several') {
    const said = `Several servers have ${exposed}: put one's name and "+" before it`
    return errorMessage(id, code.params, said, JSON.stringify({ uri: exposed }))
  }
  const connection = own === 'nobody' ? undefined : session.to(own.backend)
  if (own === 'nobody' || !connection) {
    return errorMessage(id, NOT_FOUND, `Resource not found: ${exposed}`, JSON.stringify({ uri: exposed }))
  }
  const { uri } = own
  return { connection, message: uri === exposed ? message : edit(message, path, () => JSON.stringify(uri)) }
}

/** The code for an unknown resource up to 2025-11-25. */
const NOT_FOUND = -32002

/** The level is for all backends that log. */
async function setLevel(session: Session, passage: Passage, message: string): Promise<string> {
  const id = get(message, 'id')!
  const logging = session.connections.filter(
    ({ welcome }) => get(welcome?.capabilities ?? '{}', 'logging') !== undefined,
  )
  if (logging.length === 0) return errorMessage(id, code.method, 'Method not found: logging/setLevel')
  const { gatherMs } = passage.gateway.settings.timeouts
  const asked = await Promise.allSettled(
    logging.map(one => one.ask(passage, 'logging/setLevel', get(message, 'params'), gatherMs)),
  )
  const responses = asked.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const best = responses.find(response => get(response, 'result') !== undefined) ?? responses[0]
  if (best !== undefined) return edit(best, 'id', () => id)
  return errorMessage(id, code.internal, String((asked[0] as PromiseRejectedResult).reason.message))
}
