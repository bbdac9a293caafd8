import { code, errorMessage } from '../jsonrpc.ts'
import type { Part } from '../types.ts'

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Refuses web pages of foreign origins, so that no page can reach the servers through a name that it rebinds. */
export const origin: Part = {
  name: 'origin',
  receive(passage) {
    const from = passage.header('origin')
    if (from === undefined || LOOPBACK.test(from)) return
    if (passage.gateway.settings.allowedOrigins.some(allowed => allowed.toLowerCase() === from.toLowerCase())) return
    passage.answer(403, errorMessage(undefined, code.invalid, `The origin ${from} is not allowed here.`))
    return true
  },
}
