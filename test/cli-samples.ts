import type {
  Check,
  Claim,
  Evidence,
  Exchange,
  Pairs,
  Report,
  Result,
  SseEvent,
  Target,
  Verdict,
} from '../kit/types.ts'

/** Made-up checks, exchanges and reports for the tests of what the command line prints. */

const holds: Claim = { about: 'client', says: 'the status is 200', refute: () => undefined }

export function sampleCheck(id: Check['id'], more: Partial<Check> = {}): Check {
  return {
    id,
    title: 'passes each event on as it comes',
    pack: 'mcp',
    level: 'MUST',
    spec: 'https://example.org/spec#anchor',
    why: 'Progress that arrives with the result is no progress.',
    steps: [{ says: 'calls the tool slow', run: async () => {} }],
    claims: [holds],
    ...more,
  }
}

export const sampleTarget: Target = {
  name: 'acme',
  url: 'http://127.0.0.1:8080/mcp',
  routing: { style: 'path', path: '/{backend}/mcp' },
  headers: [],
  features: ['sessions'],
  limits: {},
  revisions: ['2025-11-25'],
  servers: ['crm'],
  names: { exposed: (_, __, own) => own },
}

export function sampleResult(
  verdict: Verdict,
  check = sampleCheck('streaming/as-it-comes'),
  more: Partial<Result> = {},
): Result {
  const findings =
    verdict === 'fail' ? [{ about: 'client' as const, claim: 'the status is 200', seen: 'status 502' }] : []
  return { check, revision: '2025-11-25', verdict, findings, ms: 12.34, ...more }
}

export const sampleReport = (results: readonly Result[], more: Partial<Report> = {}): Report => ({
  target: sampleTarget,
  startedAt: new Date('2026-12-01T10:00:00.000Z'),
  results,
  ...more,
})

export interface ExchangeSketch {
  readonly at?: number
  readonly nonce?: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Pairs
  readonly body?: string
  readonly status?: number
  readonly type?: string
  readonly answer?: string
  readonly answerHeaders?: Pairs
  readonly events?: readonly string[]
  readonly more?: Partial<Exchange>
}

/** One exchange of one side, answered 5 ms later. */
export function sampleExchange(side: Exchange['side'], sketch: ExchangeSketch = {}): Exchange {
  const { at = 1000, nonce = 'mcpc-0123456789.2', body = '{"jsonrpc":"2.0","id":2,"method":"tools/call"}' } = sketch
  const { answer = '{"jsonrpc":"2.0","id":2,"result":{}}', status = 200, type = 'application/json' } = sketch
  const events = (sketch.events ?? []).map(
    (data, i): SseEvent => ({
      at: at + 6 + i,
      event: '',
      data,
      hasData: true,
      comments: [],
    }),
  )
  return {
    side,
    transport: 'http',
    server: 'crm',
    nonce,
    at,
    request: {
      method: sketch.method ?? 'POST',
      path: sketch.path ?? '/mcp',
      headers: sketch.headers ?? [['Content-Type', 'application/json']],
      body,
      size: Buffer.byteLength(body),
    },
    response: {
      status,
      headers: sketch.answerHeaders ?? [['Content-Type', type]],
      at: at + 5,
      body: answer,
      size: Buffer.byteLength(answer),
      utf8: true,
    },
    events,
    endedAt: at + 5 + events.length,
    ...sketch.more,
  }
}

export const sampleEvidence = (client: readonly Exchange[], backend: readonly Exchange[] = []): Evidence => ({
  client,
  backend,
  target: sampleTarget,
  revision: '2025-11-25',
})
