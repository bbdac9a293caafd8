import { event, gate, head, progress, says, write } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { at, show, stringify } from '../../kit/json.ts'
import { behind, clientExchange, isReply, messages, sent } from '../../kit/messages.ts'
import { call, callWithProgress, finish, hangUp, listen, start, subscribe, times, untilHead } from '../../kit/steps.ts'
import type { Act, Check, Claim, Exchange, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'
import { progressIn, TOKEN } from './seen.ts'

const FLOW = spec('2025-11-25', 'basic/utilities/progress', 'progress-flow')
const LISTENING = spec('2025-11-25', 'basic/transports', 'listening-for-messages-from-the-server')

/** Two answers that take turns, so that both calls run at the same time. */
const turns = (mine: string, other: string): Act[] => [
  head(),
  write(event(progress(1, { message: `for ${mine}` }))),
  gate(1, other),
  write(event(progress(2, { message: `for ${mine}` }))),
  gate(2),
  gate(2, other),
  write(event(says(`for ${mine}`))),
]

const onlyOwnProgress = (label: string): Claim =>
  client(label).holds('all its progress is its own', e => {
    const foreign = progressIn(e)
      .map(m => at(m, 'params.message'))
      .find(text => text !== undefined && text !== `for ${label}`)
    return foreign === undefined ? undefined : `a progress notification ${show(foreign)}`
  })

const bothAtOnce = (who: readonly [string, string], tokens: readonly [string, string]): [Step, ...Step[]] => [
  start(callWithProgress('slow', {}, tokens[0], { as: 'one', who: who[0], id: 41, acts: turns('one', 'two') })),
  start(
    callWithProgress('slow', {}, tokens[1], {
      as: 'two',
      who: who[1],
      id: who[0] === who[1] ? 42 : 41,
      acts: turns('two', 'one'),
    }),
  ),
  finish(),
]

/** Calls that stream, while the GET stream is open. */
const besideGetStream: [Step, ...Step[]] = [
  start(listen({ as: 'stream' })),
  untilHead('stream'),
  callWithProgress('count', { to: 3 }, 'beside', { as: 'call' }),
  call('structured_output', { as: 'sse' }),
  call('burst_target'),
  hangUp('stream'),
]

/** How often each message came, over all exchanges of a side; what only looks alike is told apart by its text. */
function tally(exchanges: readonly Exchange[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const m of exchanges.flatMap(e => messages(e))) {
    if (isReply(m)) continue
    const text = stringify(m)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Several streams at once: what belongs to one stays on it. */
export const apart: readonly Check[] = [
  check({
    id: 'streaming/progress-of-two-clients-apart',
    title: 'keeps the progress of two clients apart that chose the same token',
    pack: 'mcp',
    level: 'SHOULD',
    spec: FLOW,
    catalogue: ['progress.token-unique-upstream', 'http.stream-messages-related'],
    why: 'SDKs number their tokens from 0, so equal ones are the rule: one customer reads of the other’s work.',
    steps: bothAtOnce(['a', 'b'], ['same', 'same']),
    claims: [
      onlyOwnProgress('one'),
      onlyOwnProgress('two'),
      client('one').progress(1, 2),
      client('two').progress(1, 2),
    ],
  }),
  check({
    id: 'streaming/progress-tokens-unique-upstream',
    title: 'MUST NOT use a token twice at the same time in one session of a server',
    pack: 'mcp',
    level: 'MUST',
    spec: FLOW,
    catalogue: ['progress.token-unique-upstream'],
    needs: ['http-backend'],
    why: 'The server cannot tell two running calls apart, and reports the progress of either for both.',
    steps: bothAtOnce(['a', 'b'], ['equal', 'equal']),
    claims: [
      claim('backend', 'the tokens of two running calls differ, or their sessions do', e => {
        const [one, two] = ['one', 'two'].map(label => behind(e, clientExchange(e, label))[0])
        const session = one && field(one.request.headers, 'mcp-session-id')
        if (!one || !two || session === undefined) return undefined
        if (session !== field(two.request.headers, 'mcp-session-id')) return undefined
        const [a, b] = [one, two].map(x => stringify(at(sent(x), TOKEN) ?? null))
        return a === b && a !== 'null' ? `both calls have the token ${a} in one session` : undefined
      }),
    ],
  }),
  check({
    id: 'streaming/parallel-calls-apart',
    title: 'keeps the progress of each call on the answer to that call, when two run at once',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.stream-messages-related'],
    why: 'A client that reads one answer at a time sees nothing of its call, and too much of another.',
    steps: bothAtOnce(['a', 'a'], ['first', 'second']),
    claims: [onlyOwnProgress('one'), onlyOwnProgress('two')],
  }),
  check({
    id: 'streaming/progress-not-on-get',
    title: 'keeps the progress of a call off the GET stream',
    pack: 'mcp',
    level: 'SHOULD',
    spec: LISTENING,
    catalogue: ['http.get-messages-unrelated'],
    needs: ['sessions'],
    why: 'A client looks for it on the answer to its call: the bar does not move, though all of it was sent.',
    steps: besideGetStream,
    claims: [
      client('stream').holds('there is no progress', e => {
        const [first] = progressIn(e)
        return first === undefined ? undefined : show(first)
      }),
    ],
  }),
  check({
    id: 'streaming/no-response-on-get',
    title: 'MUST NOT send a response on the GET stream',
    pack: 'mcp',
    level: 'MUST',
    spec: LISTENING,
    catalogue: ['http.get-no-response'],
    needs: ['sessions'],
    why: 'The call waits for ever on its own stream, and the answer is thrown away on the other.',
    steps: besideGetStream,
    claims: [
      client('stream').holds('there is no response', e => {
        const found = messages(e).find(isReply)
        return found === undefined ? undefined : show(found)
      }),
    ],
  }),
  check({
    id: 'streaming/no-message-twice',
    title: 'MUST NOT send one message on several streams',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'multiple-connections'),
    catalogue: ['http.no-broadcast'],
    needs: ['sessions'],
    why: 'The client counts everything twice, or asks for the same list again and again.',
    steps: [
      start(listen({ as: 'stream' })),
      untilHead('stream'),
      start(listen({ as: 'second stream' })),
      untilHead('second stream'),
      subscribe('crm://customers'),
      call('log_messages', { count: 3 }),
      times(3, 'lets the server tell that a resource has changed', () => call('touch_resource')),
      call('burst_target'),
      hangUp('stream'),
      hangUp('second stream'),
    ],
    claims: [
      claim('client', 'no message comes more often than the server sent it', ({ client: got, backend: sent }) => {
        const from = tally(sent)
        const twice = [...tally(got)].find(([text, n]) => from.has(text) && n > from.get(text)!)
        return twice && `${twice[1]} times, sent ${from.get(twice[0])} times: ${twice[0]}`
      }),
    ],
  }),
]
