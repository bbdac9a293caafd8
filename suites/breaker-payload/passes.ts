import { client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { open, sameOwner } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { refused, small } from '../breakers.ts'
import { platform } from '../spec.ts'
import { callSized, goesOn, readSized, sentAtLeast } from './sized.ts'

const spec = platform('payload-guard')
const next = small('next call')
const base = { pack: 'policy', level: 'MUST', spec, needs: ['payload-guard', 'http-backend'] } as const

/** What opens nothing. */
export const passes: readonly Check[] = [
  check({
    ...base,
    id: 'breaker-payload/well-below-passes',
    title: 'leaves a session alone that reads well below the limit',
    why: 'Honest work is stopped: four fifths of the limit are within it.',
    steps: [readSized({ share: 0.8, of: 'body' }), next],
    given: [sentAtLeast(0.75)],
    claims: [goesOn],
  }),
  check({
    ...base,
    id: 'breaker-payload/just-below-passes',
    title: 'leaves a session alone that reads just below the limit',
    why: 'Servers that cut their pages to fit the limit are punished for it.',
    steps: [readSized({ share: 0.98, of: 'body' }), next],
    given: [sentAtLeast(0.95)],
    claims: [goesOn],
  }),
  check({
    ...base,
    id: 'breaker-payload/small-reads-pass',
    title: 'measures each read by itself, and does not add them up',
    why: 'An agent that reads a table page by page, as it should, is stopped on the second page.',
    steps: [readSized({ share: 0.6, of: 'body' }), readSized({ share: 0.6, of: 'body', as: 'second read' }), next],
    given: [sentAtLeast(0.55)],
    claims: [client('second read').succeeds(), goesOn],
  }),
  check({
    ...base,
    id: 'breaker-payload/tool-answers-pass',
    title: 'measures what resources/read answers, and not what tools do',
    pack: 'syncseries',
    why: 'A report that a tool writes may be long: the platform guards resources, for those are read in bulk.',
    steps: [callSized({ share: 1.5, of: 'text' }), next],
    given: [sentAtLeast(1)],
    claims: [goesOn],
  }),
  check({
    ...base,
    id: 'breaker-payload/other-client-untouched',
    title: 'leaves other clients alone when a session has read too much',
    needs: ['payload-guard', 'http-backend', 'auth'],
    why: 'One agent reads too much, and every agent of the house stands still.',
    steps: [
      open({ who: 'b' }),
      readSized({ share: 1.5, of: 'text', who: 'a' }),
      small('next call', 'b'),
      small('call of the reader', 'a'),
    ],
    given: [sentAtLeast(1), refused('call of the reader', 413)],
    claims: [goesOn],
  }),
  check({
    ...base,
    id: 'breaker-payload/other-session-untouched',
    title: 'leaves other sessions of the same owner alone when one has read too much',
    pack: 'syncseries',
    needs: ['payload-guard', 'http-backend', 'sessions'],
    why: 'An agent has one session for each task: the one that read too much takes all the others with it.',
    steps: [
      sameOwner('b'),
      open({ who: 'b' }),
      readSized({ share: 1.5, of: 'text', who: 'a' }),
      small('next call', 'b'),
      small('call of the reader', 'a'),
    ],
    given: [sentAtLeast(1), refused('call of the reader', 413)],
    claims: [client('next call').succeeds()],
  }),
]
