import { setTimeout as sleep } from 'node:timers/promises'
import { CannotJudge, WrongUsage } from '../../kit/errors.ts'
import { CLIENT_INFO } from '../../kit/session.ts'
import type { Pairs } from '../../kit/types.ts'
import { send } from '../../kit/wire.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** Reads `60s`, `500ms`, `2m`; a number alone is seconds. Throws WrongUsage. */
export function readTime(text: string, flag: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const ms = Number(number) * UNITS[unit]!
  if (ms > 0 && ms <= 3_600_000) return ms
  throw new WrongUsage(`--${flag} must be a time such as 60s, not ${text}.`)
}

const PAUSE_MS = 200
const TRY_MS = 5000

/** What stands in the way at the moment; undefined where `initialize` is answered, if only by a refusal. */
export async function obstacle(url: string, headers: Pairs, signal: AbortSignal): Promise<string | undefined> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO }
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
  const over = new AbortController()
  const stop = () => over.abort()
  const timer = setTimeout(stop, TRY_MS)
  signal.addEventListener('abort', stop)
  let seen: string | undefined
  const listener = {
    // A proxy that stands before a gateway says so while there is none yet. What comes after the head is not waited for.
    head(status: number) {
      seen = [502, 503, 504].includes(status) ? `status ${status}` : undefined
      stop()
    },
    chunk() {},
    end() {},
    fail(reason: string) {
      if (!over.signal.aborted) seen = reason
    },
  }
  seen = `no answer within ${TRY_MS / 1000} s`
  await send({ url, method: 'POST', headers: [...JSON_FIELDS, ...headers], body }, listener, { signal: over.signal })
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  return seen
}

const JSON_FIELDS: Pairs = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
]

/** Waits until the address answers `initialize`. Throws CannotJudge, with what was in the way last, where it does not in time. */
export async function untilReady(url: string, headers: Pairs, ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    const seen = await obstacle(url, headers, signal)
    if (seen === undefined || signal.aborted) return
    if (performance.now() >= until)
      throw new CannotJudge(
        `${url} did not answer initialize within ${ms / 1000} s: ${seen}. Start the gateway, or wait for longer with --wait.`,
      )
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}
