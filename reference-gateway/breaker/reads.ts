import { valid } from '../json.ts'
import { messagesIn } from '../jsonrpc.ts'
import { mayBe } from '../tool-calls.ts'

/**
 * Whether a body asks for a resource: one message, or one of a batch. Header fields are not asked: clients write them.
 * What can't be looked into may be one, too: it is packed, or no JSON but such as a generous server might read.
 */
export function asksForResource(body: string): boolean {
  const messages = valid(body) ? messagesIn(body) : undefined
  return messages?.some(message => mayBe(message, 'resources/read')) ?? true
}
