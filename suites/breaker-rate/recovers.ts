import { group, hasResult, tally } from '../../kit/claims/group.ts'
import { check, claim } from '../../kit/define.ts'
import { open, pause, step } from '../../kit/steps.ts'
import type { Evidence, Limits, Rig } from '../../kit/types.ts'
import { isRefused, openMs, sinceSent, small, tooMany } from '../breakers.ts'
import { platform } from '../spec.ts'

/** When it may recover at the earliest after the burst was sent, in ms; clocks may count in coarse steps. */
const earliest = (limits: Limits): number => 0.9 * openMs(limits)
/** When it must have at the latest after the first refusal was seen, in ms. */
const latest = (limits: Limits): number => 1.3 * openMs(limits) + 1000

const EVERY_MS = 150

/** The share of the time that is over when it asks again: early enough to see a session that is closed too early. */
const ASKS_AT = 0.6

const untilThen = sinceSent('until three fifths of the time are over', ASKS_AT)

/** Asks again and again, as an agent does that wants to go on. */
const again = step('calls the tool burst_target again and again until it is answered', async (rig: Rig) => {
  const until = rig.recorder.now() + latest(rig.target.limits) - ASKS_AT * openMs(rig.target.limits)
  for (;;) {
    await small('call again').run(rig)
    const last = rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === 'call again')
    if ((last && hasResult(last)) || rig.recorder.now() > until || rig.signal.aborted) return
    await rig.recorder.when(() => false, EVERY_MS, rig.signal)
  }
})

/**
 * How long the session was open, by what the client can know for certain: it opened when the burst had been sent, and before
 * the first refusal was seen; and it was open when a request was sent that was then refused.
 */
function refute({ client, target: { limits } }: Evidence): string | undefined {
  const burst = client.filter(e => e.label === 'burst')
  const again = client.filter(e => e.label === 'call again')
  const closed = again.find(hasResult)
  if (!closed) return `none of them was answered: ${tally(again)}`
  const atMost = (closed.response?.at ?? 0) - Math.min(...burst.map(e => e.at))
  if (atMost < earliest(limits)) return `it was answered ${Math.round(atMost)} ms after the burst was sent`
  const seen = burst.find(isRefused)?.response?.at ?? 0
  const atLeast = (again.findLast(isRefused)?.at ?? seen) - seen
  return atLeast <= latest(limits) ? undefined : `it was refused still after ${Math.round(atLeast)} ms`
}

/** Whether a session closes by itself, in time. */
export const recovers = check({
  id: 'breaker-rate/recovers-in-time',
  title: 'closes an open session by itself when its time is over, neither before nor much later',
  pack: 'policy',
  level: 'MUST',
  spec: platform('rate-guard'),
  needs: ['rate-guard', 'open-state'],
  waits: latest,
  why: 'A session that stays open wants a person to reset it, at night too; one whose refusals prolong it never closes for an agent that asks.',
  steps: [open(), tooMany('burst'), pause(untilThen, 'while the session is open'), again],
  given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
  claims: [claim('client', 'the session is closed again after the declared time', refute)],
})
