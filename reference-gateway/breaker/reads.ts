import { getString, valid, values } from '../json.ts'

/** Whether a body asks for a resource: one message, or one of a batch. Header fields are not asked: clients write them. */
export function asksForResource(body: string): boolean {
  if (!body.includes('resources') || !valid(body)) return false
  const messages = body.trimStart()[0] === '[' ? values(body) : [body]
  return messages.some(message => getString(message, 'method') === 'resources/read')
}
