import { gzipSync } from 'node:zlib'
import { backend, client } from '../../kit/claims.ts'
import { check, claim } from '../../kit/define.ts'
import { call, request } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { rfc9110, spec } from '../spec.ts'

/** The media type alone, in lower case. */
const mediaType = (value: string | undefined): string => value?.split(';')[0]?.trim().toLowerCase() ?? ''

const PACKED_TEXT = '환불 승인: 압축된 답변 📦'
const packed = (id: string): string =>
  `{"jsonrpc":"2.0","id":"${id}","result":{"content":[{"type":"text","text":"${PACKED_TEXT}"}]}}`
const gzipped = (text: string) => ({ do: 'bytes', base64: gzipSync(text).toString('base64') }) as const
const GZIP = ['Content-Encoding', 'gzip'] as const

/** What kinds of content are asked for, and come. */
export const media: readonly Check[] = [
  check({
    id: 'forwarding/accepts-both-types',
    title: 'MUST ask servers for both JSON and event streams, in every POST',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.accept-both-upstream'],
    needs: ['http-backend'],
    why: 'A server may refuse a request that does not accept both, with 406, and none of its tools can be used.',
    steps: [call('burst_target', {}, { headers: { Accept: 'text/event-stream, application/json' } })],
    claims: [
      claim('backend', 'Accept names application/json and text/event-stream in every POST', ({ backend: seen }) => {
        const posts = seen.filter(e => e.request.method === 'POST')
        if (posts.length === 0) return 'nothing reached the server'
        const accepted = posts.map(e => field(e.request.headers, 'accept') ?? '')
        const types = (accept: string) => accept.split(',').map(mediaType)
        const poor = accepted.find(
          a => !types(a).includes('application/json') || !types(a).includes('text/event-stream'),
        )
        return poor === undefined ? undefined : `Accept: ${poor}`
      }),
    ],
  }),
  check({
    id: 'forwarding/content-type-sent',
    title: 'tells servers that it sends JSON, also where the client adds a charset',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('8.3'),
    needs: ['http-backend'],
    why: 'A server refuses content of an unknown type with 415, so clients that name the charset can call no tool.',
    steps: [call('echo', { text: '환불' }, { headers: { 'Content-Type': 'application/json; charset=utf-8' } })],
    claims: [backend().header('Content-Type', /^application\/json\s*(;|$)/i), client().succeeds()],
  }),
  check({
    id: 'forwarding/streamed-lists',
    title: 'MUST understand servers that answer everything with a stream, lists too',
    pack: 'mcp',
    level: 'MUST',
    spec: spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server'),
    catalogue: ['http.backend-json-and-sse'],
    needs: ['http-backend'],
    why: 'Many servers stream every answer: nothing of what they offer would ever be listed.',
    steps: [request('tools/list', {}, { meta: { 'mcp-conformance/as': 'sse' } })],
    claims: [client().succeeds()],
  }),
  check({
    id: 'forwarding/gzip-readable',
    title: 'gives on a packed answer so that the client can unpack it',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('8.4'),
    needs: ['http-backend', 'http-proxy'],
    why: 'A server that packs its answers would seem to talk gibberish, with and without a stream.',
    steps: [
      call(
        'burst_target',
        {},
        {
          as: 'JSON',
          id: 'packed-1',
          headers: { 'Accept-Encoding': 'gzip' },
          acts: [
            { do: 'head', headers: [['Content-Type', 'application/json'], GZIP] },
            gzipped(packed('packed-1')),
            { do: 'end' },
          ],
        },
      ),
      call(
        'burst_target',
        {},
        {
          as: 'stream',
          id: 'packed-2',
          headers: { 'Accept-Encoding': 'gzip' },
          acts: [
            { do: 'head', headers: [['Content-Type', 'text/event-stream'], GZIP] },
            gzipped(`event: message\ndata: ${packed('packed-2')}\n\n`),
            { do: 'end' },
          ],
        },
      ),
    ],
    claims: [
      client('JSON').result(['content', '0', 'text'], PACKED_TEXT),
      client('stream').result(['content', '0', 'text'], PACKED_TEXT),
    ],
  }),
  check({
    id: 'forwarding/packs-nothing-unasked',
    title: 'sends nothing packed to a client that accepts nothing packed',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('12.5.3'),
    why: 'A client that cannot unpack gets bytes that it cannot read.',
    steps: [call('big', { bytes: 20_000 }, { headers: { 'Accept-Encoding': 'identity' } })],
    claims: [
      client().holds('there is no content encoding but identity', e => {
        const encoding = field(e.response?.headers ?? [], 'content-encoding')
        return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
          ? undefined
          : `Content-Encoding: ${encoding}`
      }),
      client().succeeds(),
    ],
  }),
]
