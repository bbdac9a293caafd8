import { valid } from '../json.ts'
import type { Passage } from '../passage.ts'
import { mayBe, members } from '../tool-calls.ts'

const CANCELLED = 'notifications/cancelled'

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
    // Nothing in it may be taken for something else, as servers differ in which of two equal members they take.
    const methods = members(text, 'method')
    return valid(text) && methods.length === 1 && mayBe(text, CANCELLED) && members(text, 'id').length === 0
  } catch {
    return false
  }
}
