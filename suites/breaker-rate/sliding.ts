import { group, tally } from '../../kit/claims/group.ts'
import { check, claim } from '../../kit/define.ts'
import { type Amount, burst, pause } from '../../kit/steps.ts'
import type { Evidence } from '../../kit/types.ts'
import { allowed, asManyAsAllowed, rested, restMs, small, windowMs } from '../breakers.ts'
import { platform } from '../spec.ts'

const part = (says: string, share: number): Amount => ({ says, of: rig => windowMs(rig.target.limits) * share })
const allButOne: Amount = { says: 'one request less than the limit', of: rig => allowed(rig) - 1 }

/** For windows that are cut by the clock: their next edge. */
const toTheEdge: Amount = {
  says: 'until the clock begins a new window',
  of(rig) {
    const window = windowMs(rig.target.limits)
    return window - (Date.now() % window)
  },
}

const CALL = 'calls the tool burst_target'

const bursts = ({ client }: Evidence) =>
  client.filter(e => e.label === 'before the edge' || e.label === 'behind the edge')

/** How long both bursts took together, in ms, as far as the client can know. */
const took = (evidence: Evidence): number => {
  const both = bursts(evidence)
  return Math.max(...both.map(e => e.endedAt ?? e.at)) - Math.min(...both.map(e => e.at))
}

/** Whether both bursts lie so close together that also a bucket has little more room in the second one. */
const closeTogether = (evidence: Evidence): string | undefined => {
  const ms = took(evidence)
  const most = windowMs(evidence.target.limits) * 0.6
  return ms < most ? undefined : `they took ${Math.round(ms)} ms: ${tally(bursts(evidence))}`
}

/**
 * A bucket that leaks is a window that slides, too: it has room for one at the beginning, and gets as much as the limit
 * within each window. One more or less, as requests do not arrive just as they were sent.
 */
const room = (evidence: Evidence): number => {
  const limit = allowed(evidence)
  return Math.min(limit, 2 + Math.ceil((limit * took(evidence)) / windowMs(evidence.target.limits)))
}

/** Whether the window is one that slides, and has no edge at which all is forgotten. */
export const sliding = check({
  id: 'breaker-rate/window-slides',
  title: 'counts what was sent within any window, and not anew from some edge of time on',
  pack: 'policy',
  level: 'MUST',
  spec: platform('rate-guard'),
  needs: ['rate-guard'],
  waits: limits => restMs(limits) + 2.2 * windowMs(limits),
  why: 'With fixed windows a client sends the limit at the end of one and again at the begin of the next: twice as many within a moment.',
  steps: [
    ...rested(),
    pause(toTheEdge, 'so that all kinds of fixed windows have an edge at the same time'),
    small('first'),
    pause(part('for four fifths of the window', 0.8), 'so that the window is almost over'),
    burst(allButOne, CALL, () => small('before the edge')),
    pause(part('for a quarter of the window', 0.25), 'so that a fixed window begins anew'),
    burst(asManyAsAllowed, CALL, () => small('behind the edge')),
  ],
  given: [group('before the edge').succeeds(), claim('client', 'both bursts lie close together', closeTogether)],
  claims: [group('behind the edge').status('most are refused with 429', 429, e => [allowed(e) - room(e), allowed(e)])],
})
