import {
  code,
  edit,
  editReply,
  editRequest,
  errorMessage,
  get,
  getString,
  type Mutant,
  type Passage,
  put,
  requestText,
  resultMessage,
  sessionOf,
  values,
} from '../harm.ts'
import { asksForMore, endsLists } from '../paging.ts'

/** The answer to `tools/list`, as distinct from capabilities. */
const LIST = /"tools":\[/

/** How often something has happened in each session of one gateway. */
const counter = () => {
  const counts = new Map<string | undefined, number>()
  return (passage: Passage): number => {
    const n = (counts.get(sessionOf(passage)) ?? 0) + 1
    counts.set(sessionOf(passage), n)
    return n
  }
}

/** What is wrong with lists of tools. */
export const lists: readonly Mutant[] = [
  {
    name: 'stops-after-eight-pages',
    harm: 'Ends every list of tools after eight pages, and says nothing of the rest.',
    caughtBy: ['tools/list-complete'],
    mutate: endsLists(LIST, 8),
  },
  {
    name: 'repeats-at-page-ends',
    harm: 'Lists the first tool of each page but the last once more at its end.',
    caughtBy: ['tools/listed-once'],
    mutate: editReply({ message: /"nextCursor":/, request: /"tools\/list"/ }, m =>
      edit(m, 'result.tools', raw => `[${[...values(raw), values(raw)[0]].join()}]`),
    ),
  },
  {
    name: 'decodes-cursors',
    harm: 'Takes cursors for URL-encoded, and decodes them before the server gets them back.',
    caughtBy: ['tools/cursors-opaque', 'tools/list-complete'],
    mutate: editRequest(/"tools\/list"/, m =>
      edit(m, 'params.cursor', raw => JSON.stringify(decodeURIComponent(String(JSON.parse(raw))))),
    ),
  },
  {
    name: 'forgets-used-cursors',
    harm: 'Knows a cursor only until it was used in its session, and refuses it from then on.',
    caughtBy: ['tools/cursor-stable'],
    mutate: parts => {
      const used = new Set<string>()
      return editReply(LIST, (message, { passage }) => {
        const key = `${sessionOf(passage)} ${get(requestText(passage), 'params.cursor')}`
        if (asksForMore(passage) && used.has(key))
          return errorMessage(get(message, 'id'), code.params, 'Unknown cursor')
        used.add(key)
        // A walk that begins anew is given cursors that are new.
        if (!asksForMore(passage))
          for (const one of used) if (one.startsWith(`${sessionOf(passage)} `)) used.delete(one)
        return message
      })(parts)
    },
  },
  {
    name: 'empties-unknown-pages',
    harm: 'Answers a cursor that the server refuses with an empty list.',
    caughtBy: ['tools/invalid-cursor'],
    mutate: editReply({ request: /"tools\/list"/, message: /"code":-32602/ }, m =>
      resultMessage(get(m, 'id') ?? 'null', '{"tools":[]}'),
    ),
  },
  {
    name: 'keeps-256-tools',
    harm: 'Keeps the first 256 tools of a page.',
    caughtBy: ['tools/long-list'],
    mutate: editReply(LIST, m =>
      edit(m, 'result.tools', raw => (values(raw).length > 256 ? `[${values(raw).slice(0, 256).join()}]` : raw)),
    ),
  },
  {
    name: 'stacks-prefixes',
    harm: 'Puts its prefix before the names of a cached list once more, each time that it is asked for.',
    caughtBy: ['tools/list-again'],
    mutate: parts => {
      const walks = counter()
      const times = new Map<string | undefined, number>()
      return editReply(LIST, (message, { passage }) => {
        if (!asksForMore(passage)) times.set(sessionOf(passage), walks(passage))
        const prefix = 'crm_'.repeat((times.get(sessionOf(passage)) ?? 1) - 1)
        return edit(message, 'result.tools.*.name', raw => raw.replace('"', `"${prefix}`))
      })(parts)
    },
  },
  {
    name: 'caches-lists-for-ever',
    harm: 'Asks a server once for each page of its tools in a session, and never again.',
    caughtBy: ['tools/list-fresh'],
    mutate: parts => {
      const pages = new Map<string, string>()
      return editReply(LIST, (message, { passage }) => {
        const key = `${sessionOf(passage)} ${getString(requestText(passage), 'params.cursor') ?? ''}`
        const first = pages.get(key) ?? message
        pages.set(key, first)
        return edit(first, 'id', () => get(message, 'id'))
      })(parts)
    },
  },
]

/** Leaves out a member of every tool. */
const drop = (path: string) => editReply(LIST, m => edit(m, `result.tools.*.${path}`, () => undefined))

/** What is wrong with the entries in lists of tools. */
export const entries: readonly Mutant[] = [
  {
    name: 'keeps-first-line-of-descriptions',
    harm: 'Keeps only the first line of the description of a tool.',
    caughtBy: ['tools/description-kept'],
    mutate: editReply(LIST, m => edit(m, 'result.tools.*.description', raw => raw.replace(/\\n.*"$/, '"'))),
  },
  {
    name: 'drops-tool-titles',
    harm: 'Leaves the titles of tools out.',
    caughtBy: ['tools/title-kept'],
    mutate: drop('title'),
  },
  {
    name: 'closes-schemas',
    harm: 'Adds additionalProperties: false to input schemas that do not say so.',
    caughtBy: ['tools/input-schema-kept'],
    mutate: editReply(LIST, m =>
      edit(m, 'result.tools.*.inputSchema', raw =>
        get(raw, 'additionalProperties') === undefined ? put(raw, 'additionalProperties', 'false') : raw,
      ),
    ),
  },
  {
    name: 'drops-definitions',
    harm: 'Leaves $defs out of input schemas, and so leaves $ref pointing nowhere.',
    caughtBy: ['tools/schema-keywords-kept'],
    mutate: drop('inputSchema.$defs'),
  },
  {
    name: 'rounds-limits',
    harm: 'Reads the limits in input schemas as doubles.',
    caughtBy: ['tools/schema-numbers-kept'],
    mutate: editReply(LIST, m =>
      edit(m, 'result.tools.*.inputSchema.**.maximum', raw => (/^[-\d]/.test(raw) ? String(Number(raw)) : raw)),
    ),
  },
  {
    name: 'drops-output-schemas',
    harm: 'Leaves the output schemas of tools out.',
    caughtBy: ['tools/output-schema-kept'],
    mutate: drop('outputSchema'),
  },
  {
    name: 'drops-false-hints',
    harm: 'Leaves out hints that are false, as an encoder does that omits what is empty.',
    caughtBy: ['tools/annotations-kept'],
    mutate: editReply(LIST, m =>
      edit(m, 'result.tools.*.annotations.*', (raw, key) => (raw === 'false' && /Hint$/.test(key) ? undefined : raw)),
    ),
  },
  {
    name: 'fills-in-hints',
    harm: 'Calls tools read-only whose server says nothing about it.',
    caughtBy: ['tools/annotations-kept'],
    mutate: editReply(LIST, m =>
      edit(m, 'result.tools.*.annotations', raw =>
        get(raw, 'readOnlyHint') === undefined ? put(raw, 'readOnlyHint', 'true') : raw,
      ),
    ),
  },
  {
    name: 'drops-empty-annotations',
    harm: 'Leaves out annotations that are empty.',
    caughtBy: ['tools/empty-annotations-kept'],
    mutate: editReply(LIST, m => edit(m, 'result.tools.*.annotations', raw => (raw === '{}' ? undefined : raw))),
  },
  {
    name: 'drops-tool-icons',
    harm: 'Leaves the icons of tools out.',
    caughtBy: ['tools/icons-kept'],
    mutate: drop('icons'),
  },
  {
    name: 'drops-tool-meta',
    harm: 'Leaves the _meta of tools out.',
    caughtBy: ['tools/meta-kept'],
    mutate: drop('_meta'),
  },
  {
    name: 'drops-unknown-members-of-tools',
    harm: 'Keeps only those members of a tool that it knows.',
    caughtBy: ['tools/unknown-members-kept'],
    mutate: editReply(LIST, m => edit(m, 'result.tools.*.*', (raw, key) => (key.startsWith('x-') ? undefined : raw))),
  },
]
