import { document, result } from '../../kit/acts.ts'
import { backend, client } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { complete } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const REQUESTING = spec('2025-11-25', 'server/utilities/completion', 'requesting-completions')

/** Best first, which is not the order of any alphabet. */
const RANKED = ['한국어', 'ko-KR', 'en', 'ja']

/** What the user has filled in before. */
const CHOSEN = { order_id: 'ORD-99', language: '한국어 😀' }

/** What is offered while an argument of a prompt is typed. */
export const completion: readonly Check[] = [
  check({
    id: 'prompts/completion-of-argument',
    title: 'completes an argument of a prompt as the server does',
    pack: 'mcp',
    level: 'SHOULD',
    spec: REQUESTING,
    catalogue: ['completion.ref-prompt-routed'],
    needs: ['prompts', 'completions'],
    why: 'The user types blindly what the server could have told, and gets it wrong.',
    steps: [
      complete({ prompt: 'refund_letter' }, { name: 'language', value: 'k' }, { as: 'latin' }),
      complete({ prompt: 'refund_letter' }, { name: 'language', value: '한' }, { as: 'korean' }),
      complete(
        { prompt: 'refund_letter' },
        { name: 'language', value: '{{nonce}}' },
        { as: 'ranked', acts: document(result({ completion: { values: RANKED } })) },
      ),
    ],
    claims: [
      client('latin').result('completion.values', ['ko']),
      client('korean').result('completion.values', ['한국어']),
      client('ranked').result('completion.values', RANKED),
    ],
  }),
  check({
    id: 'prompts/completion-counts-kept',
    title: 'tells how many completions there are, and whether these are all, as the server does',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/utilities/completion', 'completion-results'),
    catalogue: ['completion.values-preserved'],
    needs: ['prompts', 'completions'],
    why: 'A list of five looks complete although there are fifty.',
    steps: [
      complete({ prompt: 'refund_letter' }, { name: 'language', value: '' }, { as: 'all' }),
      complete(
        { prompt: 'refund_letter' },
        { name: 'language', value: '{{nonce}}' },
        { as: 'some', acts: document(result({ completion: { values: RANKED, total: 250, hasMore: true } })) },
      ),
    ],
    claims: [
      client('all').result('completion.total', 5),
      // Encoders that leave out what is false say the same.
      client('all').holds('nothing says that there are more', e =>
        at(reply(e), 'result') !== undefined && at(reply(e), 'result.completion.hasMore') !== true
          ? undefined
          : describe(e),
      ),
      client('some').result('completion.total', 250),
      client('some').result('completion.hasMore', true),
    ],
  }),
  check({
    id: 'prompts/completion-context-kept',
    title: 'hands on what the client has filled in already when it asks for completions',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: REQUESTING,
    catalogue: ['completion.context-preserved'],
    needs: ['prompts', 'completions'],
    why: 'The server offers tables of every schema, because nobody told it which one the user has chosen.',
    steps: [
      // The mark in the value lets the request be found where a gateway drops _meta.
      complete(
        { prompt: 'refund_letter' },
        { name: 'tone', value: '{{nonce}}' },
        { extra: { context: { arguments: CHOSEN } } },
      ),
    ],
    claims: [backend().message('params.context.arguments', CHOSEN)],
  }),
]
