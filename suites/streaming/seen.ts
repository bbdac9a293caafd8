import { backend, client } from '../../kit/claims.ts'
import { at, isObject, type JsonObject, stringify } from '../../kit/json.ts'
import { isReply, messages, notifications } from '../../kit/messages.ts'
import type { Claim, Exchange } from '../../kit/types.ts'

/** No gate of that exchange was still closed when time was up. */
export const neverHeld = (label?: string): Claim =>
  backend(label).holds('the server never waits in vain for the client to see what it sent', e => {
    if (e.held === undefined) return undefined
    return e.held === 0
      ? 'the server waited in vain for the client to see the head of its answer'
      : `the server waited in vain for the client to see ${e.held} event${e.held === 1 ? '' : 's'}`
  })

/** The tool's answer is this text. */
export const saysText = (text: string, label?: string): Claim => client(label).result('content.0.text', text)

/** Where a request has its progress token. */
export const TOKEN = 'params._meta.progressToken'

/** The progress notifications of an answer. */
export const progressIn = (e: Exchange): JsonObject[] => notifications(e, 'notifications/progress')

/** The value of a progress notification, as a number. */
export const progressValue = (message: JsonObject): number => Number(stringify(at(message, 'params.progress') ?? null))

/** Where in the answer the response stands; -1 where there is none. */
export const placeOfReply = (e: Exchange): number => messages(e).findIndex(isReply)

/** The exchange was refused with 405: what asks for a GET stream can't be held against a gateway that offers none. */
export const offersNoStream = (e: Exchange): boolean => e.response?.status === 405

/** Whether this is a notification of that method. */
export const isNotice = (message: JsonObject, method: string): boolean =>
  isObject(message) && message['method'] === method
