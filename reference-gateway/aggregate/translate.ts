import { edit, getString } from '../json.ts'
import { kindOf } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { clientId, exposedId } from './ids.ts'
import type { Session } from './session.ts'

/**
 * A backend's message in the client's terms: the client's own id, ids and tokens of the backend with its name in front,
 * URIs as they are offered. All else stays as it was written.
 */
export function translate(
  session: Session,
  backend: string,
  passage: Passage,
  message: string,
): string | Promise<string> {
  const kind = kindOf(message)
  if (kind === 'request') return edit(edit(message, 'params._meta.progressToken', ours), 'id', ours)
  if (kind === 'response') {
    const restored = edit(message, 'id', raw => clientId(raw) ?? raw)
    return restored.includes('"uri"') ? learnt(() => resultUris(restored)) : restored
  }
  const method = getString(message, 'method')
  if (method === 'notifications/cancelled') return edit(message, 'params.requestId', ours)
  if (method === 'notifications/resources/updated') return learnt(() => edit(message, 'params.uri', offered))
  if (method === 'notifications/resources/list_changed') session.unlearn()
  return message

  function ours(raw: string): string {
    return exposedId(backend, raw)
  }

  function learnt(change: () => string): Promise<string> {
    return session.learn(passage).then(change)
  }

  /** Resources that were read, and blocks of content: of a tool, or of the messages of a prompt. */
  function resultUris(text: string): string {
    const read = edit(text, 'result.contents.*.uri', offered)
    return edit(edit(read, 'result.content', blocks), 'result.messages.*.content', blocks)
  }

  function blocks(raw: string): string {
    return raw[0] === '[' ? edit(raw, '*', block) : block(raw)
  }

  function block(raw: string): string {
    return edit(edit(raw, 'uri', offered), 'resource.uri', offered)
  }

  function offered(raw: string): string {
    if (raw[0] !== '"') return raw
    const uri = JSON.parse(raw) as string
    const exposed = session.uris.expose(uri, backend)
    return exposed === uri ? raw : JSON.stringify(exposed)
  }
}
