import { backend, client } from '../../kit/claims.ts'
import { sayChanges } from '../../kit/compare.ts'
import { check } from '../../kit/define.ts'
import { at, differences, isObject, stringify, tryParse } from '../../kit/json.ts'
import { reply, sent } from '../../kit/messages.ts'
import { describe, raw } from '../../kit/session.ts'
import { read } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { spec } from '../spec.ts'
import { contents, contentsOf } from './parts.ts'

const reading = spec('2025-11-25', 'server/resources', 'reading-resources')

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ODD = 'crm://docs/%ED%99%98%EB%B6%88?lang=ko&v=1+2#%EC%9A%94%EC%95%BD'
const SIXTY_KB = 61_440

/** Where the request can be found behind the gateway, it asks for just this URI. */
const asksFor = (uri: string) =>
  backend().all(`the server is asked for ${uri}`, seen => {
    const [first] = seen
    return first && sayChanges(differences(uri, at(sent(first), 'params.uri')), 'expected', 'asked for')
  })

/** The server is asked for a URI that the client made. */
const asksLike = (label: string, pattern: RegExp) =>
  backend(label).holds('the server is asked for the URI that the client made', e => {
    const uri = at(sent(e), 'params.uri')
    return typeof uri === 'string' && pattern.test(uri) ? undefined : `asked for ${stringify(uri ?? null)}`
  })

/** The URI in the contents is that of the server, or the one that the gateway gave it. */
const labelled = client().holds('the contents name the resource that was asked for', (e, { target }) => {
  const asked = at(sent(e), 'params.uri')
  const got = contentsOf(e).map(content => content['uri'])
  const fits = got.some(uri => uri === asked || target.names.exposed('resource', e.server, String(uri)) === asked)
  return fits ? undefined : `asked for ${asked}, got ${got.join(' and ') || describe(e)}`
})

/** What is read. */
export const reads: readonly Check[] = [
  check({
    id: 'resources/text-exact',
    title: 'hands the text of a resource on to the letter',
    pack: 'mcp',
    level: 'SHOULD',
    spec: reading,
    catalogue: ['resources.read-text-preserved'],
    needs: ['resources'],
    why: 'A document whose line ends or tabs were changed is another document: patches fail, signatures break.',
    steps: [read('file:///crm/notes.txt')],
    claims: [contents('text', '첫 줄\r\n\t둘째 줄\r\n'), contents('mimeType', 'text/plain'), labelled],
  }),
  check({
    id: 'resources/blob-exact',
    title: 'hands the bytes of a binary resource on without a changed character',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'binary-content'),
    catalogue: ['resources.read-blob-preserved'],
    needs: ['resources'],
    why: 'Base64 that was decoded as text and encoded again is a broken picture.',
    steps: [read('crm://logo.png')],
    claims: [contents('blob', PNG), contents('text', undefined), contents('mimeType', 'image/png')],
  }),
  check({
    id: 'resources/several-contents',
    title: 'hands on all contents of a resource, in order',
    pack: 'mcp',
    level: 'MAY',
    spec: reading,
    catalogue: ['resources.read-multiple-contents'],
    needs: ['resources'],
    why: 'A folder that is read has several contents; after the first, the others are lost.',
    steps: [read('crm://multi')],
    claims: [contents('text', '하나', undefined, '셋')],
  }),
  check({
    id: 'resources/empty-text',
    title: 'hands on a resource that is empty as one that is empty',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'text-content'),
    catalogue: ['resources.read-text-preserved'],
    needs: ['resources'],
    why: 'Contents without text and without blob are not valid, and clients refuse the whole answer.',
    steps: [read('crm://empty')],
    claims: [contents('text', '')],
  }),
  check({
    id: 'resources/uri-exact',
    title: 'asks the server for the URI as the server listed it: encoding, query and fragment included',
    pack: 'mcp',
    level: 'SHOULD',
    spec: reading,
    catalogue: ['resources.read-uri-exact'],
    needs: ['resources'],
    why: 'A URI that was decoded, folded or cut at the # names another resource, or none.',
    steps: [read(ODD)],
    claims: [contents('text', '# 환불\n\n- 7일 이내\n'), labelled, asksFor(ODD)],
  }),
  check({
    id: 'resources/opaque-uri',
    title: 'asks the server for a URI without slashes',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'custom-uri-schemes'),
    catalogue: ['resources.read-uri-exact', 'resources.custom-schemes'],
    needs: ['resources'],
    why: 'Gateways that take every URI for scheme://host/path turn memo:insights into memo://insights.',
    steps: [read('memo:crm-insights')],
    claims: [contents('text', '재구매율이 오르고 있습니다.'), asksFor('memo:crm-insights')],
  }),
  check({
    id: 'resources/template-expanded',
    title: 'asks the server for URIs that a client made from a template',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'resource-templates'),
    catalogue: ['resources.templates-preserved', 'aggregation.uri-roundtrip'],
    needs: ['resources'],
    why: 'A gateway that looks URIs up in the list that it got answers "not found" to every one made from a template.',
    steps: [
      read('crm://search?q={{nonce}}%20%ED%99%98%EB%B6%88&page=2', { as: 'query' }),
      read('crm://files/a/b%2Fc/{{nonce}}.txt', { as: 'path' }),
    ],
    claims: [
      client('query').succeeds(),
      client('path').succeeds(),
      asksLike('query', /^crm:\/\/search\?q=[\w.-]+%20%ED%99%98%EB%B6%88&page=2$/),
      asksLike('path', /^crm:\/\/files\/a\/b%2Fc\/[\w.-]+\.txt$/),
    ],
  }),
  check({
    id: 'resources/large-whole',
    title: 'hands on a resource of 60 KB whole',
    pack: 'mcp',
    level: 'SHOULD',
    spec: reading,
    catalogue: ['resources.read-text-preserved'],
    needs: ['resources'],
    why: 'What was cut at 64,000 characters or 50 KB looks like a whole document until someone needs its end.',
    steps: [read('crm://customers/large')],
    claims: [
      client().holds(`the text has ${SIXTY_KB} bytes, and is whole JSON`, e => {
        const text = contentsOf(e)[0]?.['text']
        if (typeof text !== 'string') return describe(e)
        const size = Buffer.byteLength(text)
        if (size !== SIXTY_KB) return `${size} bytes`
        return isObject(tryParse(text)) ? undefined : 'it is no JSON any more'
      }),
    ],
  }),
  check({
    id: 'resources/not-found',
    title: 'answers a URI that nobody has with an error, not with an empty result',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'error-handling'),
    catalogue: ['resources.not-found-not-empty'],
    needs: ['resources'],
    why: 'An agent takes an empty result for an empty document, and goes on as if it had read it.',
    steps: [read('crm://no/such/resource')],
    claims: [client().error()],
  }),
  check({
    id: 'resources/not-found-code',
    title: 'answers a URI that nobody has with the code -32002',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'error-handling'),
    catalogue: ['resources.not-found-legacy'],
    needs: ['resources'],
    why: 'Only by the code can a client tell "there is no such thing" from "something broke".',
    steps: [read('crm://no/such/resource')],
    claims: [
      client().holds('an error has the code -32002', e => {
        const error = at(reply(e), 'error')
        return error === undefined
          ? undefined
          : sayChanges(differences(raw('-32002'), at(error, 'code')), 'expected', 'got')
      }),
    ],
  }),
  check({
    id: 'resources/contents-meta-kept',
    title: 'keeps the _meta of the contents of a resource',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-06-18',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-nested-preserved'],
    needs: ['resources'],
    why: 'What says how a document may be shown is told in the _meta of its contents.',
    steps: [read('crm://customers')],
    claims: [
      client().result(['contents', '0', '_meta', 'com.example.mock/trace', '경로'], ['가', '나']),
      client().result(['contents', '0', '_meta', 'example.org/flag'], false),
    ],
  }),
  check({
    id: 'resources/result-meta-kept',
    title: 'keeps the _meta of the answer when a resource is read',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic', '_meta'),
    catalogue: ['envelope.meta-result-preserved'],
    needs: ['resources'],
    why: 'Gateways that keep _meta for tools have been seen to lose it for resources.',
    steps: [read('crm://customers')],
    claims: [client().result(['_meta', 'example.org/flag'], false)],
  }),
]
