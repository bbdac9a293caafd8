import { hideJson } from '../audit/hide.ts'
import { makeRecords } from '../audit/make.ts'
import { bearerOf } from '../parts/auth.ts'
import { hiding, leavesOut, makes, recording, writing } from './audit/recording.ts'
import {
  bufferWhole,
  edit,
  editEndpoint,
  getString,
  type Passage,
  replaceEndpoint,
  replacePart,
  sessionOf,
  several,
  through,
  values,
} from './harm.ts'
import type { Mutant } from './mutant.ts'

const platform = 'seed' as const

/** Gateways whose record of calls is wrong. */
export const audit: readonly Mutant[] = [
  {
    name: 'records-twice',
    harm: 'Writes calls of the tool counter down twice: when they come and when they end.',
    caughtBy: ['audit/once'],
    platform,
    mutate: recording(record =>
      record.toolName === 'counter' ? [record, { ...record, id: `${record.id}-end` }] : record,
    ),
  },
  {
    name: 'mixes-arguments-of-concurrent-calls',
    harm: 'Keeps the arguments of a session in one place, where the next call overwrites them.',
    caughtBy: ['audit/concurrent-apart'],
    platform,
    mutate: lastArguments(),
  },
  {
    name: 'sorts-records-by-tool',
    harm: 'Shows the record sorted by the names of the tools.',
    caughtBy: ['audit/order'],
    platform,
    operate: editEndpoint('audit', reply => ({
      ...reply,
      text: edit(reply.text ?? '', 'records', raw => `[${values(raw).sort(byTool).join(',')}]`),
    })),
  },
  {
    name: 'shows-records-of-all-sessions',
    harm: 'Shows everything, whichever session it is asked for.',
    caughtBy: ['audit/sessions-apart'],
    platform,
    operate: replaceEndpoint('audit', (call, old) =>
      old.run({ ...call, query: new URLSearchParams({ limit: '1000' }) }),
    ),
  },
  {
    name: 'cuts-arguments-without-a-word',
    harm: 'Keeps the beginning of large arguments, and does not say that it is the beginning.',
    caughtBy: ['audit/large-arguments'],
    platform,
    mutate: writing(raw =>
      raw.startsWith('{"truncated":true')
        ? JSON.stringify({ text: (JSON.parse(raw) as { text: string }).text.slice(9, 1000) })
        : raw,
    ),
  },
  {
    name: 'records-tokens',
    harm: 'Writes the field Authorization down with each call.',
    caughtBy: ['audit/no-credentials', 'audit/token-hidden'],
    platform,
    mutate: recording((record, { passage }) =>
      Object.assign({ authorization: passage.header('authorization') ?? null }, record),
    ),
  },
  {
    name: 'keeps-tokens-in-arguments',
    harm: 'Leaves a token that stands in arguments where it is.',
    caughtBy: ['audit/token-hidden'],
    platform,
    mutate: hiding(making => raw => making.hide(raw, undefined)),
  },
  {
    name: 'keeps-passwords',
    harm: 'Writes down the values of arguments such as password.',
    caughtBy: ['audit/secrets-hidden'],
    platform,
    mutate: hiding(() => (raw, token) => hideJson(raw, () => false, token)),
  },
  {
    name: 'buffers-streams-to-record-them',
    harm: 'Reads the whole answer of the tool slow to write down what came of it, and only then sends it on.',
    caughtBy: ['audit/stream-not-held'],
    platform,
    mutate: bufferWhole({ request: /"name":"slow"/ }),
  },
  {
    name: 'shows-records-without-session',
    harm: 'Shows records without the session that they are of.',
    caughtBy: ['audit/session-id', 'audit/sessions-apart', 'audit/large-arguments'],
    platform,
    operate: editEndpoint('audit', reply => ({
      ...reply,
      text: edit(reply.text ?? '', 'records.*.sessionId', () => 'null'),
    })),
  },
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

const byTool = (a: string, b: string): number => {
  const [one, other] = [a, b].map(record => getString(record, 'toolName') ?? '')
  return one! < other! ? -1 : 1
}

/** What the token says, whoever has signed it. */
function claimed(passage: Passage): string | null {
  const [, payload = ''] = bearerOf(passage)?.split('.') ?? []
  return getString(Buffer.from(payload, 'base64url').toString() || '{}', 'sub') ?? null
}

function lastArguments() {
  const last = new Map<string | undefined, Passage>()
  const mixes = makes((call, body, making) => {
    const [record] = makeRecords(call, body, making)
    const newest = record?.toolName === 'echo' ? last.get(sessionOf(call.passage))?.body.now() : body
    return makeRecords(call, newest ?? body, making)
  })
  return several(
    mixes,
    replacePart('audit', old => ({
      receive(passage) {
        last.set(sessionOf(passage), passage)
        return old.receive?.(passage)
      },
    })),
  )
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

function firstRefusal() {
  const known = new Set<string | null>()
  return leavesOut(record => {
    if (record.refusedBy !== 'breaker') return false
    const again = known.has(record.sessionId)
    known.add(record.sessionId)
    return again
  })
}
