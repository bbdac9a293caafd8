import {
  edit,
  editForward,
  editReply,
  entries,
  errorMessage,
  field,
  get,
  type Mutant,
  type Mutate,
  object,
  refuse,
  requestText,
  through,
  values,
  wrapReply,
} from '../harm.ts'

const CALL = /"method":"tools\/call"/

/** Changes each argument of tool calls; undefined drops it. */
const argument = (change: (raw: string) => string | undefined): Mutate =>
  editForward(CALL, message => edit(message, 'params.arguments.*', change))

/** Changes the text of each block of a result. */
const text = (change: (text: string) => string): Mutate =>
  editReply(/"content":/, message =>
    edit(message, 'result.content.*.text', raw => {
      const old = JSON.parse(raw) as string
      const made = change(old)
      return made === old ? raw : JSON.stringify(made)
    }),
  )

/** Drops the metadata of requests of a method that has no namespace, but for the one that the protocol knows. */
const dropsPlainMeta = (method: RegExp): Mutate =>
  editForward(method, message =>
    edit(message, 'params._meta.*', (raw, key) => (key.includes('/') || key === 'progressToken' ? raw : undefined)),
  )

/** Leaves of a value what is nested no deeper than this. */
const pruned = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map(item => pruned(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pruned(item, depth - 1)]))
}

const depthOf = (raw: string): number => (/^[[{]/.test(raw) ? 1 + Math.max(0, ...values(raw).map(depthOf)) : 0)

/** The number that a double makes of the digits. */
const asDouble = (raw: string) => (Number.isInteger(Number(raw)) ? String(BigInt(Number(raw))) : String(Number(raw)))

const LARGE = 1_048_576
const PARAMS = new Set(['name', 'arguments', '_meta', 'uri', 'cursor', 'task'])

/** What goes wrong with members that nobody has to know. */
export const members: readonly Mutant[] = [
  {
    name: 'drops-numbers-of-meta',
    harm: 'Hands the _meta of tool calls on as a map of texts, without its numbers.',
    caughtBy: ['envelope/meta-of-calls-kept'],
    mutate: editForward(CALL, message =>
      edit(message, 'params._meta.*', (raw, key) => (/^\d/.test(raw) && key !== 'progressToken' ? undefined : raw)),
    ),
  },
  {
    name: 'drops-plain-meta-of-reads',
    harm: 'Keeps of the _meta of reads what has a namespace, and drops the rest.',
    caughtBy: ['envelope/meta-of-reads-kept'],
    mutate: dropsPlainMeta(/"method":"resources\/read"/),
  },
  {
    name: 'drops-plain-meta-of-prompts',
    harm: 'Keeps of the _meta of requests for prompts what has a namespace, and drops the rest.',
    caughtBy: ['envelope/meta-of-prompts-kept'],
    mutate: dropsPlainMeta(/"method":"prompts\/get"/),
  },
  {
    name: 'lowers-keys-of-meta',
    harm: 'Keeps the _meta of results like header fields, and writes its keys in lower case.',
    caughtBy: ['envelope/meta-of-results-kept'],
    mutate: editReply(/"_meta":/, message =>
      edit(message, 'result._meta', raw =>
        /[A-Z]/.test(raw) ? object(entries(raw).map(([key, value]) => [key.toLowerCase(), value])) : raw,
      ),
    ),
  },
  {
    name: 'drops-unknown-params',
    harm: 'Reads the params of tool calls into a fixed structure, and leaves out what that does not know.',
    caughtBy: ['envelope/unknown-members-kept'],
    mutate: editForward(CALL, message => edit(message, 'params.*', (raw, key) => (PARAMS.has(key) ? raw : undefined))),
  },
  {
    name: 'drops-unknown-top-level',
    harm: 'Writes messages anew from id, method and params.',
    caughtBy: ['envelope/unknown-top-level-kept'],
    mutate: editForward(/"x-/, message =>
      edit(message, '*', (raw, key) => (/^(jsonrpc|id|method|params|result|error)$/.test(key) ? raw : undefined)),
    ),
  },
  {
    name: 'drops-empty-arguments',
    harm: 'Leaves lists that are empty out of the arguments.',
    caughtBy: ['envelope/empty-arguments-kept'],
    mutate: argument(raw => (raw === '[]' ? undefined : raw)),
  },
  {
    name: 'drops-empty-objects',
    harm: 'Leaves objects that are empty out of structured content.',
    caughtBy: ['envelope/empty-results-kept'],
    mutate: editReply(/"structuredContent":/, message =>
      edit(message, 'result.structuredContent.*', raw => (raw === '{}' ? undefined : raw)),
    ),
  },
]

/** What goes wrong with numbers, text and sizes. */
export const contents: readonly Mutant[] = [
  {
    name: 'saturates-integers-in-arguments',
    harm: 'Reads integers in arguments into 64 bits, and puts the largest there is for what does not fit.',
    caughtBy: ['envelope/integers-in-arguments'],
    mutate: argument(raw => (/^\d{20,}$/.test(raw) ? '9223372036854775807' : raw)),
  },
  {
    name: 'rounds-decimals-in-arguments',
    harm: 'Reads decimals in arguments as doubles, where they have more digits than those.',
    caughtBy: ['envelope/decimals-in-arguments'],
    mutate: argument(raw => (/^-?\d+\.\d+$/.test(raw) && raw.length > 17 ? String(Number(raw)) : raw)),
  },
  {
    name: 'rounds-numbers-in-results',
    harm: 'Reads the numbers of structured content as doubles.',
    caughtBy: ['envelope/numbers-in-results'],
    mutate: editReply(/"structuredContent":/, message =>
      edit(message, 'result.structuredContent.*', raw => (/^-?\d/.test(raw) ? asDouble(raw) : raw)),
    ),
  },
  {
    name: 'drops-joiners',
    harm: 'Takes the zero-width joiners out of arguments, so that a family falls apart into four people.',
    caughtBy: ['envelope/unicode-in-arguments'],
    mutate: argument(raw => raw.replaceAll('\u200d', '')),
  },
  {
    name: 'drops-direction-marks',
    harm: 'Takes the marks for the direction of writing out of the text of results.',
    caughtBy: ['envelope/unicode-in-results'],
    mutate: text(all => all.replace(/[\u202a-\u202e]/g, '')),
  },
  {
    name: 'composes-text',
    harm: 'Brings arguments into the composed normalization (NFC).',
    caughtBy: ['envelope/normalization-kept'],
    mutate: argument(raw => raw.normalize('NFC')),
  },
  {
    name: 'drops-control-characters',
    harm: 'Takes U+0000 out of the text of results.',
    caughtBy: ['envelope/control-characters-kept'],
    mutate: text(all => all.replaceAll('\u0000', '')),
  },
  {
    name: 'refuses-large-requests',
    harm: 'Takes requests up to 1 MB only.',
    caughtBy: ['envelope/large-request'],
    mutate: refuse({ also: passage => requestText(passage).length > LARGE }, 413, request =>
      errorMessage(get(request, 'id'), -32600, 'The request is too large'),
    ),
  },
  {
    name: 'cuts-large-results',
    harm: 'Cuts the text of results off behind 1 MB.',
    caughtBy: ['envelope/large-result', 'streaming/large-event-whole'],
    mutate: text(all => all.slice(0, LARGE)),
  },
  {
    name: 'prunes-deep-values',
    harm: 'Replaces what is nested deeper than 32 in arguments by null.',
    caughtBy: ['envelope/deep-nesting'],
    mutate: argument(raw => (depthOf(raw) > 32 ? JSON.stringify(pruned(JSON.parse(raw), 32)) : raw)),
  },
  {
    name: 'refuses-charsets',
    harm: 'Compares content types as a whole, and takes JSON with a charset for garbage.',
    caughtBy: ['envelope/json-with-charset'],
    mutate: wrapReply(undefined, (out, passage) => {
      let refused = false
      return through(out, {
        head(head) {
          refused = /json\s*;/i.test(field(head.fields, 'content-type') ?? '')
          if (!refused) return out.head(head)
          out.head({ status: 502, fields: [['Content-Type', 'application/json']] })
          out.chunk(Buffer.from(errorMessage(get(requestText(passage), 'id'), -32603, 'Unexpected content type')))
          out.end()
        },
        chunk: bytes => (refused ? undefined : out.chunk(bytes)),
        end: () => (refused ? undefined : out.end()),
        fail: failure => (refused ? undefined : out.fail(failure)),
      })
    }),
  },
]
