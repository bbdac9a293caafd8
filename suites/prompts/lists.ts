import { changes, sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, json } from '../../kit/json.ts'
import { type Entry, listed } from '../../kit/listed.ts'
import { list } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { TOLERANT } from './tolerant.ts'

const prompts = listed('prompts')

const LISTING = spec('2025-11-25', 'server/prompts', 'listing-prompts')
const TYPES = spec('2025-11-25', 'server/prompts', 'data-types')

/** A member of an entry, absent and empty being the same. */
const orEmpty =
  (name: string, empty: unknown) =>
  ({ sent, got }: Entry): string | undefined =>
    sayChanges(
      changes(json({ [name]: at(sent, name) ?? empty }), json({ [name]: at(got, name) ?? empty }), TOLERANT),
      'the server has',
      'the client got',
    )

/** Which prompts are listed, and how. */
export const lists: readonly Check[] = [
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
    id: 'prompts/meta-kept',
    title: 'keeps the _meta of every prompt',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-nested-preserved'],
    needs: ['prompts'],
    why: 'Extensions live in _meta: a client that knows them treats the prompt as any other.',
    steps: [list('prompts')],
    given: [prompts.has('_meta')],
    claims: [prompts.each('_meta of every prompt is as the server has it', orEmpty('_meta', {}))],
  }),
]
