import { type Json, show } from '../json.ts'
import { type HeaderOverrides, type PostOptions, post, type Session, sessionOf } from '../session.ts'
import type { Act, Rig, ServerName, Step } from '../types.ts'

/** What every sending step can be told. */
export interface SendOptions {
  /** The name by which claims find this exchange. */
  readonly as?: string
  /** Which of several clients sends it; each has its own session. The usual one is `a`. */
  readonly who?: string
  /** The server that it is meant for; the usual one is the first that is behind the gateway. */
  readonly on?: ServerName
  /** The request id, as any JSON value; the usual one counts from 1. */
  readonly id?: unknown
  /** Header fields to set, send several times (a list) or leave out (undefined). */
  readonly headers?: HeaderOverrides
  /** Members of `params._meta`, beside the mark. */
  readonly meta?: object
  /** Members of `params` that no specification knows. */
  readonly extra?: object
  /** The arguments carry the mark of the check, not that of the exchange: calls with equal arguments are then the same call. */
  readonly alike?: true
  /** What the server does in place of its usual answer. */
  readonly acts?: readonly Act[]
  /** Takes the head of the answer, and reads nothing more until `readOn`. */
  readonly stalls?: boolean
  readonly url?: (session: Session) => string
}

/** A session, the mark of the exchange, and how it is to be sent. */
export interface Prepared {
  readonly session: Session
  readonly mark: string
  readonly options: PostOptions
}

/** Opens the session where there is none yet, and takes the next mark. */
export const prepare = async (rig: Rig, o: SendOptions): Promise<Prepared> => {
  const session = await sessionOf(rig, o.who, o.on)
  const mark = rig.next()
  const hangUp = new AbortController()
  if (o.as !== undefined) rig.memory.set(`hang up ${o.as}`, hangUp)
  const readsFrom = o.stalls
    ? new Promise<void>(resolve => rig.memory.set(`read on ${o.as ?? ''}`, resolve))
    : undefined
  const options = {
    label: o.as,
    headers: o.headers,
    acts: o.acts,
    mark,
    abort: hangUp.signal,
    readsFrom,
    ...(o.url && { url: o.url(session) }),
  }
  return { session, mark, options }
}

/** Sends what `text` makes of the session and the mark. */
export const sending = (says: string, o: SendOptions, text: (rig: Rig, p: Prepared) => string | Uint8Array): Step => ({
  says: [says, ...details(o)].join(', '),
  async run(rig) {
    const prepared = await prepare(rig, o)
    await post(rig, prepared.session, text(rig, prepared), prepared.options)
  },
})

/** What is unusual about a request, for its sentence. */
export function details(o: SendOptions): string[] {
  const headers = Object.entries(o.headers ?? {}).map(([k, v]) =>
    v === undefined ? `without the header ${k}` : `with the header ${k}: ${[v].flat().join(' and ')}`,
  )
  return [
    ...(o.on ? [`on the server ${o.on}`] : []),
    ...(o.who ? [`as client ${o.who}`] : []),
    ...(o.id !== undefined ? [`with the id ${shown(o.id, 60)}`] : []),
    ...headers,
    ...(o.meta ? [`with ${shown(o.meta)} in _meta`] : []),
    ...(o.acts ? ['which the server answers as the check has it'] : []),
    ...(o.stalls ? ['reading only the head of the answer at first'] : []),
  ]
}
/** A plain value, shown on one line. */
export const shown = (value: unknown, max = 80): string => show(value as Json, max)

/** Params with what the options add to them. */
export const paramsOf = (params: object, o: SendOptions) => ({
  ...params,
  ...o.extra,
  ...(o.meta && { _meta: o.meta }),
})
