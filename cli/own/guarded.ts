import { Unjudged } from '../../kit/session.ts'
import type { Check, Claim, Step } from '../../kit/types.ts'

/**
 * A check of somebody else: where its own code throws, or answers with something that is no answer, it could not be
 * judged, and the reason names the place. Neither the gateway nor the kit is blamed for it.
 */
export function guarded(check: Check, where: string): Check {
  const { steps, given, claims } = check
  const [step, ...moreSteps] = steps
  const [claim, ...moreClaims] = claims
  return {
    ...check,
    own: true,
    steps: [stepOf(step, where), ...moreSteps.map(s => stepOf(s, where))],
    ...(given && { given: given.map(c => claimOf(c, where)) }),
    claims: [claimOf(claim, where), ...moreClaims.map(c => claimOf(c, where))],
  }
}

const stepOf = (step: Step, where: string): Step => ({
  says: step.says,
  async run(rig) {
    try {
      await step.run(rig)
    } catch (cause) {
      throw asUnjudged(cause, `the step "${step.says}" of ${where}`)
    }
  },
})

const claimOf = ({ about, says, refute }: Claim, where: string): Claim => ({
  about,
  says,
  refute(evidence) {
    let seen: unknown
    try {
      seen = refute(evidence)
    } catch (cause) {
      throw asUnjudged(cause, `the claim "${says}" of ${where}`)
    }
    if (seen === undefined || typeof seen === 'string') return seen
    // An async function, most of the time: what it throws later must not end the process.
    if (seen instanceof Promise) seen.catch(() => {})
    const got = seen instanceof Promise ? 'a promise' : String(seen)
    throw new Unjudged(
      `the claim "${says}" of ${where} answers with ${got}: it must be undefined where it holds, else a text that says what was seen`,
    )
  },
})

function asUnjudged(cause: unknown, what: string): Unjudged {
  if (cause instanceof Unjudged) return cause
  const { message, stack = '' } = cause instanceof Error ? cause : new Error(String(cause))
  // Where it was thrown; what led there is the kit's.
  const place = /^\s+at .*$/m.exec(cause instanceof Error ? stack : '')?.[0].trim()
  return new Unjudged(`${what} failed: ${message}${place ? `, ${place}` : ''}`)
}
