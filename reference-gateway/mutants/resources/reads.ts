import {
  addLast,
  changeField,
  edit,
  editReply,
  editRequest,
  get,
  type Mutant,
  refuse,
  resultMessage,
  sessionOf,
} from '../harm.ts'

/** The answer when a resource is read. */
const READ = { request: /"resources\/read"/ } as const

const inUri = (change: (uri: string) => string) =>
  editRequest(/"resources\/read"/, m => edit(m, 'params.uri', raw => JSON.stringify(change(String(JSON.parse(raw))))))

const inContents = (path: string, change: (raw: string) => string | undefined) =>
  editReply(READ, m => edit(m, `result.contents.*.${path}`, change))

/** Answers as if all were well, and tells no server. */
const acknowledge = (method: RegExp) =>
  refuse(method, 200, request => resultMessage(get(request, 'id') ?? 'null', '{}'))

const NOT_FOUND = { ...READ, message: /"code":-32002/ } as const

/** What is wrong when resources are read. */
export const reads: readonly Mutant[] = [
  {
    name: 'normalises-line-ends-of-resources',
    harm: 'Writes the line ends of text resources anew.',
    caughtBy: ['resources/text-exact'],
    mutate: inContents('text', raw => raw.replaceAll('\\r\\n', '\\n')),
  },
  {
    name: 'writes-blobs-url-safe',
    harm: 'Writes blobs in the URL-safe alphabet of base64.',
    caughtBy: ['resources/blob-exact'],
    mutate: inContents('blob', raw => raw.replaceAll('+', '-').replaceAll('/', '_')),
  },
  {
    name: 'keeps-first-contents',
    harm: 'Keeps only the first of the contents of a resource.',
    caughtBy: ['resources/several-contents'],
    mutate: editReply(READ, m => edit(m, 'result.contents.*', (raw, key) => (key === '0' ? raw : undefined))),
  },
  {
    name: 'drops-empty-text',
    harm: 'Leaves text out that is empty, as an encoder does that omits what is empty.',
    caughtBy: ['resources/empty-text'],
    mutate: inContents('text', raw => (raw === '""' ? undefined : raw)),
  },
  {
    name: 'cuts-fragments',
    harm: 'Cuts URIs at the # before the server is asked.',
    caughtBy: ['resources/uri-exact'],
    mutate: inUri(uri => uri.replace(/#.*/, '')),
  },
  {
    name: 'adds-slashes-to-opaque-uris',
    harm: 'Writes every URI as scheme://path.',
    caughtBy: ['resources/opaque-uri'],
    mutate: inUri(uri => uri.replace(/^([a-z]+):(?!\/)/, '$1://')),
  },
  {
    name: 'decodes-slashes-in-uris',
    harm: 'Decodes %2F in URIs, which makes two steps of a path of one.',
    caughtBy: ['resources/template-expanded'],
    mutate: inUri(uri => uri.replaceAll('%2F', '/')),
  },
  {
    name: 'cuts-at-fifty-thousand-characters',
    harm: 'Cuts the text of a resource after 50,000 characters.',
    caughtBy: ['resources/large-whole'],
    mutate: inContents('text', raw => (raw.length > 50_000 ? JSON.stringify(JSON.parse(raw).slice(0, 50_000)) : raw)),
  },
  {
    name: 'empties-unknown-resources',
    harm: 'Answers with no contents where the server says that there is no such resource.',
    caughtBy: ['resources/not-found'],
    mutate: editReply(NOT_FOUND, m => resultMessage(get(m, 'id') ?? 'null', '{"contents":[]}')),
  },
  {
    name: 'calls-unknown-resources-internal-errors',
    harm: 'Answers with the code of an internal error where the server says that there is no such resource.',
    caughtBy: ['resources/not-found-code'],
    mutate: editReply(NOT_FOUND, m => edit(m, 'error.code', () => '-32603')),
  },
  {
    name: 'drops-meta-of-contents',
    harm: 'Leaves the _meta of the contents of resources out.',
    caughtBy: ['resources/contents-meta-kept'],
    mutate: inContents('_meta', () => undefined),
  },
  {
    name: 'drops-meta-of-reads',
    harm: 'Leaves the _meta of the answer out when a resource is read.',
    caughtBy: ['resources/result-meta-kept'],
    mutate: editReply(READ, m => edit(m, 'result._meta', () => undefined)),
  },
  {
    name: 'acknowledges-subscriptions',
    harm: 'Acknowledges subscriptions, and tells no server of them.',
    caughtBy: ['resources/subscribed', 'resources/update-arrives', 'resources/unsubscribed-alone'],
    mutate: acknowledge(/"resources\/subscribe"/),
  },
  {
    name: 'acknowledges-ends-of-subscriptions',
    harm: 'Acknowledges the end of a subscription, and tells no server of it.',
    caughtBy: ['resources/unsubscribed'],
    mutate: acknowledge(/"resources\/unsubscribe"/),
  },
  {
    name: 'ends-subscriptions-of-others',
    harm: 'Shares one subscription among all clients, and ends it when the first of them leaves.',
    caughtBy: ['resources/unsubscribed-alone'],
    mutate: parts => {
      const subscribers = new Map<string, string[]>()
      return addLast({
        name: 'harm',
        async forward(hop) {
          const text = (await hop.body.bytes()).toString('utf8')
          const key = `${hop.backend.name} ${get(text, 'params.uri') ?? ''}`
          const session = sessionOf(hop.passage) ?? ''
          const others = (subscribers.get(key) ?? []).filter(one => one !== session)
          if (/"resources\/subscribe"/.test(text)) subscribers.set(key, [...others, session])
          const [other] = others
          if (!/"resources\/unsubscribe"/.test(text) || other === undefined) return
          hop.fields = changeField(hop.fields, 'mcp-session-id', other)
        },
      })(parts)
    },
  },
  {
    name: 'renames-updated-resources',
    harm: 'Tells of an update under a URI of its own, which the client never saw.',
    caughtBy: ['resources/update-arrives'],
    mutate: editReply(/"notifications\/resources\/updated"/, m =>
      edit(m, 'params.uri', raw => raw.replace('"', '"crm+')),
    ),
  },
]
