import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { read, step } from '../../kit/steps.ts'
import type { Check, Rig } from '../../kit/types.ts'
import { refused, roundTrip, small } from '../breakers.ts'
import { platform } from '../spec.ts'
import { readSized, type Sized, sentAtLeast } from './sized.ts'

const spec = platform('payload-guard')
const next = small('next call')
const large: Sized = { share: 1.5, of: 'text' }
const base = { pack: 'policy', level: 'MUST', spec, needs: ['payload-guard', 'http-backend'] } as const
const large413 = { given: [sentAtLeast(1)], claims: [refused('next call', 413)] } as const

/** Two events, each smaller than the limit, the second only when the first has arrived; then the answer. */
const paced = step('reads a large resource whose server waits for each piece to arrive', (rig: Rig) => {
  const piece = 'x'.repeat(Math.round((rig.target.limits.bytes ?? 0) * 0.6))
  const progress = (n: number) =>
    `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":${n},"message":"${piece}"}}\n\n`
  return read('crm://customers', {
    as: 'read',
    meta: { progressToken: 'pieces' },
    acts: [
      { do: 'head' },
      { do: 'write', text: progress(1) },
      { do: 'gate', events: 1 },
      { do: 'write', text: progress(2) },
      { do: 'gate', events: 2 },
      { do: 'write', text: 'event: message\ndata: {"jsonrpc":"2.0","id":{{id}},"result":{"contents":[]}}\n\n' },
      { do: 'end' },
    ],
  }).run(rig)
})

/** What opens a session, and how the answer that does is delivered. */
export const opens: readonly Check[] = [
  check({
    ...base,
    id: 'breaker-payload/just-above-opens',
    title: 'refuses with 413 what follows an answer to resources/read that is just above the limit',
    why: 'The limit that was agreed on is not the one that holds.',
    steps: [readSized({ share: 1.02, of: 'text' }), next],
    ...large413,
  }),
  check({
    ...base,
    id: 'breaker-payload/well-above-opens',
    title: 'refuses with 413 what follows an answer to resources/read that is well above the limit',
    why: 'An agent reads the whole customer table into its context, and then the next one: the bill, and the leak, grow unseen.',
    steps: [readSized(large), next],
    ...large413,
  }),
  check({
    ...base,
    id: 'breaker-payload/delivered-whole',
    title: 'delivers an answer above the limit whole',
    why: 'Half a document is worse than none: the agent works with it, and does not know.',
    steps: [readSized({ ...large, letter: '가' })],
    given: [sentAtLeast(1)],
    claims: [client('read').whole(), unchanged('read').result()],
  }),
  check({
    ...base,
    id: 'breaker-payload/not-held-back',
    title: 'passes a large answer on as it comes, and does not collect it first to measure it',
    level: 'SHOULD',
    why: 'A guard that collects what it measures holds every answer up, and every answer in memory.',
    steps: [paced],
    claims: [
      backend('read').holds('the server never waits in vain for a piece to arrive', e =>
        e.held === undefined ? undefined : `piece ${e.held} had not arrived at the client`,
      ),
      client('read').whole(),
    ],
  }),
  check({
    ...base,
    id: 'breaker-payload/refused-never-reach',
    title: 'sends nothing of a request that is refused after a large read to a server',
    why: 'The server works on, and the client is told that it did not.',
    steps: [readSized(large), next, roundTrip],
    given: [sentAtLeast(1), refused('next call', 413)],
    claims: [backend('next call').never()],
  }),
  check({
    ...base,
    id: 'breaker-payload/content-length',
    title: 'measures an answer whose length is said beforehand',
    needs: ['payload-guard', 'http-backend', 'http-proxy'],
    why: 'Most servers answer like this: a guard that looks only at chunks sees none of it.',
    steps: [readSized({ ...large, form: 'content-length' }), next],
    ...large413,
  }),
  check({
    ...base,
    id: 'breaker-payload/stream',
    title: 'measures an answer that comes as an event of a stream',
    why: 'A server chooses the form of its answer: with another one everything gets around the guard.',
    steps: [readSized({ ...large, form: 'sse' }), next],
    ...large413,
  }),
  check({
    ...base,
    id: 'breaker-payload/bytes-not-letters',
    title: 'measures bytes, and not letters',
    why: 'Korean takes three bytes a letter: three times the limit goes through.',
    steps: [readSized({ ...large, letter: '가' }), next],
    ...large413,
  }),
  check({
    ...base,
    id: 'breaker-payload/packed',
    title: 'measures an answer that is packed by gzip by what it holds',
    level: 'SHOULD',
    needs: ['payload-guard', 'http-backend', 'http-proxy'],
    why: 'A table of customers packs to a tenth: the guard is for what the agent reads, and not for what the wire carries.',
    steps: [readSized({ share: 3, of: 'text', form: 'gzip' }), next],
    claims: [refused('next call', 413)],
  }),
  check({
    ...base,
    id: 'breaker-payload/method-as-it-is',
    title: 'knows a read by the request itself, and not by what its field Mcp-Method says',
    pack: 'syncseries',
    needs: ['payload-guard', 'http-backend', 'header-routing'],
    why: 'The client writes that field: with another word in it, it reads what it likes.',
    steps: [readSized({ ...large, headers: { 'Mcp-Method': 'tools/call' } }), next],
    ...large413,
  }),
]
