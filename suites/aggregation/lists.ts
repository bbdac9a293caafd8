import { check, claim } from '../../kit/define.ts'
import { at, show } from '../../kit/json.ts'
import { entriesOf, pagesOf } from '../../kit/listed.ts'
import { behind, reply } from '../../kit/messages.ts'
import { markerOf } from '../../kit/names.ts'
import { describe } from '../../kit/session.ts'
import { list, request, step } from '../../kit/steps.ts'
import type { Check, Claim, Evidence } from '../../kit/types.ts'
import { spec } from '../spec.ts'

/** What a tool may be called, since 2025-11-25. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/

const validNames: Claim = claim('client', 'every name has 1 to 128 of the characters A-Z, a-z, 0-9, _, - and .', e => {
  const names = entriesOf(pagesOf(e, 'tools'), 'tools').map(tool => tool['name'] ?? null)
  if (!names.length) return 'no tool is listed'
  const bad = names.filter(name => typeof name !== 'string' || !NAME.test(name))
  return bad.length
    ? `${bad.length} of ${names.length} have not: ${bad
        .slice(0, 3)
        .map(x => show(x))
        .join(', ')}`
    : undefined
})

interface Listed {
  readonly uri: string
  /** The server that has it. */
  readonly server: string
}

/** The resources of the servers, as they are listed to the client. */
const listedUris = (pages: Evidence['client']): Listed[] =>
  entriesOf(pages, 'resources').flatMap(entry => {
    const { uri } = entry
    const server = markerOf(entry)?.server
    return typeof uri === 'string' && server !== undefined ? [{ uri, server }] : []
  })

const readsEach = step('reads each of them under the URI that is listed', async rig => {
  const { client } = rig.recorder.exchanges(rig.nonce)
  for (const { uri } of listedUris(client.filter(e => e.label === 'resources'))) {
    await request('resources/read', { uri }, { as: `read ${uri}` }).run(rig)
  }
})

/** What is wrong with the answer to the reading of a listed URI. A gateway may have it at hand, and ask nobody. */
const misread = (evidence: Evidence, { uri, server }: Listed): string[] => {
  const e = evidence.client.find(x => x.label === `read ${uri}`)
  if (e === undefined) return [`${uri} was not read`]
  const contents = at(reply(e), 'result.contents')
  if (!Array.isArray(contents) || !contents.length) return [`${uri}: ${describe(e)}`]
  const stranger = behind(evidence, e).find(x => x.server !== server)
  return stranger ? [`${uri} of ${server} was asked of ${stranger.server}`] : []
}

/** What is listed can be had under the name that it is listed by. */
export const lists: readonly Check[] = [
  check({
    id: 'aggregation/tool-names-valid',
    title: 'gives tools names that keep to the format for them',
    pack: 'mcp',
    level: 'SHOULD',
    since: '2025-11-25',
    spec: spec('2025-11-25', 'server/tools', 'tool-names'),
    catalogue: ['aggregation.exposed-name-format'],
    needs: ['aggregation'],
    why: 'Model providers refuse a request with a tool called db:query or db/query, and with it all other tools.',
    steps: [list('tools')],
    claims: [validNames],
  }),
  check({
    id: 'aggregation/listed-uris-readable',
    title: 'reads every resource of every server under the URI that it lists',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'server/resources', 'reading-resources'),
    catalogue: ['aggregation.uri-roundtrip', 'aggregation.routing-exclusive'],
    needs: ['aggregation', 'resources'],
    why: 'Where the scheme decides who is asked, of two servers with files one has files that nobody can open.',
    steps: [list('resources'), readsEach],
    claims: [
      claim('client', 'each of them has contents, and they are those of its own server', e => {
        const all = listedUris(pagesOf(e, 'resources'))
        if (!all.length) return 'no resource of a server is listed'
        const wrong = all.flatMap(one => misread(e, one))
        return wrong.length ? `${wrong.length} of ${all.length} have not: ${wrong.slice(0, 3).join('; ')}` : undefined
      }),
    ],
  }),
]
