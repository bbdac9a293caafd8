import type { Pairs } from './types.ts'

/** Many calls over several connections, each one call at a time. */
export interface ShotOptions {
  readonly url: string
  readonly headers: Pairs
  /** The body of the next call. */
  readonly body: () => string
  readonly connections: number
  /** For so long, in s; or so many calls. */
  readonly seconds?: number
  readonly amount?: number
}

export interface Shots {
  /** From sending a call to its whole answer, in µs, of those that were answered with a result. */
  readonly us: readonly number[]
  /** Answers with another status or with an error, and calls without an answer: none of them is in the latencies. */
  readonly errors: number
}

/** How often autocannon looks whether it is over, in ms: its usual second is too long for a few calls. */
const LOOK_MS = 20
/** How long one call may take, in s. */
const TIMEOUT_S = 10

/**
 * Calls by autocannon, with latencies from its `response` events. What it prints itself is cut to whole milliseconds, and corrected
 * for what it did not omit: that is left alone.
 */
export async function shots({ url, headers, body, connections, seconds, amount }: ShotOptions): Promise<Shots> {
  const { default: autocannon } = await import('autocannon')
  const us: number[] = []
  const begun = new WeakSet<object>()
  let errors = 0
  let isCounted = false
  const running = autocannon({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds ?? 1 } : { amount, sampleInt: LOOK_MS }),
    timeout: TIMEOUT_S,
    skipAggregateResult: true,
    requests: [
      {
        method: 'POST',
        headers: Object.fromEntries(headers),
        setupRequest: request => ({ ...request, body: body() }),
      },
    ],
    // Asked for each answer, right after its event.
    verifyBody(text) {
      if (text.includes('"result"') && !text.includes('"isError":true')) return true
      if (isCounted) {
        us.pop()
        errors++
      }
      isCounted = false
      return false
    },
  })
  running.on('response', (client, status, _bytes, ms) => {
    isCounted = false
    // The first answer of a connection includes the time to connect.
    if (!begun.has(client)) begun.add(client)
    else if (status === 200) {
      us.push(ms * 1000)
      isCounted = true
    } else errors++
  })
  const result = await running
  return { us, errors: errors + result.errors + result.timeouts }
}
