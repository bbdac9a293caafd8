/**
 * WHAT MUTANTS ARE MADE OF. A mutant is the list of parts with one thing wrong, narrowly: only traffic that matches
 * is harmed, and whatever is not edited stays as it was, byte for byte (2^53+1 included). Each function here makes a
 * `Mutate`, ready to stand in a mutant:
 *
 *     { name: 'drops-annotations', harm: 'Leaves the annotations of tools out.', caughtBy: ['tools/annotations-kept'],
 *       mutate: editReply(/"tools":/, message => edit(message, 'result.tools.*.annotations', () => undefined)) }
 *
 * Which traffic: a `Match` is a pattern, or `{ message?, request?, http?, fields?, also? }`, all of which must hold.
 * `request` is the body that the client sent, `http` is `POST /crm/mcp`, `fields` the client's header lines. A bare
 * pattern is `message` in the functions that edit messages, `request` in all others.
 *
 * Messages are text. Edit them with `String.replace`, or by path with the functions of json.ts, handed on here:
 * `get(text, 'params.name')` raw text at a path · `getString` decoded · `edit(text, 'result.tools.*.title', raw => …)`
 * (undefined drops; `*` each, `-1` last, `**` any depth; a path may be a list where keys hold dots) · `put(text, key, raw)`
 * adds a member to an object (to one further in: `edit(text, 'result', raw => put(raw, 'x', '1'))`) · `entries`,
 * `values`, `object`, `valid`. Messages the gateway might make: `errorMessage(rawId, code, text)`, `resultMessage`.
 *
 * Requests: `editRequest(match, edit)` as the client sent it · `editForward` as a backend gets it (differs in aggregate
 * mode only) · `requestField(name, change, match?)` · `refuse(match, status, body?, fields?)` answers itself ·
 * `swallow(match)` 202 and nothing more · `hang(match)` · `sendTwice(match)` · `cacheReplies(match)` (JSON bodies).
 * Replies: `editReply(match, edit)` each message, of a JSON body or a stream; an edit returns a message, several, or `[]`
 * for none · `editAnswer` as a backend sent it · `replyField`, `replyStatus`, `editHead`.
 * Streams: `editEvents(match, () => ({ block(text, n) {…}, end?() {…} }))` · `bufferWhole` · `holdHead` · `neverEnd` ·
 * `truncateAt(n)` · `decodeEachChunk` · `retryAfterFailure` · `followRedirects`, each with an optional match ·
 * `wrapReply(match, (out, passage) => through(out, { chunk(bytes) {…} }))` for anything else; `wrapAnswer` sees the
 * chunks as they came off the wire.
 * The control plane (`operate`): `replaceEndpoint(name, (call, old) => …)` · `editEndpoint(name, reply => …)` ·
 * `opens(name)` asks for no token · `removeEndpoint(name)`. Limits and the like: `configure: config => ({ ...config, … })`.
 * The list: `replacePart(name, hooks)`, `removePart`, `addFirst` (next to the client), `addLast` (next to the backends),
 * `addBefore`, `several(a, b)`. A part that remembers something is given as a function: `addLast(() => { … return part })`.
 */
export { Body } from '../body.ts'
export { field, isEventStream } from '../fields.ts'
export { Hop } from '../hop.ts'
export { edit, entries, get, getString, object, put, valid, values } from '../json.ts'
export { code, errorMessage, kindOf, requestIds, resultMessage } from '../jsonrpc.ts'
export { through } from '../outlet.ts'
export type { Passage } from '../passage.ts'
export { Blocks, dataOf, eventOf, withData } from '../sse.ts'
export type { Failure, Fields, Head, Outlet, Part } from '../types.ts'
export { editEndpoint, opens, Problem, removeEndpoint, replaceEndpoint } from './harm/control.ts'
export { addBefore, addFirst, addLast, removePart, replacePart, several } from './harm/list.ts'
export { holdsFor, type Match, requestText, sessionOf, type When } from './harm/match.ts'
export {
  editAnswer,
  editHead,
  editReply,
  lengthless,
  replyField,
  replyStatus,
  wrapAnswer,
  wrapReply,
} from './harm/replies.ts'
export {
  cacheReplies,
  changeField,
  editForward,
  editRequest,
  hang,
  nowhere,
  refuse,
  requestField,
  sendTwice,
  swallow,
} from './harm/requests.ts'
export {
  bufferWhole,
  decodeEachChunk,
  editEvents,
  followRedirects,
  holdHead,
  neverEnd,
  retryAfterFailure,
  truncateAt,
} from './harm/streams.ts'
export type { Mutant, Mutate, Operate } from './mutant.ts'
