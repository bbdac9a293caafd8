import { changes, sayChanges, type Tolerance } from './compare.ts'
import { at, differences, isObject, type Json, json, shorten, show, stringify } from './json.ts'
import { behind, clientExchange, messages, notifications, reply, sent } from './messages.ts'
import { describe } from './session.ts'
import type { Claim, Evidence, Exchange, Side } from './types.ts'
import { field } from './wire.ts'

/** Header field values as they stood, several ones apart. */
const valuesOf = (e: Exchange, side: Side, name: string): string[] => {
  const headers = side === 'backend' ? e.request.headers : (e.response?.headers ?? [])
  return headers.filter(([n]) => n.toLowerCase() === name.toLowerCase()).map(([, v]) => v)
}

const matches = (expected: string | RegExp, value: string) =>
  typeof expected === 'string' ? value === expected : expected.test(value)

/** `of "label"`, for sentences. */
const of = (label?: string) => (label === undefined ? '' : ` of "${label}"`)

/** What the client saw: of the last exchange, or of the one with that label. */
export function client(label?: string) {
  const about = (says: string, refute: (e: Exchange, evidence: Evidence) => string | undefined): Claim => ({
    about: 'client',
    says: `${says}${of(label)}`,
    refute: evidence => {
      const e = clientExchange(evidence, label)
      return e === undefined ? 'the kit sent no such request' : refute(e, evidence)
    },
  })
  return {
    /** The status lies in the range. */
    status: (from: number, to = from) =>
      about(from === to ? `the status is ${from}` : `the status is ${from} to ${to}`, e => {
        const status = e.response?.status
        return status !== undefined && status >= from && status <= to ? undefined : describe(e)
      }),
    /** The field is there once, with this value. */
    header: (name: string, value: string | RegExp) =>
      about(`${name} is ${String(value)} in the answer`, e => oneValue(valuesOf(e, 'client', name), name, value)),
    noHeader: (name: string) =>
      about(`there is no ${name} in the answer`, e => {
        const found = valuesOf(e, 'client', name)
        return found.length ? `${name}: ${found.join(' | ')}` : undefined
      }),
    /** A whole answer came, cut off nowhere. */
    whole: () =>
      about('a whole answer comes', e => (e.endedAt === undefined ? (e.failure ?? 'it has not ended') : undefined)),
    /** The body is exactly this text. */
    body: (text: string) =>
      about(`the body is ${JSON.stringify(shorten(text, 60))}`, e => {
        const got = e.response?.body
        return got === text ? undefined : got === undefined ? describe(e) : JSON.stringify(shorten(got))
      }),
    /** The answer is a JSON-RPC result. */
    succeeds: () =>
      about('the answer is a result', e => (at(reply(e), 'result') === undefined ? describe(e) : undefined)),
    /** The value at that path of the result, compared in meaning. */
    result: (path: string | readonly string[], expected: unknown) =>
      about(`result.${[path].flat().join('.')} is ${show(json(expected), 80)}`, e => {
        const result = at(reply(e), 'result')
        if (result === undefined) return describe(e)
        return sayChanges(changes(json(expected), at(result, path)), 'expected', 'seen')
      }),
    /** The answer is a JSON-RPC error; with this code, where given. */
    error: (code?: number) =>
      about(code === undefined ? 'the answer is a JSON-RPC error' : `the answer is the JSON-RPC error ${code}`, e => {
        const error = at(reply(e), 'error')
        if (!isObject(error)) return describe(e)
        if (typeof at(error, 'message') !== 'string') return `an error without a message: ${show(error)}`
        return code === undefined || stringify(error['code'] ?? null) === String(code) ? undefined : describe(e)
      }),
    /** The answer carries the id of the request: same type, same value. */
    sameId: () =>
      about('the answer has the id of the request', e => {
        const id = at(sent(e), 'id')
        const got = reply(e)
        if (got === undefined) return describe(e)
        return sayChanges(differences(id, got['id']), 'sent', 'got')
      }),
    /** So many events with data. */
    events: (count: number) =>
      about(`${count} events arrive`, e => {
        const seen = e.events.filter(x => x.hasData && x.data !== '').length
        return seen === count ? undefined : `${seen} events${e.failure ? ` (${e.failure})` : ''}`
      }),
    /** The progress values, in order. */
    progress: (...values: readonly number[]) =>
      about(`the progress is ${values.join(', ')}, in this order`, e => {
        const seen = notifications(e, 'notifications/progress').map(n => show(at(n, 'params.progress')))
        return seen.join() === values.join() ? undefined : seen.length ? seen.join(', ') : `no progress, ${describe(e)}`
      }),
    /** Anything else about this exchange. */
    holds: (says: string, refute: (e: Exchange, evidence: Evidence) => string | undefined) => about(says, refute),
  }
}

/** What the server behind saw of that exchange: of the last one, or of the one with that label. */
export function backend(label?: string) {
  const all = (says: string, refute: (seen: Exchange[], evidence: Evidence) => string | undefined): Claim => ({
    about: 'backend',
    says: `${says}${of(label)}`,
    refute: evidence => refute(behind(evidence, clientExchange(evidence, label)), evidence),
  })
  const about = (says: string, refute: (e: Exchange, evidence: Evidence) => string | undefined): Claim =>
    all(says, (seen, evidence) =>
      seen[0] === undefined ? 'nothing of it reached the server' : refute(seen[0], evidence),
    )
  return {
    /** The request reached a server: once, and not more often. */
    once: () =>
      all('the request reaches the server once', seen =>
        seen.length === 1
          ? undefined
          : seen.length === 0
            ? 'nothing of it reached the server'
            : `it came ${seen.length} times`,
      ),
    /** Nothing of it reached a server. */
    never: () =>
      all('nothing of it reaches a server', seen =>
        seen.length ? `${seen[0]!.request.method} ${seen[0]!.request.path} reached ${seen[0]!.server}` : undefined,
      ),
    /** It reached that server, and no other. */
    at: (server: string) =>
      all(`the request reaches the server ${server} alone`, seen => {
        const where = [...new Set(seen.map(e => e.server))]
        return where.length === 1 && where[0] === server
          ? undefined
          : where.length
            ? where.join(' and ')
            : 'nothing of it reached a server'
      }),
    header: (name: string, value: string | RegExp) =>
      about(`${name} is ${String(value)} in the request`, e => oneValue(valuesOf(e, 'backend', name), name, value)),
    noHeader: (name: string) =>
      about(`there is no ${name} in the request`, e => {
        const found = valuesOf(e, 'backend', name)
        return found.length ? `${name}: ${found.join(' | ')}` : undefined
      }),
    /** The value at that path of the request, compared in meaning. */
    message: (path: string | readonly string[], expected: unknown) =>
      about(`${[path].flat().join('.')} is ${show(json(expected), 80)} in the request`, e =>
        sayChanges(changes(json(expected), at(sent(e), path)), 'expected', 'seen'),
      ),
    holds: (says: string, refute: (e: Exchange, evidence: Evidence) => string | undefined) => about(says, refute),
    /** Anything about all that the servers saw of the exchange. */
    all,
  }
}

/** What one side sent and the other got, compared in meaning: number for number, member for member. */
export function unchanged(label?: string, tolerance: Tolerance = {}) {
  const pair = (
    side: Side,
    says: string,
    refute: (c: Exchange, b: Exchange, evidence: Evidence) => string | undefined,
  ): Claim => ({
    about: side,
    says: `${says}${of(label)}`,
    refute: evidence => {
      const c = clientExchange(evidence, label)
      if (c === undefined) return 'the kit sent no such request'
      const b = behind(evidence, c)[0]
      return b === undefined
        ? `nothing of it reached the server; the client got ${describe(c)}`
        : refute(c, b, evidence)
    },
  })
  const answer = (says: string, path: string) =>
    pair('client', says, (c, b) => {
      const from = at(reply(b), path)
      if (from === undefined) return `the server sent no ${path}: ${describe(b)}`
      const got = at(reply(c), path)
      if (got === undefined) return `the client got no ${path}: ${describe(c)}`
      return sayChanges(changes(from, got, tolerance), 'the server sent', 'the client got')
    })
  return {
    /** `result`, or a path below it, as the server sent it. */
    result: (path = '') => answer(`${join('result', path)} arrives as the server sent it`, join('result', path)),
    error: (path = '') => answer(`${join('error', path)} arrives as the server sent it`, join('error', path)),
    /** `params`, or a path below it, as the client sent it. */
    params: (path = '') =>
      pair('backend', `${join('params', path)} reaches the server as the client sent it`, (c, b) => {
        const where = join('params', path)
        return sayChanges(
          changes(at(sent(c), where), at(sent(b), where), tolerance),
          'the client sent',
          'the server got',
        )
      }),
    /** Every message of the stream, in order, ids aside. */
    messages: () =>
      pair('client', 'every message arrives, in order', (c, b) => {
        const strip = (list: Json[]) => list.map(m => (isObject(m) ? withoutId(m) : m))
        return sayChanges(
          changes(strip(messages(b)), strip(messages(c)), tolerance),
          'the server sent',
          'the client got',
        )
      }),
    /** The body of the request, byte for byte. */
    requestBody: () =>
      pair('backend', 'the body reaches the server byte for byte', (c, b) => sameText(c.request.body, b.request.body)),
    /** The body of the answer, byte for byte. */
    responseBody: () =>
      pair('client', 'the body arrives byte for byte', (c, b) => sameText(b.response?.body, c.response?.body)),
    status: () =>
      pair('client', 'the status is that of the server', (c, b) =>
        c.response?.status === b.response?.status
          ? undefined
          : `the server sent ${b.response?.status}, the client got ${describe(c)}`,
      ),
    /** A field of the request, as the client sent it. */
    requestHeader: (name: string) =>
      pair('backend', `${name} reaches the server as the client sent it`, (c, b) =>
        sameText(field(c.request.headers, name), field(b.request.headers, name)),
      ),
    /** A field of the answer, as the server sent it. */
    responseHeader: (name: string) =>
      pair('client', `${name} arrives as the server sent it`, (c, b) =>
        sameText(field(b.response?.headers ?? [], name), field(c.response?.headers ?? [], name)),
      ),
    /** Anything about the two sides of an exchange. */
    holds: pair,
  }
}

const join = (a: string, b: string) => (b === '' ? a : `${a}.${b}`)

const withoutId = ({ id: _, ...rest }: { [key: string]: Json }): Json => rest

const sameText = (from: string | undefined, got: string | undefined): string | undefined =>
  from === got ? undefined : sayChanges([{ path: '', sent: from, got }], 'sent', 'got')

function oneValue(found: readonly string[], name: string, value: string | RegExp): string | undefined {
  if (found.length === 1 && matches(value, found[0]!)) return undefined
  return found.length ? `${name}: ${found.join(' | ')}` : `no ${name}`
}
