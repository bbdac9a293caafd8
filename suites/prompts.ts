import { client, unchanged } from '../kit/claims.ts'
import { changes, sayChanges } from '../kit/compare.ts'
import { check, suite } from '../kit/define.ts'
import { at, json } from '../kit/json.ts'
import { type Entry, listed } from '../kit/listed.ts'
import { complete, list, prompt } from '../kit/steps.ts'
import { spec } from './spec.ts'

const prompts = listed('prompts')

const LISTING = spec('2025-11-25', 'server/prompts', 'listing-prompts')
const GETTING = spec('2025-11-25', 'server/prompts', 'getting-a-prompt')
const TYPES = spec('2025-11-25', 'server/prompts', 'data-types')

/** Members that no revision knows. */
const TOLERANT = { ignore: [/(^|\.)x-/], rounding: true }

/** A member of an entry, absent and empty being the same. */
const orEmpty =
  (name: string, empty: unknown) =>
  ({ sent, got }: Entry): string | undefined =>
    sayChanges(
      changes(json({ [name]: at(sent, name) ?? empty }), json({ [name]: at(got, name) ?? empty }), TOLERANT),
      'the server has',
      'the client got',
    )

export default suite({
  id: 'prompts',
  title: 'Prompts and completion',
  checks: [
    check({
      id: 'prompts/list-complete',
      title: 'lists every prompt of the server, over all pages',
      pack: 'mcp',
      level: 'SHOULD',
      spec: LISTING,
      catalogue: ['prompts.list-served', 'pagination.next-cursor-not-dropped'],
      needs: ['prompts'],
      why: 'The workflow that the team agreed on is not in the menu, and nobody knows why.',
      steps: [list('prompts')],
      claims: [prompts.complete()],
    }),
    check({
      id: 'prompts/listed-once',
      title: 'lists no prompt twice, and none of a server that was not asked',
      pack: 'mcp',
      level: 'SHOULD',
      spec: LISTING,
      catalogue: ['prompts.list-served', 'pagination.aggregate-no-loss'],
      needs: ['prompts'],
      why: 'Of two prompts under one name only one can be had, and nobody knows which.',
      steps: [list('prompts')],
      claims: [prompts.once(), prompts.noneOfOthers()],
    }),
    check({
      id: 'prompts/arguments-listed',
      title: 'keeps the arguments of every prompt in the list, and which of them are required',
      pack: 'mcp',
      level: 'SHOULD',
      spec: TYPES,
      catalogue: ['prompts.definition-preserved'],
      needs: ['prompts'],
      why: 'The form that a client shows has a field too few, and the prompt is refused for a reason that the user cannot see.',
      steps: [list('prompts')],
      given: [prompts.has('arguments')],
      claims: [prompts.each('arguments of every prompt are as the server has them', orEmpty('arguments', []))],
    }),
    check({
      id: 'prompts/description-kept',
      title: 'keeps the description of every prompt, if with words of its own around it',
      pack: 'mcp',
      level: 'SHOULD',
      spec: TYPES,
      catalogue: ['prompts.definition-preserved'],
      needs: ['prompts'],
      why: 'Ten prompts with names made for machines, and nothing says what each of them does.',
      steps: [list('prompts')],
      claims: [
        prompts.each('the description of every prompt holds that of the server', ({ sent, got }) => {
          const [own, shown] = [String(sent['description']), String(got['description'])]
          return shown.includes(own) ? undefined : `the server has ${own}, the client got ${shown}`
        }),
      ],
    }),
    check({
      id: 'prompts/title-kept',
      title: 'keeps the title of every prompt',
      pack: 'mcp',
      level: 'SHOULD',
      since: '2025-06-18',
      spec: TYPES,
      catalogue: ['prompts.definition-preserved'],
      needs: ['prompts'],
      why: 'Without its title a prompt is offered to people by a name made for machines.',
      steps: [list('prompts')],
      given: [prompts.has('title')],
      claims: [prompts.each('title of every prompt is as the server has it', orEmpty('title', ''))],
    }),
    check({
      id: 'prompts/icons-kept',
      title: 'keeps the icons of every prompt',
      pack: 'mcp',
      level: 'SHOULD',
      since: '2025-11-25',
      spec: TYPES,
      catalogue: ['prompts.definition-preserved'],
      needs: ['prompts'],
      why: 'A user picks a prompt by its picture; without it, two look the same.',
      steps: [list('prompts')],
      given: [prompts.has('icons')],
      claims: [prompts.each('icons of every prompt are as the server has them', orEmpty('icons', []))],
    }),
    check({
      id: 'prompts/name-mapped',
      title: 'gets a prompt from the server that has it, by the name that it has there',
      pack: 'mcp',
      level: 'SHOULD',
      spec: GETTING,
      catalogue: ['prompts.get-arguments-preserved'],
      needs: ['prompts'],
      why: 'What is listed under one name and got under another cannot be got at all.',
      steps: [prompt('no_arguments')],
      claims: [client().result('messages.0.content.text', 'crm')],
    }),
    check({
      id: 'prompts/arguments-kept',
      title: 'hands the arguments of a prompt on as they are, names and values of any script',
      pack: 'mcp',
      level: 'SHOULD',
      spec: GETTING,
      catalogue: ['prompts.get-arguments-preserved'],
      needs: ['prompts'],
      why: 'The letter goes out to a customer whose name is three question marks.',
      steps: [prompt('unicode_arguments', { 고객명: '김하늘 "VIP" 😀', 메모: '줄 하나\n줄 둘' })],
      claims: [client().result('messages.0.content.text', '고객: 김하늘 "VIP" 😀\n메모: 줄 하나\n줄 둘')],
    }),
    check({
      id: 'prompts/messages-kept',
      title: 'keeps every message of a prompt: its role, its content of whatever type, and their order',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/prompts', 'promptmessage'),
      catalogue: ['prompts.messages-preserved'],
      needs: ['prompts'],
      why: 'A conversation that was made with care arrives as one block of text by the assistant.',
      steps: [prompt('mixed_messages')],
      claims: [
        // A message has a role and content; what else it has is known to no revision.
        unchanged(undefined, { ...TOLERANT, ignore: [...TOLERANT.ignore, /^\d+\._meta\b/] }).result('messages'),
        client().result('messages.0.role', 'user'),
        client().result('messages.1.role', 'assistant'),
        client().result('messages.2.content.type', 'image'),
      ],
    }),
    check({
      id: 'prompts/no-messages-kept',
      title: 'takes a prompt without messages for what it is',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/prompts', 'promptmessage'),
      catalogue: ['prompts.messages-preserved'],
      needs: ['prompts'],
      why: 'An empty list is legal: made into an error, or into a message that nobody wrote, it misleads.',
      steps: [prompt('empty_prompt')],
      claims: [client().result('messages', [])],
    }),
    check({
      id: 'prompts/unknown-is-error',
      title: 'answers for a prompt that there is not with an error',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/prompts', 'error-handling'),
      catalogue: ['prompts.unknown-error'],
      needs: ['prompts'],
      why: 'An empty prompt in its place goes to the model as if it were meant.',
      steps: [prompt('no_such_prompt')],
      claims: [client().error()],
    }),
    check({
      id: 'prompts/completion-of-argument',
      title: 'completes an argument of a prompt as the server does',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/utilities/completion', 'requesting-completions'),
      catalogue: ['completion.ref-prompt-routed'],
      needs: ['prompts', 'completions'],
      why: 'The user types blindly what the server could have told, and gets it wrong.',
      steps: [
        complete({ prompt: 'refund_letter' }, { name: 'language', value: 'k' }, { as: 'latin' }),
        complete({ prompt: 'refund_letter' }, { name: 'language', value: '한' }, { as: 'korean' }),
      ],
      claims: [
        client('latin').result('completion.values', ['ko']),
        client('korean').result('completion.values', ['한국어']),
      ],
    }),
    check({
      id: 'prompts/completion-counts-kept',
      title: 'tells how many completions there are, and whether these are all, as the server does',
      pack: 'mcp',
      level: 'SHOULD',
      spec: spec('2025-11-25', 'server/utilities/completion', 'completion-results'),
      catalogue: ['completion.result-preserved'],
      needs: ['prompts', 'completions'],
      why: 'A list of five looks complete although there are fifty.',
      steps: [complete({ prompt: 'refund_letter' }, { name: 'language', value: '' })],
      claims: [client().result('completion.total', 5), client().result('completion.hasMore', false)],
    }),
  ],
})
