import { type OpenOptions, open as openSession, Unjudged } from '../session.ts'
import type { Rig, Secure, Step, Way } from '../types.ts'
import { NO_ADDRESS } from '../wire.ts'

/** Another address of this machine; Linux and Windows have all of 127.0.0.0/8. */
export const OTHER_ADDRESS = '127.0.0.2'

const DOORS = {
  certificate: 'by TLS, with its certificate',
  'foreign certificate': 'by TLS, with a certificate that somebody else signed',
  'no certificate': 'by TLS, without a certificate',
  'other address': `from the address ${OTHER_ADDRESS}`,
} as const

/** By which way a client comes. */
export type Door = keyof typeof DOORS

/** Opens a session by another way; the client goes on by it. It may fail: that is for the claims to say. */
export const enter = (
  door: Door,
  o: Pick<OpenOptions, 'headers'> & { readonly as?: string; readonly who?: string } = {},
): Step => ({
  says: `opens a session ${DOORS[door]}${o.who ? `, as client ${o.who}` : ''}`,
  async run(rig) {
    const { as, ...rest } = o
    const { answer } = await openSession(rig, { ...rest, ...(as !== undefined && { label: as }), ...wayOf(rig, door) })
    if (answer.failure === NO_ADDRESS) throw new Unjudged(NO_ADDRESS)
  },
})

function wayOf(rig: Rig, door: Door): { readonly at?: string; readonly way: Way } {
  if (door === 'other address') return { way: { localAddress: OTHER_ADDRESS } }
  const { secure } = rig.target
  if (!secure) throw new Unjudged('the target has no address by TLS')
  return { at: secure.url, way: { tls: { ca: secure.ca, ...shownBy(secure, door) } } }
}

function shownBy({ cert, key, foreignCert, foreignKey }: Secure, door: Door) {
  if (door === 'certificate') return { cert, key }
  return door === 'foreign certificate' ? { cert: foreignCert, key: foreignKey } : {}
}
