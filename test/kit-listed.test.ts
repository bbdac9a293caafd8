import { describe, expect, it } from 'vitest'
import { whereDeclared } from '../kit/declared.ts'
import { type JsonObject, json } from '../kit/json.ts'
import { listed } from '../kit/listed.ts'
import { createRecorder } from '../kit/recorder.ts'
import { MARKER } from '../kit/session.ts'
import type { Evidence, ServerName, Target } from '../kit/types.ts'

const tool = (server: ServerName, own: string, more: object = {}) => ({
  name: own,
  description: own,
  _meta: { [MARKER]: `${server}/${own}` },
  ...more,
})

const HAD = { crm: [tool('crm', 'echo', { title: 'Echo' }), tool('crm', 'count')], db: [tool('db', 'echo')] }

/** What a check saw whose client got these tools, and whose servers were asked nothing. */
function evidence(
  tools: readonly object[],
  style: 'path' | 'prefix' = 'path',
  asked: readonly object[] = [],
): Evidence {
  const recorder = createRecorder()
  const nonce = 'mcpc-0123456789.1'
  for (const [side, list] of [['client', tools] as const, ...(asked.length ? [['backend', asked] as const] : [])]) {
    const writer = recorder.open({
      side,
      transport: 'http',
      server: 'crm',
      nonce,
      label: 'tools',
      request: {
        method: 'POST',
        path: '/mcp',
        headers: [],
        body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
      },
    })
    writer.head(200, [['Content-Type', 'application/json']])
    writer.chunk(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: list } })))
    writer.end()
  }
  const target: Target = {
    name: 'test',
    url: 'http://127.0.0.1/mcp',
    routing: { style },
    headers: [],
    features: [],
    limits: {},
    revisions: ['2025-11-25'],
    servers: ['crm', 'db'],
    names: { exposed: (_, server, own) => (style === 'prefix' ? `${server}_${own}` : own) },
  }
  return {
    ...recorder.exchanges('mcpc-0123456789'),
    target,
    revision: '2025-11-25',
    offers: server => (HAD[server as 'crm' | 'db'] ?? []).map(entry => json(entry) as JsonObject),
  }
}

describe('claims about lists', () => {
  const tools = listed('tools')

  it('miss what the server asked has, and nothing of the others', () => {
    expect(tools.complete().refute(evidence(HAD.crm))).toBeUndefined()
    expect(tools.complete().refute(evidence([HAD.crm[0]!]))).toContain('crm/count')
  })

  it('miss what any server has, where one endpoint stands for all', () => {
    expect(tools.complete().refute(evidence(HAD.crm, 'prefix'))).toContain('db/echo')
    expect(tools.complete().refute(evidence([...HAD.crm, ...HAD.db], 'prefix'))).toBeUndefined()
  })

  it('find entries that were renamed by their markers, and unmarked ones by their names', () => {
    const renamed = HAD.crm.map(entry => ({ ...entry, name: `x/${entry.name}` }))
    expect(tools.complete().refute(evidence(renamed))).toBeUndefined()
    const unmarked = [...HAD.crm, ...HAD.db].map(({ name, _meta }) => ({
      name: `${_meta[MARKER]}`.replace('/', '_'),
      description: name,
    }))
    expect(tools.complete().refute(evidence(unmarked, 'prefix'))).toBeUndefined()
  })

  it('see what is there twice, and what is of a server that was not asked', () => {
    expect(tools.once().refute(evidence(HAD.crm))).toBeUndefined()
    expect(tools.once().refute(evidence([...HAD.crm, HAD.crm[0]!]))).toContain('echo')
    expect(tools.noneOfOthers().refute(evidence(HAD.crm))).toBeUndefined()
    expect(tools.noneOfOthers().refute(evidence([...HAD.crm, HAD.db[0]!]))).toContain('db/echo')
  })

  it('compare with what the server sent in this very check, if it was asked', () => {
    const claim = tools.member('title')
    expect(claim.refute(evidence(HAD.crm))).toBeUndefined()
    expect(claim.refute(evidence([tool('crm', 'echo')]))).toBe(
      'crm/echo: title: the server has "Echo", the client got nothing',
    )
    const other = [tool('crm', 'echo', { title: 'Another' })]
    expect(claim.refute(evidence(other, 'path', other))).toBeUndefined()
  })

  it('never hold for an empty list, or for one that was not asked for', () => {
    expect(tools.member('title').refute(evidence([]))).toContain('no tool of a server is listed')
    expect(listed('tools', 'other').complete().refute(evidence(HAD.crm))).toBe('the kit sent no such request')
  })
})

describe('whereDeclared', () => {
  it('asks nothing where the capability was not declared', () => {
    const never = { about: 'client', says: 'pigs fly', refute: () => 'they do not' } as const
    expect(whereDeclared('tools.listChanged', never).refute(evidence(HAD.crm))).toBeUndefined()
  })
})
