import { performance } from 'node:perf_hooks'
import type { Endpoint } from '../endpoint.ts'
import { endSessions, fieldsOf, openSessions } from '../endpoint.ts'
import { quantilesOf } from '../histogram.ts'
import { callText, type Scenario } from '../scenarios.ts'
import type { LoadRow } from '../types.ts'

export interface SaturationOptions {
  readonly connections: number
  readonly seconds: number
  /** The number of the first call. */
  readonly from: number
}

/** From which share of its time on the sender is what holds things up. */
const SENDER_BUSY = 0.9

/**
 * As many calls as so many connections take, each one call at a time, for some seconds: throughput, errors, and latencies by
 * autocannon's events. Its own percentiles are whole milliseconds, and are left alone.
 */
export async function saturate(
  endpoint: Endpoint,
  scenario: Scenario,
  { connections, seconds, from }: SaturationOptions,
): Promise<LoadRow> {
  const { default: autocannon } = await import('autocannon')
  const { call } = scenario
  const named = call.tool === undefined ? {} : { tool: endpoint.exposed('tool', call.tool) }
  const sessions = await openSessions(endpoint, 1)
  const headers = Object.fromEntries(fieldsOf(endpoint, sessions[0]))
  const us: number[] = []
  const begun = new WeakSet<object>()
  let n = from
  let errors = 0
  let isCounted = false
  const before = performance.eventLoopUtilization()
  const began = performance.now()
  const shots = autocannon({
    url: endpoint.url.href,
    connections,
    duration: seconds,
    timeout: 10,
    skipAggregateResult: true,
    requests: [
      {
        method: 'POST',
        headers,
        setupRequest: request => ({ ...request, body: callText(call, n++, named) }),
      },
    ],
    // Asked for each answer, right after its event.
    verifyBody(body) {
      if (body.includes('"result"') && !body.includes('"isError":true')) return true
      if (isCounted) us.pop()
      if (isCounted) errors++
      isCounted = false
      return false
    },
  })
  shots.on('response', (client, status, _bytes, ms) => {
    isCounted = false
    // The first answer of a connection includes the time to connect.
    if (!begun.has(client)) begun.add(client)
    else if (status === 200) {
      us.push(ms * 1000)
      isCounted = true
    } else errors++
  })
  const result = await shots
  const elapsed = (performance.now() - began) / 1000
  const { utilization } = performance.eventLoopUtilization(before)
  await endSessions(endpoint, sessions)
  return {
    way: endpoint.name,
    connections,
    calls: us.length,
    errors: errors + result.errors + result.timeouts,
    perSecond: Math.round(us.length / elapsed),
    latency: quantilesOf(Float64Array.from(us).sort()),
    ...(utilization > SENDER_BUSY && {
      limitedBySender: `the sender was busy ${Math.round(utilization * 100)} % of the time`,
    }),
  }
}
