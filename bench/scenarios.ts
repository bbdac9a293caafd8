import { NONCE } from '../kit/session.ts'
import type { Feature, Limits } from '../kit/types.ts'
import type { QuantileName } from './types.ts'

/** What a call is about, before names are put in as the gateway has them. */
export interface Call {
  readonly method: string
  /** The own name of the tool, or the URI of the resource. */
  readonly tool?: string
  readonly uri?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** A tool of the user's own: its arguments go as they are, without a number in them. */
  readonly own?: boolean
  /** The server streams its answer, with a progress notification for each step. */
  readonly streams?: boolean
}

/** One kind of call, as data. */
export interface Scenario {
  readonly id: string
  /** Finishes "the cost of …". */
  readonly says: string
  readonly call: Call
  /** Pairs in an ordinary run, and in a quick one; 0 leaves it out there. */
  readonly pairs: number
  readonly quick: number
  readonly needs?: readonly Feature[]
  /** Why the target's limits rule it out; undefined where they don't. */
  readonly ruledOut?: (limits: Limits) => string | undefined
  /** A session of its own for each call. */
  readonly newSession?: boolean
  /** The quantiles at which the budget counts; none where the scenario is there for information. */
  readonly judged?: readonly QuantileName[]
}

const big = (id: string, says: string, bytes: number, pairs: number, quick: number): Scenario => ({
  id,
  says,
  call: { method: 'tools/call', tool: 'big', arguments: { bytes } },
  pairs,
  quick,
})

/** What is measured, the one that the budget is about first. */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'call',
    says: 'a small tool call',
    call: {
      method: 'tools/call',
      tool: 'echo',
      arguments: { order_id: 'ORD-99', reason: '결제오류 이중과금 환불 승인' },
    },
    pairs: 3000,
    quick: 1000,
    judged: ['p50', 'p90', 'p95', 'p99'],
  },
  { id: 'list', says: 'tools/list', call: { method: 'tools/list' }, pairs: 500, quick: 0 },
  big('result-1kb', 'a call with a result of 1 KB', 1024, 1000, 0),
  big('result-50kb', 'a call with a result of 50 KB', 50 * 1024, 500, 100),
  big('result-2mb', 'a call with a result of 2 MB', 2 * 1024 * 1024, 40, 0),
  {
    id: 'read-60kb',
    says: 'a resource of 60 KB',
    call: { method: 'resources/read', uri: 'crm://customers/large' },
    pairs: 500,
    quick: 0,
    needs: ['resources'],
    ruledOut: ({ bytes }) =>
      bytes !== undefined && bytes < 61_440
        ? `the target declares limits.bytes of ${bytes}: it would shut the session`
        : undefined,
  },
  {
    id: 'stream',
    says: 'an answer by stream, with five progress notifications',
    call: { method: 'tools/call', tool: 'count', arguments: { to: 5, as: 'sse' }, streams: true },
    pairs: 500,
    quick: 100,
  },
  {
    id: 'new-session',
    says: 'a call as the first one of a new session, with the handshake',
    call: { method: 'tools/call', tool: 'echo', arguments: { order_id: 'ORD-99' } },
    pairs: 200,
    quick: 0,
    newSession: true,
  },
]

/** Digits for every number of a call: a request of one kind is always as long. */
const DIGITS = 9

/** What stands for the number of a call wherever it must not change the length. */
export const numbered = (n: number): string => String(n).padStart(DIGITS, '0')

/** The id of call `n`; always as many digits. */
export const idOf = (n: number): number => 10 ** DIGITS + n

/** The text of call number `n`, in which `nonce` is unlike any other. `named` are the names as the gateway has them. */
export function callText(call: Call, n: number, named: { readonly tool?: string; readonly uri?: string }) {
  const nonce = `bench-${numbered(n)}`
  const _meta = { [NONCE]: nonce, ...(call.streams && { progressToken: nonce }) }
  const params =
    call.method === 'resources/read'
      ? { uri: named.uri ?? call.uri, _meta }
      : call.method === 'tools/call'
        ? { name: named.tool ?? call.tool, arguments: call.own ? call.arguments : { ...call.arguments, nonce }, _meta }
        : { _meta }
  return JSON.stringify({ jsonrpc: '2.0', id: idOf(n), method: call.method, params })
}
