import type { Mutant } from '../mutant.ts'
import { leavesOut, recording } from './recording.ts'

const platform = 'seed' as const

/** Calls that are not recorded, or with another outcome. */
export const calls: readonly Mutant[] = [
  {
    name: 'records-behind-auth',
    harm: 'Writes down only what has passed the verification of tokens.',
    caughtBy: ['audit/unauthorized-recorded'],
    platform,
    mutate: leavesOut(record => record.refusedBy === 'auth'),
  },
  {
    name: 'records-behind-the-breaker',
    harm: 'Writes nothing down that the breaker has refused.',
    caughtBy: ['audit/surplus-recorded'],
    platform,
    mutate: leavesOut(record => record.refusedBy === 'breaker'),
  },
  {
    name: 'records-the-first-refusal-only',
    harm: 'Writes down that a session was stopped, and not what it sent after that.',
    caughtBy: ['audit/surplus-recorded'],
    platform,
    mutate: firstRefusal(),
  },
  {
    name: 'records-no-nameless-calls',
    harm: 'Writes nothing down for requests without a name of a service.',
    caughtBy: ['audit/nameless-recorded'],
    platform,
    mutate: leavesOut((record, { passage }) => record.refusedBy === 'route' && !passage.header('mcp-name')),
  },
  {
    name: 'records-behind-the-router',
    harm: 'Writes nothing down that could not be routed.',
    caughtBy: ['audit/unknown-service-recorded'],
    platform,
    mutate: leavesOut((record, { passage }) => record.refusedBy === 'route' && !!passage.header('mcp-name')),
  },
  {
    name: 'takes-errors-for-results',
    harm: 'Writes down that there was a result wherever the status is 200.',
    caughtBy: ['audit/error-visible'],
    platform,
    mutate: recording(record =>
      record.outcome === 'error' && record.responseStatus === 200
        ? { ...record, outcome: 'result', errorCode: null }
        : record,
    ),
  },
  {
    name: 'takes-failed-tools-for-results',
    harm: 'Does not look at isError when it writes down what came of a call.',
    caughtBy: ['audit/tool-error-visible'],
    platform,
    mutate: recording(record => (record.outcome === 'tool-error' ? { ...record, outcome: 'result' } : record)),
  },
  {
    name: 'forgets-who-hangs-up',
    harm: 'Writes a call down only where the client waits for the end.',
    caughtBy: ['audit/hang-up-recorded'],
    platform,
    mutate: leavesOut(record => record.clientGone),
  },
]

function firstRefusal() {
  const known = new Set<string | null>()
  return leavesOut(record => {
    if (record.refusedBy !== 'breaker') return false
    const again = known.has(record.sessionId)
    known.add(record.sessionId)
    return again
  })
}
