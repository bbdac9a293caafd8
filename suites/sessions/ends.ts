import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { behind, clientExchange, reply } from '../../kit/messages.ts'
import { describe, exchange, post, requestText, type Session, sessionHeaders } from '../../kit/session.ts'
import { call, endSession, step } from '../../kit/steps.ts'
import type { Check, Evidence, Exchange, Rig, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { isStateless, sessionIn, upstreamSession } from './seen.ts'

const management = spec('2025-11-25', 'basic/transports', 'session-management')

const isOk = (e: Exchange | undefined): boolean => {
  const status = e?.response?.status ?? 0
  return status >= 200 && status < 300
}

/** The session that the gateway has with the server for the request of that label, held by the kit itself. */
function behindThe(rig: Rig, label: string): Session | undefined {
  const evidence: Evidence = { ...rig.recorder.exchanges(rig.nonce), target: rig.target, revision: rig.revision }
  const server = clientExchange(evidence, label)?.server
  const id = upstreamSession(evidence, label)
  const url = server && rig.servers.url(server)
  if (!server || !url || id === undefined) return undefined
  return { who: 'the kit itself', server, url, routing: [], id, revision: rig.revision, nextId: 1000 }
}

/** Goes past the gateway, waits until the server has been told of the end, and asks in the old session. */
const asks: Step = step('asks the server, past the gateway, whether the session is still there', async rig => {
  const session = behindThe(rig, 'before')
  if (!session) return
  const told = (e: Exchange) => e.request.method === 'DELETE' && sessionIn(e) === session.id
  const seen = () => [...rig.recorder.exchanges(rig.nonce).backend, ...rig.recorder.strays()]
  await rig.recorder.when(() => seen().some(told), 2000, rig.signal)
  const mark = rig.next()
  await post(rig, session, requestText(session.nextId++, 'ping', {}, mark), { mark, label: 'asked' })
})

const loses: Step = step('ends the session at the server, past the gateway, as if it had expired', async rig => {
  const session = behindThe(rig, 'before')
  if (!session) return
  await exchange(rig, session, 'DELETE', sessionHeaders(rig, session), '', { label: 'lost' })
})

/** A result that a server gave. */
const isReal = (evidence: Evidence, e: Exchange): boolean => behind(evidence, e).some(isOk)

/** The end of a session, by whoever ends it. */
export const ends: readonly Check[] = [
  check({
    id: 'sessions/delete-answered',
    title: 'ends a session on DELETE, or says by 405 that clients can’t',
    pack: 'mcp',
    level: 'MAY',
    spec: management,
    catalogue: ['session.delete-supported-or-405'],
    needs: ['sessions'],
    why: 'Any other answer leaves the client in doubt whether the session and its secrets are gone.',
    steps: [call('burst_target'), endSession({ as: 'the DELETE' })],
    claims: [
      client('the DELETE').holds('the status is 2xx or 405', e =>
        isOk(e) || e.response?.status === 405 ? undefined : describe(e),
      ),
    ],
  }),
  check({
    id: 'sessions/ended-404',
    title: 'answers requests in a session that has ended with 404',
    pack: 'mcp',
    level: 'MUST',
    spec: management,
    catalogue: ['session.terminated-404'],
    needs: ['sessions'],
    why: 'Clients begin a new session on 404, and on nothing else.',
    steps: [
      call('burst_target', {}, { as: 'before' }),
      endSession({ as: 'the DELETE' }),
      call('burst_target', {}, { as: 'afterwards' }),
    ],
    claims: [
      client('afterwards').holds('the status is 404, where the session was ended', (e, evidence) => {
        if (!isOk(clientExchange(evidence, 'the DELETE'))) return undefined
        return e.response?.status === 404 ? undefined : describe(e)
      }),
    ],
  }),
  check({
    id: 'sessions/delete-propagated',
    title: 'ends its session with the server when the client ends the one with the gateway',
    pack: 'mcp',
    level: 'SHOULD',
    spec: management,
    catalogue: ['session.delete-propagated'],
    needs: ['sessions', 'http-backend'],
    why: 'The server keeps the session and all that belongs to it, for every client that ever was.',
    steps: [
      call('burst_target', {}, { as: 'before' }),
      call('burst_target', {}, { who: 'b', as: 'of another client' }),
      endSession({ as: 'the DELETE' }),
      asks,
    ],
    claims: [
      claim('backend', 'the session with the server is gone, where it was of this client alone', evidence => {
        const own = upstreamSession(evidence, 'before')
        const shared = own === upstreamSession(evidence, 'of another client')
        if (own === undefined || shared || !isOk(clientExchange(evidence, 'the DELETE'))) return undefined
        const asked = clientExchange(evidence, 'asked')
        if (!asked) return 'it could not be asked for'
        return asked.response?.status === 404 ? undefined : `it is still there: ${describe(asked)}`
      }),
    ],
  }),
  check({
    id: 'sessions/expired-session-told',
    title: 'begins a new session with a server that has ended the old one, or hands its 404 on',
    pack: 'mcp',
    level: 'MUST',
    spec: management,
    catalogue: ['session.backend-404-handled'],
    needs: ['sessions', 'http-backend'],
    alone: true,
    why: 'Servers end sessions that were idle. Else every call fails from then on, or seems to succeed and does nothing.',
    steps: [
      call('echo', {}, { as: 'before' }),
      loses,
      call('echo', { after: 1 }, { as: 'the first call afterwards' }),
      call('echo', { after: 2 }, { as: 'the second call afterwards' }),
    ],
    given: [
      claim('backend', 'the server ended the session', evidence => {
        if (isStateless(evidence, 'before')) return undefined
        const lost = clientExchange(evidence, 'lost')
        return isOk(lost) ? undefined : lost ? describe(lost) : 'the call before did not reach it'
      }),
    ],
    claims: [
      claim(
        'client',
        'a call afterwards is answered by the server or with 404, the second one at the latest',
        evidence => {
          const calls = evidence.client.filter(e => e.label?.endsWith('call afterwards'))
          const well = (e: Exchange) =>
            e.response?.status === 404 || (at(reply(e), 'result') !== undefined && isReal(evidence, e))
          return calls.some(well) ? undefined : calls.map(describe).join(', then ')
        },
      ),
      claim('client', 'no call succeeds that no server answered', evidence => {
        const made = evidence.client.find(
          e => e.label?.endsWith('call afterwards') && at(reply(e), 'result') !== undefined && !isReal(evidence, e),
        )
        return made && `${made.label}: ${made.response?.body.slice(0, 100)}`
      }),
    ],
  }),
]
