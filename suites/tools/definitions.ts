import { changes, sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, type Difference, differences, JsonNumber } from '../../kit/json.ts'
import { listed } from '../../kit/listed.ts'
import { list } from '../../kit/steps.ts'
import type { Check, Claim } from '../../kit/types.ts'
import { spec } from '../spec.ts'

const tools = listed('tools')

/** Members that no revision knows: `tools/unknown-members-kept` looks at those. */
const UNKNOWN = /(^|\.)x-/

const isNumbers = ({ sent, got }: Difference): boolean => sent instanceof JsonNumber && got instanceof JsonNumber

const say = (found: readonly Difference[]) => sayChanges(found, 'the server has', 'the client got')

/** `inputSchema` of some tools, but for numbers that were bent and keywords that no dialect knows. */
const inputSchema = (says: string, of: (id: string) => boolean): Claim =>
  tools.each(says, ({ id, sent, got }) =>
    of(id)
      ? say(changes(at(sent, 'inputSchema'), at(got, 'inputSchema'), { ignore: [UNKNOWN] }).filter(d => !isNumbers(d)))
      : undefined,
  )

const isDeep = (id: string): boolean => id === 'crm/deep_schema'

/** How the tools are described: member by member. */
export const definitions: readonly Check[] = [
  check({
    id: 'tools/description-kept',
    title: 'keeps the description of every tool, if with words of its own around it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-description-preserved'],
    why: 'The description is all that the model has to choose a tool by; cut off, it chooses the wrong one.',
    steps: [list('tools')],
    claims: [
      tools.each('the description of every tool holds that of the server', ({ sent, got }) => {
        const text = at(got, 'description')
        if (typeof text === 'string' && text.includes(String(sent['description']))) return undefined
        return say(differences(sent['description'], text))
      }),
    ],
  }),
  check({
    id: 'tools/title-kept',
    title: 'keeps the title of every tool',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-description-preserved'],
    why: 'Without its title a tool is shown to people by a name made for machines.',
    steps: [list('tools')],
    given: [tools.has('title')],
    claims: [tools.member('title')],
  }),
  check({
    id: 'tools/input-schema-kept',
    title: 'keeps the input schema of every tool',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-input-schema-preserved'],
    why: 'A model that does not see which arguments are required leaves them out, and the call fails.',
    steps: [list('tools')],
    claims: [inputSchema('the input schema of every tool is as the server has it', id => !isDeep(id))],
  }),
  check({
    id: 'tools/schema-keywords-kept',
    title: 'keeps every keyword of JSON Schema 2020-12 in an input schema',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-11-25',
    spec: spec('2025-11-25', 'basic', 'json-schema-usage'),
    catalogue: ['tools.definition-schema-2020-12-keywords'],
    why: 'A gateway that reads schemas into a structure of its own loses $defs or anyOf, and what is left says something else.',
    steps: [list('tools')],
    given: [tools.shows('crm/deep_schema')],
    claims: [inputSchema('the input schema of deep_schema is as the server has it', isDeep)],
  }),
  check({
    id: 'tools/schema-numbers-kept',
    title: 'keeps the numbers in input schemas, also those beyond 2^53',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-input-schema-preserved'],
    why: 'A limit that was rounded forbids a value that the server takes, or allows one that it does not.',
    steps: [list('tools')],
    given: [tools.shows('crm/deep_schema')],
    claims: [
      tools.each('every number in an input schema is as the server has it', ({ sent, got }) =>
        say(changes(at(sent, 'inputSchema'), at(got, 'inputSchema'), { ignore: [UNKNOWN] }).filter(isNumbers)),
      ),
    ],
  }),
  check({
    id: 'tools/output-schema-kept',
    title: 'keeps the output schema of every tool that has one, and makes none up',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'server/tools', 'output-schema'),
    catalogue: ['tools.definition-output-schema-preserved'],
    why: 'A client cannot check structured results against a schema that it never got.',
    steps: [list('tools')],
    given: [tools.has('outputSchema')],
    claims: [tools.member('outputSchema', { ignore: [UNKNOWN] })],
  }),
  check({
    id: 'tools/annotations-kept',
    title: 'keeps the annotations of every tool, and adds no hint',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-annotations-preserved'],
    why: 'readOnlyHint and destructiveHint decide whether a person is asked first; a lost "false" is read as "true".',
    steps: [list('tools')],
    given: [tools.has('annotations')],
    claims: [
      tools.each('the annotations of every tool are as the server has them', ({ sent, got }) =>
        say(changes(at(sent, 'annotations') ?? {}, at(got, 'annotations') ?? {}, { ignore: [UNKNOWN] })),
      ),
    ],
  }),
  check({
    id: 'tools/empty-annotations-kept',
    title: 'keeps empty annotations apart from none',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['tools.definition-annotations-preserved'],
    why: 'What is lost here is only that the server said "no hints"; it shows that entries are rebuilt on the way.',
    steps: [list('tools')],
    given: [tools.shows('crm/hints_empty')],
    claims: [
      tools.each('annotations are there where the server has them, and only there', ({ sent, got }) =>
        'annotations' in sent === 'annotations' in got
          ? undefined
          : say(differences(sent['annotations'], got['annotations'])),
      ),
    ],
  }),
  check({
    id: 'tools/icons-kept',
    title: 'keeps the icons of every tool',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-11-25',
    spec: spec('2025-11-25', 'basic', 'icons'),
    catalogue: ['tools.definition-icons-preserved'],
    why: 'Tools lose their pictures, or clients are sent to hosts that they cannot reach.',
    steps: [list('tools')],
    given: [tools.has('icons')],
    claims: [
      tools.each('the icons of every tool are as the server has them', ({ sent, got }) =>
        say(changes(at(sent, 'icons') ?? [], at(got, 'icons') ?? [], { ignore: [UNKNOWN] })),
      ),
    ],
  }),
  check({
    id: 'tools/meta-kept',
    title: 'keeps the _meta of every tool',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-nested-preserved'],
    why: 'Extensions live in _meta: without it a client shows no widget, and a policy finds no label.',
    steps: [list('tools')],
    given: [tools.has('_meta')],
    claims: [tools.member('_meta', { rounding: true })],
  }),
  check({
    id: 'tools/unknown-members-kept',
    title: 'keeps members of a tool that no revision knows',
    pack: 'mcp',
    level: 'MAY',
    spec: spec('2025-11-25', 'server/tools', 'tool'),
    catalogue: ['envelope.unknown-members-preserved'],
    why: 'A gateway that passes on only what it knows is in the way of every later revision.',
    steps: [list('tools')],
    given: [tools.has('x-mock')],
    claims: [
      tools.each('every unknown member is as the server has it', ({ sent, got }) =>
        say(changes(sent, got, { rounding: true }).filter(d => UNKNOWN.test(d.path) && d.sent !== undefined)),
      ),
    ],
  }),
]
