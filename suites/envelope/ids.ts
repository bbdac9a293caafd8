import { document, gate, says } from '../../kit/acts.ts'
import { client } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check, claim } from '../../kit/define.ts'
import { at, differences, isObject, show, stringify } from '../../kit/json.ts'
import { behind, reply, sent } from '../../kit/messages.ts'
import { describe, raw } from '../../kit/session.ts'
import { call, finish, request, start, times, together, untilBackend } from '../../kit/steps.ts'
import type { Check, Claim, Exchange, Step } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'

const results = spec('2025-11-25', 'basic', 'result-responses')
const errors = spec('2025-11-25', 'basic', 'error-responses')
const requests = spec('2025-11-25', 'basic', 'requests')

/** What the exchanges are called that the claim below looks at. */
const LABEL = 'under an id'

const callUnder = (...ids: readonly unknown[]): Step =>
  times(ids.length, `calls a tool, with ${ids.map(id => show(raw(stringify(id)), 40)).join(' and ')} as the id`, i =>
    call('burst_target', {}, { id: ids[i], as: LABEL }),
  )

const sameIds: Claim = claim('client', 'every answer has the id of its request', evidence => {
  const asked = evidence.client.filter(e => e.label === LABEL)
  const wrong = asked.flatMap(e => {
    const id = at(sent(e), 'id')
    const answer = reply(e)
    const seen = answer ? sayChanges(differences(id, answer['id']), 'sent', 'got') : describe(e)
    return seen === undefined ? [] : [`${show(id, 40)}: ${seen}`]
  })
  return wrong.length ? `${wrong.length} of ${asked.length} do not, as the one to ${wrong[0]}` : undefined
})

/** Ids that occur twice in one session with a server, over all that was recorded of it. */
const idsUnique: Claim = claim('backend', 'no request id comes twice in one session', ({ backend }) => {
  const seen = new Map<string, Exchange>()
  for (const e of backend) {
    const session = field(e.request.headers, 'mcp-session-id') ?? field(e.response?.headers ?? [], 'mcp-session-id')
    for (const message of [sent(e) ?? null].flat()) {
      if (session === undefined || !isObject(message) || message['method'] === undefined) continue
      const id = message['id']
      if (id === undefined) continue
      const key = `${e.server} ${session} ${stringify(id)}`
      if (seen.has(key)) return `${show(id, 60)} came twice at ${e.server} in one session`
      seen.set(key, e)
    }
  }
  return undefined
})

/** The ids of requests, on their way there and back. */
export const ids: readonly Check[] = [
  check({
    id: 'envelope/id-string',
    title: 'answers a request with a string as its id under the same string',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-string-preserved'],
    why: 'The client finds no request for the answer: the call hangs until it times out.',
    steps: [callUnder('req-987A-42c1-8d23-01bf8a421e90', ' padded ', 'a "quoted" \\ slashed / id')],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-unicode',
    title: 'answers a request under an id of any script',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-string-preserved'],
    why: 'An id that comes back with other letters is the id of no request, and its call hangs.',
    steps: [callUnder('요청-1', 'заявка 2', '🧾-3')],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-numeric-string',
    title: 'keeps an id that looks like a number, but is a string, a string',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-string-preserved'],
    why: 'To a client "1" and 1 are two ids. The answer to one is no answer to the other.',
    steps: [callUnder('1', '01', '1e3', '-0')],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-zero-or-empty',
    title: 'answers requests whose id is 0 or an empty string',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-integer-preserved', 'envelope.id-string-preserved'],
    why: 'Many clients count from 0. Code that asks "is there an id?" carelessly takes the first request for a notification.',
    steps: [callUnder(0, '')],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-integer',
    title: 'answers a request with an integer as its id under the same integer',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-integer-preserved'],
    why: 'An id that went through a type too small for it is another id.',
    steps: [callUnder(-1, 4294967296, raw('9007199254740991'), raw('-9007199254740991'))],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-beyond-double',
    title: 'answers a request under an integer id that no double can hold',
    pack: 'mcp',
    level: 'SHOULD',
    spec: results,
    catalogue: ['envelope.id-integer-preserved', 'envelope.number-fidelity'],
    why: 'Ids made from a clock in nanoseconds are that large. Rounded, they name no request, or another one.',
    steps: [callUnder(raw('9007199254740993'), raw('1733011200123456789'))],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-long',
    title: 'answers a request under an id of 512 characters',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.id-echo', 'envelope.id-string-preserved'],
    why: 'Some clients put a trace or a token into the id; cut off, it is the id of no request.',
    steps: [callUnder('0123456789abcdef'.repeat(32))],
    claims: [sameIds],
  }),
  check({
    id: 'envelope/id-of-errors',
    title: 'gives an error the id of the request that it answers',
    pack: 'mcp',
    level: 'MUST',
    spec: errors,
    catalogue: ['envelope.id-echo'],
    why: 'An error without the id of its request belongs to nothing: the failed call looks like one that hangs.',
    steps: [
      call('fails_as_error', {}, { id: 'err-1', as: 'of a server' }),
      request('tools/call', { name: 'no_such_tool', arguments: {} }, { id: 'err-2', as: 'of an unknown tool' }),
    ],
    claims: [client('of a server').sameId(), client('of a server').error(), client('of an unknown tool').sameId()],
  }),
  check({
    id: 'envelope/upstream-ids-unique',
    title: 'never uses a request id twice in one session with a server, not even for two clients with equal ids',
    pack: 'mcp',
    level: 'MUST',
    spec: requests,
    catalogue: ['envelope.upstream-id-unique-session'],
    needs: ['http-backend'],
    why: 'With two requests under one id, the server or the gateway gives one of them the answer to the other.',
    steps: [
      times(4, 'calls a tool as client a and as client b at the same time, under equal ids', i =>
        together(
          call('echo', { of: 'a' }, { who: 'a', id: `request-${i}` }),
          call('echo', { of: 'b' }, { who: 'b', id: `request-${i}` }),
        ),
      ),
    ],
    given: [
      claim('backend', 'the calls reach the server', evidence =>
        evidence.client.some(e => behind(evidence, e).length > 0) ? undefined : 'none did',
      ),
    ],
    claims: [idsUnique],
  }),
  check({
    id: 'envelope/no-crosstalk',
    title: 'gives each of two clients its own answer, though their requests have the same id and are under way at once',
    pack: 'mcp',
    level: 'MUST',
    spec: results,
    catalogue: ['envelope.no-response-crosstalk'],
    why: 'The answer to somebody else, with his data, goes to the client that happened to count alike.',
    steps: [
      start(
        call(
          'slow',
          {},
          { who: 'a', id: 'same-1', as: 'that of a', acts: [gate(1, 'that of b'), ...document(says('for a'))] },
        ),
      ),
      untilBackend('that of a'),
      call('slow', {}, { who: 'b', id: 'same-1', as: 'that of b', acts: document(says('for b')) }),
      finish(),
    ],
    claims: [
      client('that of a').result('content.0.text', 'for a'),
      client('that of b').result('content.0.text', 'for b'),
      client('that of a').sameId(),
      client('that of b').sameId(),
    ],
  }),
]
