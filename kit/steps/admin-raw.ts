import { Unjudged } from '../session.ts'
import type { Pairs, Rig, Step } from '../types.ts'
import { send } from '../wire.ts'

/** One request to the operators' side, just as given. */
export interface RawAdmin {
  /** GET where not given. */
  readonly method?: string
  /** `{{name}}` in it becomes the check's mark, which is good as a name. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, `{{name}}` filled in; as JSON where `headers` say nothing else. */
  readonly body?: string
  /** What lets an operator in: shown where not given. */
  readonly credentials?: 'right' | 'none' | 'wrong'
  /** The name by which claims find this exchange. */
  readonly as: string
}

const CREDENTIALS = { right: '', none: ', without credentials', wrong: ', with wrong credentials' } as const

/** Sends any request to the operators' side: with other credentials, from another origin, with a body that is wrong. */
export const adminRaw = ({ method = 'GET', path, headers = {}, body, credentials = 'right', as }: RawAdmin): Step => ({
  says: `sends the control plane ${method} ${path}${body === undefined ? '' : ` with ${body}`}${shown(headers)}${CREDENTIALS[credentials]}`,
  async run(rig) {
    const { admin } = rig.target
    if (!admin) throw new Unjudged('the target has no operators’ side')
    const mark = rig.next()
    const text = Buffer.from(filled(rig, body ?? ''))
    const typed = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
    const all: Pairs = [
      ...shownBy(admin.headers, credentials),
      ...(text.length && !typed ? [['Content-Type', 'application/json'] as const] : []),
      ...(text.length || method === 'GET' ? [] : [['Content-Length', '0'] as const]),
      ...Object.entries(headers),
    ]
    const where = filled(rig, path)
    const writer = rig.recorder.open({
      side: 'client',
      transport: 'http',
      server: rig.target.servers[0] ?? 'crm',
      nonce: mark,
      who: 'admin',
      label: as,
      request: { method, path: where, headers: all, body: text },
    })
    const out = { url: new URL(where, admin.url).href, method, headers: all, body: text }
    await send(out, writer, { signal: rig.signal })
  },
})

const filled = (rig: Rig, text: string): string => text.replaceAll('{{name}}', rig.nonce)

const shown = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `, ${name}: ${value}`)
    .join('')

/** The fields that let an operator in; wrong ones are right but for their end. */
const shownBy = (headers: Pairs, credentials: 'right' | 'none' | 'wrong'): Pairs =>
  credentials === 'none'
    ? []
    : headers.map(([name, value]) => [name, credentials === 'wrong' ? `${value}x` : value] as const)
