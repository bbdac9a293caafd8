import {
  addFirst,
  edit,
  editReply,
  editRequest,
  get,
  type Mutant,
  type Mutate,
  type Part,
  type Passage,
  put,
  requestText,
  sendTwice,
  several,
} from '../harm.ts'

/** A result of a call. */
const RESULT = { request: /"tools\/call"/, message: /"result":/ } as const

const inContent = (path: string, change: (raw: string) => string | undefined) =>
  editReply(RESULT, m => edit(m, `result.content.*.${path}`, change))

const isOf = (block: string, type: string): boolean => get(block, 'type') === `"${type}"`

/** Gives the first answer to an id to every request that waits under the same id just then. */
function answerById(match: RegExp): Mutate {
  return parts => {
    const waiting = new Map<string, Set<Passage>>()
    const answers = new WeakMap<Passage, string>()
    const idOf = (passage: Passage) => get(requestText(passage), 'id') ?? ''
    const collect: Part = {
      name: 'harm',
      async receive(passage) {
        await passage.body.bytes()
        if (!match.test(requestText(passage))) return undefined
        const others = waiting.get(idOf(passage)) ?? new Set()
        waiting.set(idOf(passage), others.add(passage))
        return undefined
      },
    }
    const answer = editReply({ request: match }, (message, { passage }) => {
      const others = waiting.get(idOf(passage))
      others?.delete(passage)
      for (const other of others ?? []) answers.set(other, message)
      return answers.get(passage) ?? message
    })
    return several(addFirst(collect), answer)(parts)
  }
}

/** What is wrong with calls. */
export const calls: readonly Mutant[] = [
  {
    name: 'takes-a-first-word-for-a-server',
    harm: 'Takes the first word of "send_email" for the name of a server, and calls "email".',
    caughtBy: ['tools/name-mapped'],
    mutate: editRequest(/"tools\/call"/, m => edit(m, 'params.name', raw => raw.replace(/^"send_/, '"'))),
  },
  {
    name: 'splits-names-at-separators',
    harm: 'Takes what stands before "__" for the name of a server, and calls the rest.',
    caughtBy: ['tools/separator-in-name'],
    mutate: editRequest(/"tools\/call"/, m => edit(m, 'params.name', raw => raw.replace(/^".*?__/, '"'))),
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
  {
    name: 'answers-by-id-alone',
    harm: 'Answers two calls of send_email that are under way with one id with the same answer, whoever sent them.',
    caughtBy: ['tools/own-answers'],
    mutate: answerById(/"send_email"/),
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
    caughtBy: ['tools/result-unknown-members-kept'],
    mutate: inContent('x-mock', () => undefined),
  },
]

/** What is wrong with results, beside their content. */
export const results: readonly Mutant[] = [
  {
    name: 'drops-structured-content',
    harm: 'Leaves structured content out where the tool has an output schema.',
    caughtBy: ['tools/structured-content-kept'],
    mutate: editReply({ ...RESULT, request: /"structured_output"/ }, m =>
      edit(m, 'result.structuredContent', () => undefined),
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
    name: 'forgets-is-error',
    harm: 'Hands a failed call on without isError.',
    caughtBy: ['tools/is-error-kept'],
    mutate: editReply(RESULT, m => edit(m, 'result.isError', () => undefined)),
  },
  {
    name: 'drops-result-meta',
    harm: 'Leaves the _meta of the results of calls out.',
    caughtBy: ['tools/result-meta-kept'],
    mutate: editReply(RESULT, m => edit(m, 'result._meta', () => undefined)),
  },
]
