import { edit, editReply, editRequest, get, type Mutant, put, sendTwice } from '../harm.ts'

/** A result of a call. */
const RESULT = { request: /"tools\/call"/, message: /"result":/ } as const

const inContent = (path: string, change: (raw: string) => string | undefined) =>
  editReply(RESULT, m => edit(m, `result.content.*.${path}`, change))

const isOf = (block: string, type: string): boolean => get(block, 'type') === `"${type}"`

/** What is wrong with calls. */
export const calls: readonly Mutant[] = [
  {
    name: 'takes-a-first-word-for-a-server',
    harm: 'Takes the first word of "hints_true" for the name of a server, and calls "true".',
    caughtBy: ['tools/name-mapped'],
    mutate: editRequest(/"tools\/call"/, m => edit(m, 'params.name', raw => raw.replace(/^"hints_(?=true)/, '"'))),
  },
  {
    name: 'splits-names-at-separators',
    harm: 'Takes what stands before "__" for the name of a server, and calls the rest.',
    caughtBy: ['tools/separator-in-name'],
    mutate: editRequest({ request: /"tools\/call"/, message: /"email":/ }, m =>
      edit(m, 'params.name', raw => raw.replace(/^".*?__/, '"')),
    ),
  },
  {
    name: 'lower-cases-names',
    harm: 'Writes the names of tools in lower case before it calls them.',
    caughtBy: ['tools/name-case-kept'],
    mutate: editRequest(/"tools\/call"/, m => edit(m, 'params.name', raw => raw.toLowerCase())),
  },
  {
    name: 'makes-numbers-of-digits',
    harm: 'Makes numbers of arguments that consist of digits.',
    caughtBy: ['tools/arguments-kept'],
    mutate: editRequest(/"tools\/call"/, m =>
      edit(m, 'params.arguments.*', raw => (/^"[1-9]\d*"$/.test(raw) ? raw.slice(1, -1) : raw)),
    ),
  },
  {
    name: 'fills-in-defaults',
    harm: 'Fills in the default of the schema where the client leaves an order out.',
    caughtBy: ['tools/no-defaults-added'],
    mutate: editRequest(/"structured_output"/, m =>
      edit(m, 'params.arguments', raw => (get(raw, 'order_id') === undefined ? put(raw, 'order_id', '"ORD-99"') : raw)),
    ),
  },
  {
    name: 'refunds-twice',
    harm: 'Sends the call of approve_refund a second time, to be sure.',
    caughtBy: ['tools/called-once'],
    mutate: sendTwice(/"approve_refund"/),
  },
]

/** What is wrong with the content of results. */
export const contents: readonly Mutant[] = [
  {
    name: 'drops-blob-resources',
    harm: 'Leaves out embedded resources that are no text.',
    caughtBy: ['tools/content-kept'],
    mutate: editReply(RESULT, m =>
      edit(m, 'result.content.*', raw => (get(raw, 'resource.blob') === undefined ? raw : undefined)),
    ),
  },
  {
    name: 'writes-base64-without-padding',
    harm: 'Leaves the padding of base64 out.',
    caughtBy: ['tools/binary-exact'],
    mutate: inContent('data', raw => raw.replace(/=+"$/, '"')),
  },
  {
    name: 'drops-sizes-of-links',
    harm: 'Leaves the size out of links to resources.',
    caughtBy: ['tools/resource-link-kept'],
    mutate: editReply(RESULT, m =>
      edit(m, 'result.content.*', raw => (isOf(raw, 'resource_link') ? edit(raw, 'size', () => undefined) : raw)),
    ),
  },
  {
    name: 'normalises-line-ends',
    harm: 'Writes the line ends of embedded resources anew.',
    caughtBy: ['tools/embedded-resource-kept'],
    mutate: inContent('resource.text', raw => raw.replaceAll('\\r\\n', '\\n')),
  },
  {
    name: 'drops-content-annotations',
    harm: 'Leaves the annotations of content out.',
    caughtBy: ['tools/content-annotations-kept'],
    mutate: inContent('annotations', () => undefined),
  },
  {
    name: 'drops-content-meta',
    harm: 'Leaves the _meta of content out.',
    caughtBy: ['tools/content-meta-kept'],
    mutate: inContent('_meta', () => undefined),
  },
  {
    name: 'drops-unknown-members-of-content',
    harm: 'Keeps only those members of content that it knows.',
    caughtBy: ['tools/content-unknown-members-kept'],
    mutate: inContent('x-mock', () => undefined),
  },
]

/** What is wrong with results, beside their content. */
export const results: readonly Mutant[] = [
  {
    name: 'empties-deep-structures',
    harm: 'Empties arrays of objects that lie deep inside of structured content.',
    caughtBy: ['tools/structured-content-kept'],
    mutate: editReply({ ...RESULT, request: /"structured_variants"/ }, m =>
      edit(m, 'result.structuredContent.*.*', raw => (raw.startsWith('[{') ? '[]' : raw)),
    ),
  },
  {
    name: 'drops-empty-structured-content',
    harm: 'Leaves structured content out where it is empty.',
    caughtBy: ['tools/structured-content-absent'],
    mutate: editReply(RESULT, m => edit(m, 'result.structuredContent', raw => (raw === '{}' ? undefined : raw))),
  },
  {
    name: 'drops-content-beside-null',
    harm: 'Leaves the content out where the structured content is null.',
    caughtBy: ['tools/content-beside-null'],
    mutate: editReply({ ...RESULT, message: /"structuredContent":null/ }, m => edit(m, 'result.content', () => '[]')),
  },
  {
    name: 'takes-words-for-failures',
    harm: 'Says that a call has failed when its text says that no errors were found.',
    caughtBy: ['tools/success-stays-success'],
    mutate: editReply({ ...RESULT, message: /\bno errors\b/ }, m => edit(m, 'result.isError', () => 'true')),
  },
]
