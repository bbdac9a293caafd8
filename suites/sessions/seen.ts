import { at } from '../../kit/json.ts'
import { behind, clientExchange, reply, sent } from '../../kit/messages.ts'
import type { Evidence, Exchange, Pairs } from '../../kit/types.ts'

/** Every value of a field, in order. */
export const valuesOf = (headers: Pairs, name: string): string[] =>
  headers.filter(([n]) => n.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

/** The session id that a request to a server carried. */
export const sessionIn = (e: Exchange | undefined): string | undefined =>
  e && valuesOf(e.request.headers, 'mcp-session-id')[0]

/** Which session with the server the request of that label came to; undefined on stdio, and where it did not come. */
export const upstreamSession = (evidence: Evidence, label: string): string | undefined =>
  sessionIn(behind(evidence, clientExchange(evidence, label))[0])

/** The method of the message that a request carried. */
export const methodOf = (e: Exchange): string => {
  const method = at(sent(e), 'method')
  return typeof method === 'string' ? method : ''
}

/** What a request is, in a word or two. */
export const named = (e: Exchange): string => methodOf(e) || `${e.request.method} ${e.request.path}`

/** Everything that reached servers by HTTP within a session: all but `initialize`. */
export const within = (evidence: Evidence): Exchange[] =>
  evidence.backend.filter(e => e.transport === 'http' && methodOf(e) !== 'initialize')

/** A value that the server's own `whoami` told, at its end of the exchange of that label. */
export const toldBy = (evidence: Evidence, label: string, path: string) => {
  const [server] = behind(evidence, clientExchange(evidence, label))
  return server && at(reply(server), `result.structuredContent.${path}`)
}

/** The server of that exchange keeps no sessions: it was reached by HTTP, and no session id was sent or asked for. */
export const isStateless = (evidence: Evidence, label: string): boolean => {
  const [server] = behind(evidence, clientExchange(evidence, label))
  return server?.transport === 'http' && sessionIn(server) === undefined && server.response?.status === 200
}
