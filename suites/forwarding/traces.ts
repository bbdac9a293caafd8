import { backend } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { at } from '../../kit/json.ts'
import { sent } from '../../kit/messages.ts'
import { call } from '../../kit/steps.ts'
import type { Check, Exchange } from '../../kit/types.ts'
import { field } from '../../kit/wire.ts'
import { spec } from '../spec.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const TRACESTATE = ['congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7']
const BAGGAGE = ['userId=alice', 'serverNode=DF%2028']

/** A gateway that traces takes its own place as the parent; the trace stays the same. */
const sameTrace = (value: string | undefined): string | undefined =>
  /^[0-9a-f]{2}-[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/.test(value ?? '') && value?.split('-')[1] === TRACE
    ? undefined
    : (value ?? 'nothing')

/** A gateway that traces puts a member of its own before the others. */
const sameState = (value: string | undefined): string | undefined => {
  const members = value?.split(',').map(m => m.trim()) ?? []
  return members.slice(-TRACESTATE.length).join() === TRACESTATE.join() ? undefined : (value ?? 'nothing')
}

const inMeta = (e: Exchange, key: string): string | undefined => {
  const value = at(sent(e), ['params', '_meta', key])
  return typeof value === 'string' ? value : undefined
}

const why = 'The trace of a call breaks off at the gateway, and nobody can tell where the time went.'

/** Trace context, in header fields and in `_meta`. */
export const traces: readonly Check[] = [
  check({
    id: 'forwarding/trace-fields-kept',
    title: 'keeps the trace of a request in its header fields',
    pack: 'mcp',
    level: 'SHOULD',
    spec: 'https://www.w3.org/TR/trace-context/#traceparent-header',
    needs: ['http-backend', 'http-proxy'],
    why,
    steps: [call('burst_target', {}, { headers: { traceparent: TRACEPARENT, tracestate: TRACESTATE.join() } })],
    claims: [
      backend().holds('traceparent is of the trace of the client', e =>
        sameTrace(field(e.request.headers, 'traceparent')),
      ),
      backend().holds('tracestate ends with what the client sent', e =>
        sameState(field(e.request.headers, 'tracestate')),
      ),
    ],
  }),
  check({
    id: 'forwarding/trace-meta-kept',
    title: 'keeps the trace of a request in its _meta',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'basic/index', 'meta'),
    catalogue: ['tracing.context-preserved'],
    why,
    steps: [
      call(
        'burst_target',
        {},
        {
          meta: { traceparent: TRACEPARENT, tracestate: TRACESTATE.join(), baggage: BAGGAGE.join() },
        },
      ),
    ],
    claims: [
      backend().holds('_meta.traceparent is of the trace of the client', e => sameTrace(inMeta(e, 'traceparent'))),
      backend().holds('_meta.tracestate ends with what the client sent', e => sameState(inMeta(e, 'tracestate'))),
      backend().holds('_meta.baggage holds what the client sent', e => {
        const found = inMeta(e, 'baggage')
        return BAGGAGE.every(member => found?.split(',').includes(member)) ? undefined : (found ?? 'nothing')
      }),
    ],
  }),
]
