import { get, getString, object } from '../json.ts'
import { code, errorMessage, resultMessage } from '../jsonrpc.ts'
import type { Passage } from '../passage.ts'
import { within } from './lists.ts'
import { mergedCapabilities, mergedInstructions } from './merge.ts'
import { Session } from './session.ts'

/** The revisions that the aggregating endpoint speaks, oldest first. */
export const REVISIONS: readonly string[] = ['2025-03-26', '2025-06-18', '2025-11-25']

const SERVER_INFO = '{"name":"mcp-reference-gateway","title":"Reference gateway of mcp-conformance","version":"1.0.0"}'

/** A new session and the response that begins it; no session where no backend can be reached. */
export async function initialize(
  passage: Passage,
  message: string,
): Promise<{ readonly session?: Session; readonly response: string }> {
  const id = get(message, 'id')!
  const wanted = getString(message, 'params.protocolVersion')
  if (wanted === undefined) return { response: errorMessage(id, code.params, 'Missing protocolVersion') }
  const revision = REVISIONS.includes(wanted) ? wanted : REVISIONS.at(-1)!
  const session = new Session(passage.gateway, get(message, 'params')!, revision)
  const { gatherMs } = passage.gateway.settings.timeouts
  const opened = await Promise.allSettled(
    session.connections.map(one => within(gatherMs, one.open(passage), one.backend.name)),
  )
  const welcomes = session.connections.flatMap(({ backend, welcome }) => (welcome ? [{ backend, welcome }] : []))
  if (welcomes.length === 0) {
    const reasons = opened.map(one => (one.status === 'rejected' ? one.reason.message : '')).join(' ')
    return { response: errorMessage(id, code.internal, `No server can be reached. ${reasons}`) }
  }
  const instructions = mergedInstructions(
    welcomes.flatMap(({ backend, welcome }) => {
      return welcome.instructions === undefined ? [] : [[backend.name, welcome.instructions] as const]
    }),
  )
  const result: [string, string][] = [
    ['protocolVersion', JSON.stringify(revision)],
    ['capabilities', mergedCapabilities(welcomes.map(({ welcome }) => welcome.capabilities))],
    ['serverInfo', SERVER_INFO],
  ]
  if (instructions !== undefined) result.push(['instructions', JSON.stringify(instructions)])
  return { session, response: resultMessage(id, object(result)) }
}
