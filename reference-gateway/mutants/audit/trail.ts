import { hideJson } from '../../audit/hide.ts'
import { makeRecords } from '../../audit/make.ts'
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
  values,
} from '../harm.ts'
import type { Mutant } from '../mutant.ts'
import { hiding, makes, recording, writing } from './recording.ts'

const platform = 'seed' as const

/** What a record holds too much or too little of as a whole, and what recording does to calls. */
export const trail: readonly Mutant[] = [
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
]

const byTool = (a: string, b: string): number => {
  const [one, other] = [a, b].map(record => getString(record, 'toolName') ?? '')
  return one! < other! ? -1 : 1
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
