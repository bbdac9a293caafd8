import type { Reporter } from '../../kit/types.ts'
import { document, writeResult } from './json.ts'
import type { Print, ReporterOptions } from './options.ts'

/**
 * Prints one JSON object a line, as things happen: `start`, a `result` for each check as it is judged, `end` with the summary. What
 * another pack contradicts is known at the end only: there it is counted apart.
 */
export function ndjson(print: Print, options: ReporterOptions): Reporter {
  const line = (type: string, more: object) => print(JSON.stringify({ type, ...more }))
  return {
    start(target, checks) {
      const {
        results: _,
        summary: __,
        ...head
      } = document({ target, startedAt: new Date(), results: [] }, options) as Record<string, unknown>
      line('start', { ...head, checks: checks.length })
    },
    result: result =>
      line('result', writeResult(result, { target: NOBODY, startedAt: NEVER, results: [result] }, options)),
    end(report) {
      const { summary, interrupted } = document(report, options) as { summary: object; interrupted?: true }
      line('end', { summary, ...(interrupted && { interrupted }) })
    },
  }
}

// Only its results are looked at, and this one alone.
const NOBODY = {
  name: '',
  url: '',
  routing: { style: 'single' as const },
  headers: [],
  features: [],
  limits: {},
  revisions: [],
  servers: [],
  names: { exposed: () => '' },
}
const NEVER = new Date(0)
