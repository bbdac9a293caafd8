import type { Passage } from '../passage.ts'

/** No cancellation is larger: what is, is not waited for. */
const LARGEST = 4096

/**
 * Whether this is `notifications/cancelled` and nothing else. Asked only where the request would be refused, so that
 * nothing that goes on waits for its body.
 */
export async function isCancellation(passage: Passage): Promise<boolean> {
  const whole = passage.body.now()
  const length = Number(passage.header('content-length') ?? Number.NaN)
  if (!whole && !(length <= LARGEST)) return false
  try {
    const text = whole ? whole.toString('utf8') : await passage.body.text()
    if (text.length > LARGEST) return false
    const message = JSON.parse(text) as Record<string, unknown>
    return message['method'] === 'notifications/cancelled' && !('id' in message)
  } catch {
    return false
  }
}
