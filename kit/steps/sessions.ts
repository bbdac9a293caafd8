import { adopt as adoptSession } from '../adopt.ts'
import { exchange, type HeaderOverrides, type OpenOptions, open as openSession, sessionHeaders } from '../session.ts'
import type { Rig, ServerName, Step } from '../types.ts'
import { sendRaw } from '../wire.ts'
import { details, prepare, type SendOptions } from './sending.ts'

/** Opens a session in the open: with the handshake as the thing to look at. */
export const open = (o: OpenOptions & { readonly as?: string; readonly on?: ServerName } = {}): Step => ({
  says: `opens a session${o.who ? ` as client ${o.who}` : ''}${o.on ? ` with the server ${o.on}` : ''}${o.revision ? ` asking for revision ${o.revision}` : ''}${o.acts ? ', which the server answers as the check has it' : ''}`,
  async run(rig) {
    const { as, on, ...rest } = o
    await openSession(rig, { ...rest, ...(as !== undefined && { label: as }), ...(on && { server: on }) })
  },
})

/** Makes a session id up, as clients of the SyncSeries platform do: no handshake comes first. */
export const adopt = (id: (rig: Rig) => string, says: string, who?: string): Step => ({
  says: `${who ? `as client ${who} ` : ''}goes on in ${says}`,
  run: rig => adoptSession(rig, id(rig), who),
})

/** Ends the session with DELETE. */
export const endSession = (o: SendOptions = {}): Step => http('DELETE', 'ends the session with DELETE', {}, o)

/** GET for the stream on which a server sends of its own accord; run it within `start`. */
export const listen = (o: SendOptions = {}): Step =>
  http('GET', 'opens the stream of the session with GET', { Accept: 'text/event-stream' }, o)

/** Any HTTP method in the session, without a body. */
export const http = (method: string, says: string, headers: HeaderOverrides = {}, o: SendOptions = {}): Step => ({
  says: [says, ...details(o)].join(', '),
  async run(rig) {
    const { session, options } = await prepare(rig, o)
    const all = { ...headers, ...o.headers }
    await exchange(rig, session, method, sessionHeaders(rig, session), '', { ...options, headers: all })
  },
})

/**
 * Raw text over a bare connection to the gateway; `{{path}}`, `{{host}}`, `{{session}}` (header lines) and `{{nonce}}`
 * are filled in. With `untilClose` it reads on beyond the first answer, for texts that hold several requests.
 */
export const bytes = (text: string, says: string, o: SendOptions & { readonly untilClose?: boolean } = {}): Step => ({
  says,
  async run(rig) {
    const { session, mark } = await prepare(rig, o)
    const { host, pathname, search } = new URL(session.url)
    const lines = sessionHeaders(rig, session).map(([n, v]) => `${n}: ${v}\r\n`)
    const filled = text
      .replaceAll('{{path}}', pathname + search)
      .replaceAll('{{host}}', host)
      .replaceAll('{{session}}', lines.join(''))
      .replaceAll('{{nonce}}', mark)
    const writer = rig.recorder.open({
      side: 'client',
      transport: 'http',
      server: session.server,
      nonce: mark,
      who: session.who,
      ...(o.as !== undefined && { label: o.as }),
      request: { method: 'raw', path: pathname, headers: [], body: Buffer.from(filled) },
    })
    await sendRaw(session.url, filled, writer, { signal: rig.signal, untilClose: o.untilClose ?? false })
  },
})
