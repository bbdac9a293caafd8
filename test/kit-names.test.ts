import { expect, test } from 'vitest'
import { type JsonObject, json } from '../kit/json.ts'
import { markerOf, namesFrom, sightings } from '../kit/names.ts'
import { route } from '../kit/routing.ts'

const item = (value: object) => json(value) as JsonObject

test('a marker is found in _meta, and in the description where _meta was lost', () => {
  expect(markerOf(item({ _meta: { 'mcp-conformance/marker': 'crm/echo' } }))).toEqual({ server: 'crm', own: 'echo' })
  expect(markerOf(item({ description: 'Echoes. [mcpc:db/query_orders]' }))).toEqual({
    server: 'db',
    own: 'query_orders',
  })
  expect(markerOf(item({ description: 'of someone else' }))).toBeUndefined()
})

test.each(['crm_echo', 'crm__echo', 'crm-echo', 'crm/echo', 'gw.echo.v1', 'echo'])(
  'learns the rule behind %s',
  exposed => {
    const seen = sightings('tool', [item({ name: exposed, _meta: { 'mcp-conformance/marker': 'crm/echo' } })])
    const names = namesFrom(seen, (_, own) => `fallback ${own}`)
    expect(names.exposed('tool', 'crm', 'echo')).toBe(exposed)
    expect(names.exposed('tool', 'crm', 'count')).toBe(exposed.replace('echo', 'count'))
    expect(names.exposed('tool', 'db', 'echo')).toBe('fallback echo')
  },
)

test('resources keep their URI where nothing says otherwise', () => {
  expect(namesFrom([], () => 'x').exposed('resource', 'crm', 'crm://a')).toBe('crm://a')
})

test('each routing style leads to its server', () => {
  const at = (routing: Parameters<typeof route>[1]) => route('http://h/mcp?x=1', routing, 'db')
  expect(at({ style: 'path', path: '/gw/{backend}/mcp' })).toEqual({ url: 'http://h/gw/db/mcp', headers: [] })
  expect(at({ style: 'path', services: { db: 'orders' } }).url).toBe('http://h/orders/mcp')
  expect(at({ style: 'header' })).toEqual({ url: 'http://h/mcp?x=1', headers: [['Mcp-Name', 'db-service']] })
  expect(at({ style: 'header', header: 'X-Server', services: { db: 'd' } }).headers).toEqual([['X-Server', 'd']])
  expect(at({ style: 'prefix' }).url).toBe('http://h/mcp?x=1')
  expect(at({ style: 'direct', urls: { db: 'http://d/mcp' } }).url).toBe('http://d/mcp')
})
