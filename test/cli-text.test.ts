import { describe, expect, test } from 'vitest'
import { paint } from '../cli/paint.ts'
import type { TextOptions } from '../cli/reporters/options.ts'
import { text } from '../cli/reporters/text.ts'
import type { Report } from '../kit/types.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult, sampleTarget } from './cli-samples.ts'

const ESC = '\u001b'
const options: TextOptions = {
  version: '1.2.3',
  policy: {},
  evidence: 'failures',
  partial: false,
  paint: paint(false),
  columns: 100,
  lines: false,
  times: 1,
  head: ['mcp-conformance 1.2.3 judges acme'],
  again: { command: 'npx mcp-conformance --url http://127.0.0.1:8080/mcp' },
}

function printed(report: Report, more: Partial<TextOptions> = {}): string {
  const texts: string[] = []
  const reporter = text(t => texts.push(t), { ...options, ...more })
  reporter.start?.(sampleTarget, [])
  for (const r of report.results) reporter.result?.(r)
  reporter.end?.(report)
  return texts.join('\n')
}

const should = sampleCheck('streaming/order', { level: 'SHOULD' })
const client = sampleExchange('client', { events: ['{"progress":1}', '{"id":2}'], type: 'text/event-stream' })
const backend = sampleExchange('backend', {
  at: 1001.5,
  events: ['{"progress":1}', '{"id":3}'],
  type: 'text/event-stream',
  more: { held: 1 },
})
const failed = sampleResult('fail', undefined, { causedBy: 'gateway', evidence: sampleEvidence([client], [backend]) })

describe('the text report', () => {
  test('as a whole', () => {
    const report = sampleReport([
      sampleResult('pass', sampleCheck('sessions/issued')),
      failed,
      sampleResult('fail', should),
      sampleResult('skip', sampleCheck('sessions/ended'), { reason: 'new in 2026-07-28' }),
      sampleResult('error', sampleCheck('errors/kept'), { reason: 'nothing was seen' }),
    ])
    expect(printed(report)).toMatchInlineSnapshot(`
      "mcp-conformance 1.2.3 judges acme

        suite       passed   failed   warnings   skipped   not judged
        sessions         1        ·          ·         1            ·
        streaming        ·        1          1         ·            ·
        errors           ·        ·          ·         ·            1

        1 skipped: new in 2026-07-28

        ! errors/kept  MUST  2025-11-25
          Could not be judged: the gateway passes each event on as it comes.
          Why it matters: Progress that arrives with the result is no progress.
          Because: nothing was seen

          Spec    https://example.org/spec#anchor
          Repeat  npx mcp-conformance --url http://127.0.0.1:8080/mcp --only errors/kept --revision 2025-11-25

        ⚠ streaming/order  SHOULD  2025-11-25
          Does not hold: the gateway passes each event on as it comes.
          Why it matters: Progress that arrives with the result is no progress.

           at the client, expected  the status is 200
                              seen  status 502

          Spec    https://example.org/spec#anchor
          Repeat  npx mcp-conformance --url http://127.0.0.1:8080/mcp --only streaming/order --revision 2025-11-25

        ✗ streaming/as-it-comes  MUST  2025-11-25
          Does not hold: the gateway passes each event on as it comes.
          Why it matters: Progress that arrives with the result is no progress.

           at the client, expected  the status is 200
                              seen  status 502

          The gateway did it: asked without the gateway, the server passes this check.
          Likely cause: It gathers the answer before it passes it on: response buffering (proxy_buffering,
          a body filter, compression, a client library that reads whole bodies).

          What both sides saw, in ms:
             0.0  client → gateway    POST /mcp
                                      {"jsonrpc":"2.0","id":2,"method":"tools/call"}
             1.5  gateway → crm       POST /mcp
                                      (the same 46 bytes)
             5.0  client ← gateway    200 text/event-stream
             6.0  client ← gateway    event 1  (as sent)
             6.5  gateway ← crm       200 text/event-stream
             7.0  client ← gateway    event 2  {"id":2}
             7.5  gateway ← crm       event 1  {"progress":1}
             8.5  gateway ← crm       (the client had not seen event 1; went on)
             8.5  gateway ← crm       event 2  {"id":3}

          Spec    https://example.org/spec#anchor
          curl    curl -isSN http://127.0.0.1:8080/mcp -H 'Content-Type: application/json' -H 'Accept:' --data-raw '{"jsonrpc":"2.0","id":2,"method":"tools/call"}'
          Repeat  npx mcp-conformance --url http://127.0.0.1:8080/mcp --only streaming/as-it-comes --revision 2025-11-25

      1 failure is no MUST: a warning; --strict counts each SHOULD.
      The gateway does not conform: 1 check failed.
      1 passed, 2 failed, 1 skipped, 1 could not be judged"
    `)
  })

  test('ends with the totals on a line of their own', () => {
    const last = (report: Report) => printed(report).split('\n').at(-1)
    expect(last(sampleReport([sampleResult('pass'), sampleResult('skip')]))).toBe('1 passed, 0 failed, 1 skipped')
    expect(last(sampleReport([sampleResult('error')]))).toBe('0 passed, 0 failed, 0 skipped, 1 could not be judged')
    expect(last(sampleReport([]))).toBe('0 passed, 0 failed, 0 skipped')
  })

  test.each([
    ['conforms', sampleReport([sampleResult('pass')]), {}, 'The gateway conforms.'],
    [
      'warns',
      sampleReport([sampleResult('pass'), sampleResult('fail', should)]),
      {},
      '1 failure is no MUST: a warning; --strict counts each SHOULD.',
    ],
    [
      'counts strictly',
      sampleReport([sampleResult('fail', should)]),
      { policy: { strict: true } },
      'does not conform: 1 check failed.',
    ],
    [
      'knows',
      sampleReport([failed]),
      { policy: { baseline: [{ id: failed.check.id, reason: 'on its way' }] } },
      '1 failure known from the baseline is not counted.',
    ],
    [
      'finds stale',
      sampleReport([sampleResult('pass')]),
      { policy: { baseline: [{ id: failed.check.id, reason: 'x' }] } },
      'Stale: streaming/as-it-comes is in the baseline, but passes.',
    ],
    [
      'finds expired',
      sampleReport([failed]),
      { policy: { baseline: [{ id: failed.check.id, reason: 'x', until: '2020-01-01' }] } },
      'Expired: the baseline excused streaming/as-it-comes until 2020-01-01.',
    ],
    ['is a part', sampleReport([sampleResult('pass')]), { partial: true }, 'Only a part of the checks was chosen'],
    [
      'was interrupted',
      sampleReport([], { interrupted: true }),
      {},
      'Interrupted: this is what was judged until then.',
    ],
    ['has nothing', sampleReport([sampleResult('skip')]), {}, 'no check applied to it'],
  ])('says why: %s', (_, report, more, sentence) => expect(printed(report, more)).toContain(sentence))

  test('tells once what kept many checks from being judged', () => {
    const reason = 'no session could be opened first: the connection was refused'
    const results = Array.from({ length: 9 }, (_, i) => sampleResult('error', sampleCheck(`tools/n${i}`), { reason }))
    const other = sampleResult('error', sampleCheck('tools/other'), { reason: 'nothing was seen' })
    const out = printed(sampleReport([...results, other]))
    expect(out.match(/the connection was refused/g)).toHaveLength(1)
    expect(out).toContain('9 checks could not be judged\n    Because: no session')
    expect(out).toContain('Is the gateway still running?')
    expect(out).toContain('tools/n4 and 4 more')
    expect(out).toContain('Because: nothing was seen')
  })

  const official = sampleCheck('headers/name', { contradicts: ['dialect/name', 'dialect/other'] })
  const dialect = sampleCheck('dialect/name', { pack: 'syncseries' })

  test('shows the verdicts of rules that contradict each other side by side', () => {
    const out = printed(sampleReport([sampleResult('fail', official), sampleResult('pass', dialect)]))
    expect(out).toContain('Where the two books contradict each other')
    expect(out).toContain(
      '  ✗ fail  headers/name  mcp, MUST\n  ✓ pass  dialect/name  syncseries, MUST\n    seen: status 502',
    )
    expect(out).not.toContain('Does not hold')
    expect(out).toContain('1 check not counted: the opposite is asked for by another pack, and holds.')
    expect(out).toContain('The gateway conforms.\n1 passed, 0 failed, 1 contradicted, 0 skipped')
    expect(out).toMatch(/suite +passed +failed +warnings +contradicted/)
  })

  test('says with a failure that counts what became of its opposite', () => {
    const out = printed(
      sampleReport([sampleResult('fail', official), sampleResult('pass', dialect, { on: 'platform' })]),
    )
    expect(out).toContain('The opposite is asked for by dialect/name: pass, on another gateway.')
    expect(out).toContain('The opposite is asked for by dialect/other: not chosen.')
    expect(out).toContain('0 skipped')
    expect(out).not.toContain('contradicted')
  })

  describe.each([80, 120])('at %i columns', columns => {
    const report = sampleReport([
      sampleResult('pass', sampleCheck('sessions/issued')),
      failed,
      sampleResult('fail', should),
      sampleResult('error', sampleCheck('errors/kept'), { reason: 'nothing was seen' }),
    ])
    test.each([false, true])('colour: %s', colour => {
      expect(printed(report, { columns, paint: paint(colour) })).toMatchSnapshot()
    })
    test('no line is longer, but for what is to be copied', () => {
      const long = printed(report, { columns })
        .split('\n')
        .filter(line => line.length > columns && !/^ {4}(Spec|Repeat|curl) |^ {12}/.test(line))
      expect(long).toEqual([])
    })
  })

  test('shows both sides of at most a dozen failures', () => {
    const many = sampleReport(
      Array.from({ length: 15 }, (_, i) => ({
        ...failed,
        check: sampleCheck(`streaming/n${i}`),
        findings: [{ about: 'client', claim: 'the status is 200', seen: `not that, but ${'x'.repeat(i)}` }],
      })),
    )
    expect(printed(many).match(/What both sides saw, in ms/g)).toHaveLength(12)
    expect(printed(many)).toContain('is shown for the last 12 of these 15')
    expect(printed(many, { evidence: 'none' })).not.toContain('What both sides saw')
  })

  test('prints a line for each result where nothing else shows progress', () =>
    expect(
      printed(sampleReport([failed, sampleResult('error', should, { reason: 'a\nb' })]), { lines: true }),
    ).toContain('FAIL  streaming/as-it-comes (2025-11-25) MUST\nERROR streaming/order (2025-11-25) a\n'))

  test('obeys no gateway: what it sent can not steer the terminal', () => {
    const evil = `${ESC}[2Jgone\u202e`
    const finding = { about: 'client' as const, claim: 'x', seen: evil }
    const nasty = sampleExchange('client', { answer: evil, answerHeaders: [['Content-Type', evil]] })
    const out = printed(sampleReport([{ ...failed, findings: [finding], evidence: sampleEvidence([nasty]) }]))
    expect(out).not.toContain(ESC)
    expect(out).not.toContain('\u202e')
    expect(out).toContain('\\u001b[2Jgone')
  })

  test('keeps to its columns, but for what is copied', () => {
    const out = printed(sampleReport([failed]), { columns: 80 }).split('\n')
    const copied = (line: string) => /curl|Repeat|Spec|SESSION/.test(line)
    expect(out.filter(line => line.length > 80 && !copied(line))).toEqual([])
  })
})
