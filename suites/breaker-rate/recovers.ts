import { group, hasResult, tally } from '../../kit/claims/group.ts'
import { check, claim } from '../../kit/define.ts'
import { pause, step } from '../../kit/steps.ts'
import type { Evidence, Limits, Rig } from '../../kit/types.ts'
import { isRefused, openMs, rested, restMs, sinceOpened, small, tooMany } from '../breakers.ts'
import { platform } from '../spec.ts'

/** When it may recover at the earliest, and must have at the latest, in ms since the first refusal. */
const earliest = (limits: Limits): number => 0.9 * openMs(limits)
const latest = (limits: Limits): number => 1.3 * openMs(limits) + 1000

const EVERY_MS = 150

const untilThen = sinceOpened('until three quarters of the time are over', 0.75)

/** Asks again and again, as an agent does that wants to go on. */
const again = step('calls the tool burst_target again and again until it is answered', async (rig: Rig) => {
  const until = rig.recorder.now() + latest(rig.target.limits) - 0.75 * openMs(rig.target.limits)
  for (;;) {
    await small('call again').run(rig)
    const last = rig.recorder.exchanges(rig.nonce).client.findLast(e => e.label === 'call again')
    if ((last && hasResult(last)) || rig.recorder.now() > until || rig.signal.aborted) return
    await rig.recorder.when(() => false, EVERY_MS, rig.signal)
  }
})

/** How long the session was open, as the client saw it. */
function refute({ client, target: { limits } }: Evidence): string | undefined {
  const opened = client.find(e => e.label === 'burst' && isRefused(e))
  const closed = client.find(e => e.label === 'call again' && hasResult(e))
  if (!closed) return `none of them was answered: ${tally(client.filter(e => e.label === 'call again'))}`
  const took = closed.at - (opened?.response?.at ?? 0)
  return took >= earliest(limits) && took <= latest(limits) ? undefined : `it was answered after ${Math.round(took)} ms`
}

/** Whether a session closes by itself, in time. */
export const recovers = check({
  id: 'breaker-rate/recovers-in-time',
  title: 'closes an open session by itself when its time is over, neither before nor much later',
  pack: 'policy',
  level: 'MUST',
  spec: platform('rate-guard'),
  needs: ['rate-guard', 'open-state'],
  waits: limits => restMs(limits) + latest(limits),
  why: 'A session that stays open wants a person to reset it, at night too; one whose refusals prolong it never closes for an agent that asks.',
  steps: [...rested(), tooMany('burst'), pause(untilThen, 'while the session is open'), again],
  given: [group('burst').status('some are refused', 429, [1, Number.POSITIVE_INFINITY])],
  claims: [claim('client', 'the session is closed again after the declared time', refute)],
})
