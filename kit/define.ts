import type { Check, Claim, Evidence, Side, Suite } from './types.ts'

/** Types a check. */
export const check = (c: Check): Check => c

/** Types a suite, and refuses an id that lies outside it or is used twice. */
export function suite(s: Suite): Suite {
  const seen = new Set<string>()
  for (const { id } of s.checks) {
    if (!id.startsWith(`${s.id}/`)) throw new Error(`the check ${id} is not in its suite ${s.id}`)
    if (seen.has(id)) throw new Error(`the check ${id} is there twice`)
    seen.add(id)
  }
  return s
}

/** A claim of one's own: a sentence, and its test (undefined where it holds, else what was seen instead). */
export const claim = (about: Side, says: string, refute: (evidence: Evidence) => string | undefined): Claim => ({
  about,
  says,
  refute,
})
