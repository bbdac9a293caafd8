import { event, gate, head, progress, says, stepwise, write } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { changes, sayChanges } from '../../kit/compare.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, type Json, show } from '../../kit/json.ts'
import { clientExchange, messages, sent } from '../../kit/messages.ts'
import { raw } from '../../kit/session.ts'
import { call, callWithProgress, times, together } from '../../kit/steps.ts'
import type { Act, Check, Claim, Evidence, Exchange, Step } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { isNotice, placeOfReply, progressIn, progressValue, TOKEN } from './seen.ts'

const FLOW = spec('2025-11-25', 'basic/utilities/progress', 'progress-flow')
const BEHAVIOUR = spec('2025-11-25', 'basic/utilities/progress', 'behavior-requirements')
const NOTES = spec('2025-11-25', 'basic/utilities/progress', 'implementation-notes')

/** How often a race is run: gateways lose it in more than every second call, or never. */
const RACES = 20

/** The calls of a race; the server sends the last progress and the result in one go. */
const race = times(RACES, 'calls the tool count to 3, with progress', i =>
  callWithProgress('count', { to: 3 }, `race-${i}`, { as: 'race' }),
)

const racers = (e: Evidence): Exchange[] => e.client.filter(x => x.label === 'race')

/** Says of a race in how many calls something went wrong. */
const rate = (says: string, wrong: (e: Exchange) => boolean): Claim =>
  claim('client', says, evidence => {
    const all = racers(evidence)
    const bad = all.filter(wrong).length
    return bad === 0 ? undefined : `not so in ${bad} of ${all.length} calls (${Math.round((100 * bad) / all.length)} %)`
  })

const someProgress = (...labels: readonly string[]): Claim =>
  claim('client', 'some progress arrives', e =>
    labels.some(label => progressIn(clientExchange(e, label) ?? NO_ANSWER).length > 0) ? undefined : 'none',
  )
const NO_ANSWER = { events: [], request: { body: '' } } as unknown as Exchange

/** Every progress notification of the call has the token that was sent: same type, same value. */
const ownToken = (label: string): Claim =>
  client(label).holds('every progress notification carries the token of its request', e => {
    const token = at(sent(e), TOKEN)
    const other = progressIn(e)
      .map(m => at(m, 'params.progressToken'))
      .find(t => differences(token, t).length > 0)
    return other === undefined ? undefined : `the token sent is ${show(token)}, that of the progress ${show(other)}`
  })

/** Ten in one go, but the result only when they have arrived: that race is for another check. */
const TEN_IN_ONE_GO: Act[] = [
  head(),
  ...Array.from({ length: 10 }, (_, i) => write(event(progress(i + 1, { total: 10 })))),
  gate(10),
  write(event(says('counted'))),
]

/** A call with that token, by a client of its own, whose progress does not race with the result: other checks do that. */
const withToken = (token: unknown, label: string): Step =>
  callWithProgress('slow', {}, token, {
    as: label,
    who: label,
    acts: stepwise(event(progress(1)), event(progress(2)), event(says('done'))),
  })

/** Progress: under the right token, to the right client, in order, in time. */
export const progressChecks: readonly Check[] = [
  check({
    id: 'streaming/last-progress-before-result',
    title: 'delivers the last progress before the result that follows at once',
    pack: 'mcp',
    level: 'SHOULD',
    spec: NOTES,
    catalogue: ['progress.relayed-in-order', 'sse.order-preserved'],
    why: 'The bar stops at 66 % and the job is done: what is sent last gets lost on the way, again and again.',
    steps: [race],
    claims: [
      rate(`the last progress comes before the result in all ${RACES} calls`, e => {
        const place = messages(e).findIndex(m => progressValue(m) === 3)
        return place < 0 || place > placeOfReply(e)
      }),
    ],
  }),
  check({
    id: 'streaming/progress-stops-with-result',
    title: 'MUST NOT deliver progress after the result',
    pack: 'mcp',
    level: 'MUST',
    spec: NOTES,
    catalogue: ['progress.stops-after-completion'],
    why: 'Clients have forgotten the token by then, and report progress for a call that they do not know.',
    steps: [race],
    claims: [rate(`no progress follows the result in any of ${RACES} calls`, e => lateProgress(e) > 0)],
  }),
  check({
    id: 'streaming/progress-increases',
    title: 'MUST deliver progress that only ever grows',
    pack: 'mcp',
    level: 'MUST',
    spec: FLOW,
    catalogue: ['progress.monotonic'],
    why: 'A bar that jumps back, or stands still at a value told twice, tells the user that something is broken.',
    steps: [callWithProgress('count', { to: 10 }, 'growing', { acts: TEN_IN_ONE_GO })],
    given: [
      client().holds('progress arrives more than once', e => (progressIn(e).length > 1 ? undefined : 'it did not')),
    ],
    claims: [
      client().holds('each progress is greater than the one before', e => {
        const values = progressIn(e).map(progressValue)
        return values.every((v, i) => i === 0 || v > values[i - 1]!) ? undefined : values.join(', ')
      }),
    ],
  }),
  check({
    id: 'streaming/progress-token-kept',
    title: 'MUST deliver progress under exactly the token that the client gave',
    pack: 'mcp',
    level: 'MUST',
    spec: BEHAVIOUR,
    catalogue: ['progress.token-restored'],
    why: 'The client cannot tell what the progress is about, and throws it away.',
    steps: [
      together(
        withToken('1', 'string of a digit'),
        withToken(1, 'integer'),
        withToken('진행/토큰 "7" – 😀', 'unusual string'),
        withToken('t'.repeat(300), 'long string'),
      ),
    ],
    given: [someProgress('string of a digit', 'integer', 'unusual string', 'long string')],
    claims: [ownToken('string of a digit'), ownToken('integer'), ownToken('unusual string'), ownToken('long string')],
  }),
  check({
    id: 'streaming/progress-token-large-kept',
    title: 'delivers progress under a token beyond 2^53 without rounding it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: BEHAVIOUR,
    catalogue: ['progress.token-restored'],
    why: 'Tokens that count nanoseconds come back as those of another call.',
    steps: [together(withToken(raw('9007199254740993'), 'large'), withToken(7, 'small'))],
    given: [someProgress('small')],
    claims: [
      ownToken('large'),
      client('large').holds('some progress arrives, as it does under a small token', e =>
        progressIn(e).length > 0 ? undefined : 'none',
      ),
    ],
  }),
  check({
    id: 'streaming/progress-token-zero',
    title: 'takes 0 and the empty string for the tokens that they are',
    pack: 'mcp',
    level: 'SHOULD',
    spec: FLOW,
    catalogue: ['progress.token-forwarded'],
    why: 'SDKs number their tokens from 0: the first call of every session has no progress.',
    steps: [together(withToken(0, 'zero'), withToken('', 'empty'))],
    claims: [client('zero').progress(1, 2), ownToken('zero'), client('empty').progress(1, 2), ownToken('empty')],
  }),
  check({
    id: 'streaming/progress-fields-kept',
    title: 'delivers progress as the server sent it: fractions, a total or none, the message, the metadata',
    pack: 'mcp',
    level: 'SHOULD',
    spec: FLOW,
    catalogue: ['progress.fields-preserved', 'envelope.meta-notification-preserved'],
    why: 'A total of 0 that nobody sent makes the bar divide by zero; a lost message leaves the user guessing.',
    steps: [
      callWithProgress('slow', {}, 'fields', {
        acts: stepwise(
          event(progress(0.25)),
          event(progress(0.5, { total: 1, message: '절반 처리했습니다' })),
          event(progress(0.75, { total: 1.5, message: '', _meta: { 'com.example/단계': 3 } })),
          event(says('done')),
        ),
      }),
    ],
    claims: [
      unchanged().holds('client', 'every progress notification arrives as the server sent it', (c, b) => {
        const [from, got] = [progressIn(b), progressIn(c)].map(list => list.map(withoutToken))
        return sayChanges(changes(from, got), 'the server sent', 'the client got')
      }),
    ],
  }),
  check({
    id: 'streaming/progress-not-invented',
    title: 'MUST NOT deliver progress to a client that did not ask for it',
    pack: 'mcp',
    level: 'MUST',
    spec: BEHAVIOUR,
    catalogue: ['progress.not-fabricated', 'progress.token-forwarded'],
    why: 'The client gets a token that it never gave, and may take it for that of another call.',
    steps: [call('count', { to: 3, as: 'sse' })],
    claims: [
      client().holds('there is no progress', e => {
        const [first] = progressIn(e)
        return first === undefined ? undefined : show(first)
      }),
    ],
  }),
]

/** How much progress comes after the response. */
const lateProgress = (e: Exchange): number => {
  const place = placeOfReply(e)
  if (place < 0) return 0
  return messages(e)
    .slice(place + 1)
    .filter(m => isNotice(m, 'notifications/progress')).length
}

const withoutToken = (message: Json): Json => {
  const { progressToken: _, ...rest } = at(message, 'params') as { [key: string]: Json }
  return rest
}
