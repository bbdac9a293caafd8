import { setTimeout as sleep } from 'node:timers/promises'
import type { Pairs } from '../../kit/types.ts'
import { obstacle } from './ready.ts'

/** How often it is looked whether the gateway is there, in ms. */
const PAUSE_MS = 400

/** Why it is time to judge again; undefined where the run was interrupted. */
export type Reason = 'restarted' | 'asked' | undefined

/**
 * Waits until the gateway has gone away and answers `initialize` again, or until somebody presses Enter. A gateway that restarts between
 * two looks is not noticed: Enter is for that.
 */
export async function untilAgain(url: string, headers: Pairs, signal: AbortSignal): Promise<Reason> {
  let wasGone = false
  let asked = false
  const onKey = () => {
    asked = true
  }
  process.stdin.on('data', onKey)
  process.stdin.resume()
  try {
    while (!signal.aborted) {
      if (asked) return 'asked'
      const isGone = (await obstacle(url, headers, signal)) !== undefined
      if (wasGone && !isGone) return 'restarted'
      wasGone ||= isGone
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
    return undefined
  } finally {
    process.stdin.off('data', onKey)
    process.stdin.pause()
  }
}
