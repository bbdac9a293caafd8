/** Everything that a step of a check can be, in one place to import from. */
export { type AdminOptions, admin, untilAdmin } from './steps/admin.ts'
export { adminRaw, type RawAdmin } from './steps/admin-raw.ts'
export { type Door, enter, OTHER_ADDRESS } from './steps/doors.ts'
export { cancel, finish, hangUp, readOn, start, startServer, step, stopServer, times, together } from './steps/flow.ts'
export { list } from './steps/lists.ts'
export { type Amount, burst, evenly, pause } from './steps/pace.ts'
export { crossChecked, decidable, pairs } from './steps/pairs.ts'
export {
  body,
  call,
  callWithProgress,
  complete,
  notify,
  prompt,
  read,
  request,
  subscribe,
  unsubscribe,
} from './steps/requests.ts'
export type { SendOptions } from './steps/sending.ts'
export { adopt, bytes, endSession, http, listen, open } from './steps/sessions.ts'
export {
  hideToken,
  rotateKeys,
  sameOwner,
  showing,
  startIssuer,
  stopIssuer,
  tamper,
  withToken,
} from './steps/tokens.ts'
export { untilBackend, untilEvents, untilGone, untilHead, untilSeen, untilStream } from './steps/waits.ts'
