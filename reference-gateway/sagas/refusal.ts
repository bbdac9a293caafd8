import { get, getString, valid, values } from '../json.ts'
import { code, errorMessage, kindOf } from '../jsonrpc.ts'
import { problem } from '../problem.ts'
import type { Saga } from './saga.ts'

/** The platform's code for a call that belongs to a workflow which is being compensated. */
const COMPENSATING = -32003

/** The workflow because of which a call is refused; `find` knows it by its trace. */
type Find = (traceId: string) => Saga | undefined

/** Refuses the calls in this body that belong to such a workflow, and with them the batch that they are in; undefined where there is none. */
export function refusalOf(body: string, find: Find): string | undefined {
  if (!valid(body)) return undefined
  const messages = body.trimStart()[0] === '[' ? values(body) : [body]
  const found = messages.map(message => sagaOf(message, find))
  if (!found.some(saga => saga)) return undefined
  const errors = messages.flatMap((message, index) => {
    const saga = found[index]
    if (kindOf(message) !== 'request' && messages.length > 1) return []
    const id = get(message, 'id')
    if (saga) return [errorOf(id, message, saga)]
    return [errorMessage(id, code.invalid, 'Not run: the batch holds a call of a workflow that is being compensated.')]
  })
  return messages.length > 1 ? `[${errors.join(',')}]` : errors[0]!
}

function sagaOf(message: string, find: Find): Saga | undefined {
  if (getString(message, 'method') !== 'tools/call') return undefined
  const traceId = getString(message, 'params._meta.traceId')
  return traceId === undefined ? undefined : find(traceId)
}

function errorOf(id: string | undefined, message: string, { id: sagaId, traceId, state }: Saga): string {
  const detail = `The workflow ${sagaId} of this trace is being undone: call again when it is COMPENSATED.`
  const tool = encodeURIComponent(getString(message, 'params.name') ?? '')
  const data = problem(500, detail, `/tools/call/${tool}`, {
    type: 'urn:mcp-gateway:problem:compensating',
    title: 'COMPENSATING_TX_TRIGGERED',
    sagaId,
    traceId,
    state,
  })
  return errorMessage(id, COMPENSATING, `Compensating Tx Triggered: ${detail}`, data)
}
