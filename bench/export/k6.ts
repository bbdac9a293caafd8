import { NONCE } from '../../kit/session.ts'
import type { Pairs } from '../../kit/types.ts'
import type { Scenario } from '../scenarios.ts'
import type { Budget } from '../types.ts'

export interface K6Options {
  readonly direct: string
  readonly through: string
  /** Fields that lead to the server. */
  readonly routing: Pairs
  /** Other fields of every request through the gateway; secrets are read from the environment by k6. */
  readonly headers: Pairs
  readonly scenarios: readonly Scenario[]
  readonly budget: Budget
}

/**
 * A script for k6: each virtual user shakes hands on both ways, then sends the same call on each by turns, tagged with its way.
 * It leaves `mcp-conformance-k6.json`, which can be read back.
 */
export function k6Script({ direct, through, routing, headers, scenarios, budget }: K6Options): string {
  const calls = scenarios.map(({ id, call }) => ({
    id,
    method: call.method,
    params:
      call.method === 'tools/call'
        ? { name: call.tool, arguments: call.arguments ?? {} }
        : call.uri === undefined
          ? {}
          : { uri: call.uri },
  }))
  return `// Made by mcp-conformance bench --export k6. Run: k6 run FILE
// Environment: DIRECT_URL, THROUGH_URL, VUS (default 1), DURATION (default 30s)${headers.length ? `, ${headers.map(([name]) => envName(name)).join(', ')}` : ''}
import { check } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Trend } from 'k6/metrics'

const WAYS = {
  direct: { url: __ENV.DIRECT_URL || ${JSON.stringify(direct)}, headers: {} },
  through: {
    url: __ENV.THROUGH_URL || ${JSON.stringify(through)},
    headers: {${[
      ...routing.map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
      ...headers.map(([name]) => ` ${JSON.stringify(name)}: __ENV.${envName(name)} || '',`),
    ].join('')} },
  },
}
const CALLS = ${JSON.stringify(calls, null, 2)}
// What a gateway may add, in ms. k6 can't compare two trends: this is judged when the summary is read back.
const BUDGET = ${JSON.stringify(Object.fromEntries(Object.entries(budget).map(([name, us]) => [name, us / 1000])))}

const latency = new Trend('mcp_latency', true)
const faults = new Counter('mcp_faults')

export const options = {
  vus: Number(__ENV.VUS || 1),
  duration: __ENV.DURATION || '30s',
  summaryTrendStats: ['med', 'p(90)', 'p(95)', 'p(99)', 'count'],
  thresholds: Object.fromEntries([
    ...CALLS.flatMap(call => Object.keys(WAYS).map(way => [\`mcp_latency{way:\${way},call:\${call.id}}\`, ['med>=0']])),
    ['mcp_faults', ['count==0']],
  ]),
}

const JSON_FIELDS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const REVISION = '2025-11-25'
const sessions = {}
let id = 0

function post(way, message, extra, tags) {
  const { url, headers } = WAYS[way]
  return http.post(url, JSON.stringify(message), { headers: Object.assign({}, JSON_FIELDS, headers, extra), tags })
}

/** One session for each virtual user and way. */
function session(way) {
  if (sessions[way]) return sessions[way]
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'mcp-conformance-k6', version: '1' } }
  const answer = post(way, { jsonrpc: '2.0', id: ++id, method: 'initialize', params }, {}, { way, call: 'initialize' })
  const issued = answer.headers['Mcp-Session-Id']
  const fields = { 'MCP-Protocol-Version': REVISION }
  if (issued) fields['Mcp-Session-Id'] = issued
  post(way, { jsonrpc: '2.0', method: 'notifications/initialized' }, fields, { way, call: 'initialized' })
  sessions[way] = fields
  return fields
}

export default function () {
  const ways = Math.random() < 0.5 ? ['direct', 'through'] : ['through', 'direct']
  for (const call of CALLS) {
    for (const way of ways) {
      const fields = session(way)
      const nonce = \`k6-\${exec.vu.idInTest}-\${++id}\`
      const params = Object.assign({}, call.params, { _meta: { ${JSON.stringify(NONCE)}: nonce } })
      const answer = post(way, { jsonrpc: '2.0', id, method: call.method, params }, fields, { way, call: call.id })
      const isGood = check(answer, { 'is a result': r => r.status === 200 && r.body.includes('"result"') }, { way, call: call.id })
      // An error is no latency.
      if (isGood) latency.add(answer.timings.duration, { way, call: call.id })
      else faults.add(1, { way, call: call.id })
    }
  }
}

export function handleSummary(data) {
  const rows = CALLS.map(call => {
    const of = way => (data.metrics[\`mcp_latency{way:\${way},call:\${call.id}}\`] || {}).values || {}
    return { call: call.id, direct: of('direct'), through: of('through') }
  })
  const faulty = data.metrics.mcp_faults ? data.metrics.mcp_faults.values.count : 0
  const summary = { kind: 'mcp-conformance-k6', version: 1, vus: options.vus, duration: options.duration, budget: BUDGET, faults: faulty, rows }
  return { 'mcp-conformance-k6.json': JSON.stringify(summary, null, 2), stdout: \`\${rows.map(row => JSON.stringify(row)).join('\\n')}\\n\` }
}
`
}

/** The variable from which k6 reads a field's value. */
const envName = (field: string): string => `HEADER_${field.toUpperCase().replace(/\W/g, '_')}`
