import { document, result } from '../../kit/acts.ts'
import { client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at, show } from '../../kit/json.ts'
import { reply } from '../../kit/messages.ts'
import { describe } from '../../kit/session.ts'
import { prompt } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { TOLERANT } from './tolerant.ts'

const GETTING = spec('2025-11-25', 'server/prompts', 'getting-a-prompt')

/** A message has a role and content; what else it has is known to no revision. */
const META_OF_MESSAGE = /^\d+\._meta\b/

/** URIs may be the gateway's own. */
const URI = /^\d+\.content\.(?:resource\.)?uri$/

const DESCRIPTION = '환불을 알리는 편지를 씁니다.'

/** What the server embeds: text with line ends of both kinds, and bytes whose base64 has + and / in it. */
const EMBEDDED = [
  { uri: 'crm://notes/7', mimeType: 'text/markdown', text: '# 환불 규정\r\n\r\n\t- 7일 이내 😀\n' },
  { uri: 'crm://seal.bin', mimeType: 'application/octet-stream', blob: '+/8A++//' },
]

const user = (resource: object) => ({ role: 'user', content: { type: 'resource', resource } })

/** What comes when a prompt is asked for. */
export const gets: readonly Check[] = [
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
    id: 'prompts/absent-arguments-kept',
    title: 'gets a prompt when the client gives no arguments at all',
    pack: 'mcp',
    level: 'SHOULD',
    spec: GETTING,
    catalogue: ['prompts.get-arguments-preserved'],
    needs: ['prompts'],
    why: 'A gateway that writes null where nothing was makes the server refuse the simplest of its prompts.',
    steps: [prompt('no_arguments', null)],
    claims: [client().result('messages.0.content.text', 'crm')],
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
      unchanged(undefined, { ...TOLERANT, ignore: [...TOLERANT.ignore, META_OF_MESSAGE, URI] }).result('messages'),
      client().result('messages.0.role', 'user'),
      client().result('messages.1.role', 'assistant'),
      client().result('messages.2.content.type', 'image'),
    ],
  }),
  check({
    id: 'prompts/embedded-resources-kept',
    title: 'keeps resources that are embedded in a prompt: text and blob to the letter, with type and URI',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/prompts', 'embedded-resources'),
    catalogue: ['prompts.embedded-resource-complete'],
    needs: ['prompts'],
    why: 'The contract that the prompt is about reaches the model with other line ends, or as a file that no one can open.',
    steps: [prompt('no_arguments', {}, { acts: document(result({ messages: EMBEDDED.map(user) })) })],
    claims: [
      client().holds('every embedded resource has a URI with a valid scheme', e => {
        const uris = EMBEDDED.map((_, i) => at(reply(e), `result.messages.${i}.content.resource.uri`))
        const bad = uris.filter(uri => typeof uri !== 'string' || !/^[A-Za-z][A-Za-z\d+.-]*:/.test(uri))
        return bad.length ? bad.map(uri => show(uri)).join(' and ') : undefined
      }),
      ...EMBEDDED.flatMap(({ uri: _, ...rest }, i) =>
        Object.entries(rest).map(([name, value]) => client().result(`messages.${i}.content.resource.${name}`, value)),
      ),
    ],
  }),
  check({
    id: 'prompts/result-description-kept',
    title: 'keeps the description that comes with the messages of a prompt, if with words of its own around it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: GETTING,
    catalogue: ['prompts.messages-preserved'],
    needs: ['prompts'],
    why: 'The user is to confirm what goes to the model, and sees messages of which nothing says what they are for.',
    steps: [prompt('refund_letter', { order_id: 'ORD-99' })],
    claims: [
      client().holds('the description holds that of the server', e => {
        const description = at(reply(e), 'result.description')
        return typeof description === 'string' && description.includes(DESCRIPTION) ? undefined : describe(e)
      }),
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
    catalogue: ['prompts.error-codes'],
    needs: ['prompts'],
    why: 'An empty prompt in its place goes to the model as if it were meant.',
    steps: [prompt('no_such_prompt')],
    claims: [client().error()],
  }),
]
