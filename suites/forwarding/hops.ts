import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { call } from '../../kit/steps.ts'
import type { Check, Pairs } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { json, saying } from '../answers.ts'
import { rfc9110 } from '../spec.ts'

/** Undefined where the field does not hold this text: one hop's value has not gone on to the next. */
const holdsNot = (headers: Pairs, name: string, text: string): string | undefined => {
  const value = field(headers, name)
  return value?.includes(text) ? `${name}: ${value}` : undefined
}

/** Fields that concern one connection only. */
export const hops: readonly Check[] = [
  check({
    id: 'forwarding/hop-fields-of-requests-stay',
    title: 'MUST NOT forward the fields that Connection names in a request',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('7.6.1'),
    needs: ['intermediary', 'http-backend'],
    why: 'The server acts on what was agreed between others: it may send trailers that nobody waits for.',
    steps: [
      call(
        'burst_target',
        {},
        {
          headers: {
            Connection: 'keep-alive, TE, Keep-Alive',
            TE: 'trailers, x-kit-coding;q=0.5',
            'Keep-Alive': 'timeout=77',
          },
        },
      ),
    ],
    claims: [
      backend().holds('TE is not that of the client', e => holdsNot(e.request.headers, 'TE', 'x-kit-coding')),
      backend().holds('Keep-Alive is not that of the client', e =>
        holdsNot(e.request.headers, 'Keep-Alive', 'timeout=77'),
      ),
    ],
  }),
  check({
    id: 'forwarding/hop-fields-of-answers-stay',
    title: 'MUST NOT give on the fields that Connection names in an answer',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('7.6.1'),
    needs: ['intermediary', 'http-backend'],
    why: 'The client keeps its connection open for as long as another one was promised to be, and its next call is lost.',
    steps: [
      call(
        'burst_target',
        {},
        {
          acts: json(saying('ok'), 200, [
            ['Connection', 'keep-alive, Keep-Alive'],
            ['Keep-Alive', 'timeout=77'],
          ]),
        },
      ),
    ],
    given: [backend().once()],
    claims: [
      client().holds('Keep-Alive is not that of the server', e =>
        holdsNot(e.response?.headers ?? [], 'Keep-Alive', 'timeout=77'),
      ),
    ],
  }),
]
