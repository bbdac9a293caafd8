import { exposition, type Family, type Sample, TYPE } from '../../metrics/exposition.ts'
import { BOUNDS, type Counts, startMetrics } from '../../metrics/metrics.ts'
import { trailOf } from '../../parts/audit.ts'
import { breakerOf } from '../../parts/breaker.ts'
import type { Gateway } from '../../types.ts'
import type { Endpoint } from '../endpoint.ts'

/** The gateway's numbers, as Prometheus reads them. */
export const metrics: readonly Endpoint[] = [
  {
    name: 'metrics',
    method: 'GET',
    path: '/api/v1/metrics',
    run: ({ gateway }) => ({ text: exposition(families(gateway)), type: TYPE }),
  },
]

function families(gateway: Gateway): Family[] {
  const { backends, refusals, inFlight } = startMetrics(gateway)
  const counts = [...backends]
  const gauge = (name: string, help: string, value: number): Family => ({
    name,
    help,
    type: 'gauge',
    samples: [['', {}, value]],
  })
  return [
    {
      name: 'mcp_gateway_requests_total',
      help: 'Requests by server and status of the answer; status 0 where the client hung up first.',
      type: 'counter',
      samples: counts.flatMap(([backend, { statuses }]) =>
        [...statuses].map(([status, n]): Sample => ['', { backend, status: String(status) }, n]),
      ),
    },
    {
      name: 'mcp_gateway_refusals_total',
      help: 'Requests that the gateway answered itself, by the part that did.',
      type: 'counter',
      samples: [...refusals].map(([kind, n]): Sample => ['', { kind }, n]),
    },
    {
      name: 'mcp_gateway_request_duration_seconds',
      help: 'From the head of a POST to the end of its answer.',
      type: 'histogram',
      samples: counts.flatMap(histogram),
    },
    {
      name: 'mcp_gateway_added_seconds',
      help: 'What the gateway added: before the first request to a server, and after the last answer of one.',
      type: 'summary',
      samples: counts.flatMap(([backend, { addedSeconds, added }]): Sample[] => [
        ['_sum', { backend }, addedSeconds],
        ['_count', { backend }, added],
      ]),
    },
    gauge('mcp_gateway_requests_in_flight', 'Requests under way.', inFlight),
    gauge('mcp_gateway_backends', 'Servers that there is a route to.', gateway.routes.all.length),
    gauge(
      'mcp_gateway_open_sessions',
      'Sessions that the breaker refuses now.',
      breakerOf(gateway)?.list('OPEN').length ?? 0,
    ),
    {
      name: 'mcp_gateway_audit_lost_total',
      help: 'Records that could not be written to the file.',
      type: 'counter',
      samples: [['', {}, trailOf(gateway)?.lost ?? 0]],
    },
  ]
}

function histogram([backend, { buckets, seconds }]: [string, Counts]): Sample[] {
  const most = buckets.reduce((sum, n) => sum + n, 0)
  let sum = 0
  const upTo = BOUNDS.map((bound, i): Sample => {
    sum += buckets[i]!
    return ['_bucket', { backend, le: String(bound) }, sum]
  })
  return [
    ...upTo,
    ['_bucket', { backend, le: '+Inf' }, most],
    ['_sum', { backend }, seconds],
    ['_count', { backend }, most],
  ]
}
