import { at } from '../kit/json.ts'
import type { Request } from './rpc.ts'

/** How many answers are remembered. */
const KEPT = 1000

/** Runs what has the same key once, and answers it alike each time: `_meta["syncseries/idempotencyKey"]`. */
export class Once<T> {
  readonly #answers = new Map<string, Promise<T>>()

  run(request: Request, answer: () => Promise<T>): Promise<T> {
    const key = at(request.params, ['_meta', 'syncseries/idempotencyKey'])
    if (typeof key !== 'string') return answer()
    const known = this.#answers.get(key)
    if (known) return known
    const made = answer()
    this.#answers.set(key, made)
    // What was cancelled was not run to its end.
    made.catch(cause => cause instanceof Error && cause.name === 'AbortError' && this.#answers.delete(key))
    if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value!)
    return made
  }
}
