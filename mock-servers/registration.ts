import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { at, type Json, JsonNumber, stringify, tryParse } from '../kit/json.ts'

/** The control plane of a gateway that servers register with. */
export interface RegisterAt {
  /** Its origin: `http://127.0.0.1:8888`. */
  readonly url: string
  /** The bearer token for it. */
  readonly token: string
  /** Told, in one sentence, what has become of a registration, where that has changed. */
  readonly says?: (sentence: string) => void
}

/** What a server says of itself. */
export interface Entry {
  readonly name: string
  readonly service: string
  readonly url: string
}

/** The registration of one server, while it runs. */
export interface Registration {
  /** Resolves when the first attempt is over: true where it is registered. */
  readonly first: Promise<boolean>
  /** Takes the server out, where the control plane can be reached. Never rejects. */
  close(): Promise<void>
}

/** How long the control plane may take, in ms, and how long it is left alone where it did not answer. */
const PATIENCE_MS = 2000
const AGAIN_MS = 1000

/**
 * Registers a server, renews as often as it must, and registers again where it was forgotten. A control plane that is away
 * is tried again; nothing here keeps the process or fails.
 */
export function register(where: RegisterAt, entry: Entry): Registration {
  const path = `/api/v1/registry/${encodeURIComponent(entry.name)}`
  let known = false
  let last = ''
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const say = (sentence: string) => {
    if (sentence !== last) where.says?.(sentence)
    last = sentence
  }
  const again = (ms: number) => {
    if (!closed) timer = setTimeout(() => void turn(), ms).unref()
  }
  const turn = async (): Promise<void> => {
    const answer = known
      ? await ask(where, 'PUT', path)
      : await ask(where, 'POST', '/api/v1/registry', stringify({ ...entry }))
    if (known && answer?.status === 404) {
      known = false
      return turn()
    }
    known = answer !== undefined && answer.status >= 200 && answer.status < 300
    if (known) say(`${entry.name} is registered at ${where.url}.`)
    else say(`${entry.name} is not registered at ${where.url}: ${why(answer)}.`)
    again(known ? (secondsIn(answer?.body) * 1000) / 3 : AGAIN_MS)
  }
  return {
    first: turn().then(() => known),
    async close() {
      closed = true
      clearTimeout(timer)
      if (known) await ask(where, 'DELETE', path)
    },
  }
}

interface Answer {
  readonly status: number
  readonly body: Json | undefined
}

/** Undefined where there is no answer. */
function ask({ url, token }: RegisterAt, method: string, path: string, body = ''): Promise<Answer | undefined> {
  return new Promise(resolve => {
    const target = new URL(path, url)
    const start = target.protocol === 'https:' ? httpsRequest : httpRequest
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Length': Buffer.byteLength(body),
      ...(body && { 'Content-Type': 'application/json' }),
    }
    const request = start(target, { method, headers, agent: false, timeout: PATIENCE_MS }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('close', () => resolve({ status: response.statusCode ?? 0, body: tryParse(text) }))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
    request.on('socket', socket => socket.unref())
    request.end(body)
  })
}

function secondsIn(body: Json | undefined): number {
  const seconds = at(body, 'leaseSeconds')
  const given = seconds instanceof JsonNumber ? Number(seconds.text) : Number.NaN
  return given > 0 ? given : 15
}

function why(answer: Answer | undefined): string {
  if (!answer) return 'nobody answers there'
  const detail = at(answer.body, 'detail')
  return typeof detail === 'string'
    ? `status ${answer.status}, ${detail.replace(/\.$/, '')}`
    : `status ${answer.status}`
}
