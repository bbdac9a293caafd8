import { performance } from 'node:perf_hooks'
import { shots } from '../../kit/shots.ts'
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

/** As many calls as so many connections take, each one call at a time, for some seconds: throughput, errors and latencies. */
export async function saturate(
  endpoint: Endpoint,
  scenario: Scenario,
  { connections, seconds, from }: SaturationOptions,
): Promise<LoadRow> {
  const { call } = scenario
  const named = call.tool === undefined ? {} : { tool: endpoint.exposed('tool', call.tool) }
  const sessions = await openSessions(endpoint, 1)
  let n = from
  const before = performance.eventLoopUtilization()
  const began = performance.now()
  const { us, errors } = await shots({
    url: endpoint.url.href,
    headers: fieldsOf(endpoint, sessions[0]),
    body: () => callText(call, n++, named),
    connections,
    seconds,
  })
  const elapsed = (performance.now() - began) / 1000
  const { utilization } = performance.eventLoopUtilization(before)
  await endSessions(endpoint, sessions)
  return {
    way: endpoint.name,
    connections,
    calls: us.length,
    errors,
    perSecond: Math.round(us.length / elapsed),
    latency: quantilesOf(Float64Array.from(us).sort()),
    ...(utilization > SENDER_BUSY && {
      limitedBySender: `the sender was busy ${Math.round(utilization * 100)} % of the time`,
    }),
  }
}
