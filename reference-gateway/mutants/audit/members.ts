import { bearerOf } from '../../parts/auth.ts'
import { edit, getString, type Passage, replacePart, several, through } from '../harm.ts'
import type { Mutant } from '../mutant.ts'
import { leavesOut, recording, writing } from './recording.ts'

const platform = 'seed' as const

/** Members of a record that are wrong. */
export const members: readonly Mutant[] = [
  {
    name: 'records-no-user',
    harm: 'Writes calls down as those of nobody.',
    caughtBy: ['audit/user-id'],
    platform,
    mutate: recording(record => ({ ...record, userId: null })),
  },
  {
    name: 'believes-forged-tokens',
    harm: 'Takes the user out of the token before it is verified.',
    caughtBy: ['audit/unauthorized-recorded'],
    platform,
    mutate: recording((record, { passage }) => ({ ...record, userId: record.userId ?? claimed(passage) })),
  },
  {
    name: 'records-names-of-routes',
    harm: 'Writes down its own name for the server in place of the service.',
    caughtBy: ['audit/service-name'],
    platform,
    mutate: recording((record, { passage }) => ({ ...record, mcpName: passage.backend?.name ?? record.mcpName })),
  },
  {
    name: 'records-no-unknown-names',
    harm: 'Writes down the service only where there is one of that name.',
    caughtBy: ['audit/unknown-service-recorded'],
    platform,
    mutate: recording((record, { passage }) => (passage.backend ? record : { ...record, mcpName: null })),
  },
  {
    name: 'records-no-tool',
    harm: 'Leaves the name of the tool out.',
    caughtBy: ['audit/method-and-tool', 'audit/large-arguments'],
    platform,
    mutate: recording(record => ({ ...record, toolName: null })),
  },
  {
    name: 'records-http-methods',
    harm: 'Writes POST down as the method.',
    caughtBy: ['audit/method-and-tool', 'audit/read-recorded'],
    platform,
    mutate: recording(record => ({ ...record, mcpMethod: record.httpMethod })),
  },
  {
    name: 'records-calls-of-tools-only',
    harm: 'Writes no reads of resources down.',
    caughtBy: ['audit/read-recorded'],
    platform,
    mutate: leavesOut(record => record.mcpMethod === 'resources/read'),
  },
  {
    name: 'records-ascii',
    harm: 'Writes a question mark for every letter beyond ASCII.',
    caughtBy: ['audit/arguments-kept'],
    platform,
    mutate: writing(raw => raw.replace(/[^ -~]/g, '?')),
  },
  {
    name: 'flattens-arguments',
    harm: 'Writes nested arguments down as text, as JavaScript shows objects.',
    caughtBy: ['audit/arguments-kept'],
    platform,
    mutate: writing(raw => edit(raw, '*', value => (value[0] === '{' ? '"[object Object]"' : value))),
  },
  {
    name: 'rounds-recorded-numbers',
    harm: 'Reads arguments into doubles, and writes those down.',
    caughtBy: ['audit/numbers-kept'],
    platform,
    mutate: writing(raw => JSON.stringify(JSON.parse(raw))),
  },
  {
    name: 'records-200',
    harm: 'Writes 200 down for whatever a server has answered.',
    caughtBy: ['audit/status'],
    platform,
    mutate: recording((record, { passage }) =>
      passage.servedBy === 'relay' ? { ...record, responseStatus: 200 } : record,
    ),
  },
  {
    name: 'measures-until-the-head',
    harm: 'Takes the time until the answer begins for the time that the call took.',
    caughtBy: ['audit/time-measured'],
    platform,
    mutate: untilHead(),
  },
  {
    name: 'records-seconds',
    harm: 'Writes the time down in seconds.',
    caughtBy: ['audit/time-measured'],
    platform,
    mutate: recording(record => ({ ...record, executionTimeMs: record.executionTimeMs / 1000 })),
  },
  {
    name: 'records-local-time',
    harm: 'Writes the time of Seoul down as if it were UTC.',
    caughtBy: ['audit/timestamp'],
    platform,
    mutate: recording(record => ({
      ...record,
      timestamp: new Date(Date.parse(record.timestamp) + 9 * 3_600_000).toISOString(),
    })),
  },
  {
    name: 'makes-ids-of-seconds',
    harm: 'Makes ids of the time in seconds, and nothing else.',
    caughtBy: ['audit/id-unique'],
    platform,
    mutate: recording(record => ({ ...record, id: record.id.slice(0, 14) })),
  },
]

/** What the token says, whoever has signed it. */
function claimed(passage: Passage): string | null {
  const [, payload = ''] = bearerOf(passage)?.split('.') ?? []
  return getString(Buffer.from(payload, 'base64url').toString() || '{}', 'sub') ?? null
}

function untilHead() {
  const heads = new WeakMap<Passage, number>()
  return several(
    recording((record, { passage }) => {
      const head = heads.get(passage)
      return head === undefined ? record : { ...record, executionTimeMs: head - passage.startedAt }
    }),
    replacePart('audit', old => ({
      reply(passage, out) {
        const way = old.reply?.(passage, out) ?? out
        return through(way, {
          head(head) {
            heads.set(passage, performance.now())
            way.head(head)
          },
        })
      },
    })),
  )
}
