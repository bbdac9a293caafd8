import { describe, expect, test } from 'vitest'
import { paint, wantsColour } from '../cli/paint.ts'
import { curl } from '../cli/reporters/curl.ts'
import { live } from '../cli/reporters/live.ts'
import type { TextOptions } from '../cli/reporters/options.ts'
import { text } from '../cli/reporters/text.ts'
import { transcript } from '../cli/reporters/transcript.ts'
import { excerpt, quoted, visible, wrap } from '../cli/words.ts'
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
          It could not be judged whether the gateway passes each event on as it comes.
          Why it matters: Progress that arrives with the result is no progress.
          Because: nothing was seen

          Spec    https://example.org/spec#anchor
          Repeat  npx mcp-conformance --url http://127.0.0.1:8080/mcp --only errors/kept --revision 2025-11-25

        ⚠ streaming/order  SHOULD  2025-11-25
          A good gateway passes each event on as it comes. This one does not.
          Why it matters: Progress that arrives with the result is no progress.

           at the client, expected  the status is 200
                              seen  status 502

          Spec    https://example.org/spec#anchor
          Repeat  npx mcp-conformance --url http://127.0.0.1:8080/mcp --only streaming/order --revision 2025-11-25

        ✗ streaming/as-it-comes  MUST  2025-11-25
          A conformant gateway passes each event on as it comes. This one does not.
          Why it matters: Progress that arrives with the result is no progress.

           at the client, expected  the status is 200
                              seen  status 502

          The gateway did it: asked without the gateway, the server passes this check.

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

  test('shows both sides of at most a dozen failures', () => {
    const many = sampleReport(
      Array.from({ length: 15 }, (_, i) => ({ ...failed, check: sampleCheck(`streaming/n${i}`) })),
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

describe('the transcript', () => {
  const lines = (
    c: Parameters<typeof sampleExchange>[1],
    b: Parameters<typeof sampleExchange>[1],
    findings = failed.findings,
  ) =>
    transcript(
      sampleEvidence([sampleExchange('client', c)], [sampleExchange('backend', { at: 1001, ...b })]),
      findings,
      100,
    )

  test('shows long bodies where they differ', () => {
    const filler = 'x'.repeat(400)
    const out = lines({ body: `${filler}client${filler}` }, { body: `${filler}server${filler}` }).join('\n')
    expect(out).toContain('client')
    expect(out).toContain('server')
  })

  test('says so where a body arrives as it was sent', () =>
    expect(lines({}, {}).filter(l => l.includes('(the same'))).toHaveLength(2))

  test('shows the fields that the findings speak of', () => {
    const findings = [{ about: 'backend' as const, claim: 'traceparent is 00-1', seen: 'no traceparent' }]
    const headers = [['Traceparent', '00-1'] as const, ['X-Other', '1'] as const]
    const out = lines({ headers }, {}, findings).join('\n')
    expect(out).toContain('Traceparent: 00-1')
    expect(out).not.toContain('X-Other')
  })

  test('leaves the handshake out, unless there is nothing else', () => {
    const hello = sampleExchange('client', { body: '{"method":"initialize"}', answer: 'hello-answer' })
    const two = sampleEvidence([hello, sampleExchange('client', { at: 1010 })])
    expect(transcript(two, [], 100).join('\n')).not.toContain('hello-answer')
    expect(transcript(sampleEvidence([hello]), [], 100).join('\n')).toContain('hello-answer')
  })

  test('shows how an exchange failed, and who hung up', () => {
    const c = sampleExchange('client', { more: { failure: 'no whole answer within 5000 ms' } })
    const b = sampleExchange('backend', { more: { goneAt: 1400 } })
    const out = transcript(sampleEvidence([c], [b]), [], 100)
    expect(out.at(-1)).toContain('✗ no whole answer within 5000 ms')
    expect(out.join('\n')).toContain('✗ hung up before the answer had ended')
  })

  test('is cut in the middle where it is long', () => {
    const events = Array.from({ length: 500 }, (_, i) => `{"n":${i}}`)
    const out = lines({ events }, { events })
    expect(out.length).toBeLessThan(60)
    expect(out.join('\n')).toMatch(/… \d+ more …/)
  })
})

describe('the curl line', () => {
  const hello = sampleExchange('client', { body: '{"method":"initialize"}', nonce: 'mcpc-0123456789.1' })

  test('quotes what a shell would read', () =>
    expect(curl(sampleEvidence([sampleExchange('client', { body: `{"a":"it's $HOME"}` })]))).toEqual([
      `curl -isSN http://127.0.0.1:8080/mcp -H 'Content-Type: application/json' -H 'Accept:' --data-raw '{"a":"it'\\''s $HOME"}'`,
    ]))

  test('opens a session first where the request had one', () => {
    const headers = [['Mcp-Session-Id', 'abc'] as const]
    const [open, line] = curl(
      sampleEvidence([hello, sampleExchange('client', { headers, method: 'DELETE', body: '' })]),
    )
    expect(open).toMatch(/^SESSION=\$\(curl .*initialize.*cut -d' ' -f2\)$/)
    expect(line).toBe(`curl -isSN -X DELETE http://127.0.0.1:8080/mcp -H "Mcp-Session-Id: $SESSION" -H 'Accept:'`)
  })

  test('asks for a token in place of a hidden one', () => {
    const headers = [['Authorization', 'Bearer «hidden 0a1b2c3d»'] as const]
    expect(curl(sampleEvidence([sampleExchange('client', { headers, body: '' })]))[0]).toContain(
      '-H "Authorization: Bearer $TOKEN"',
    )
  })

  test('goes to another origin where the gateway will be there', () =>
    expect(curl(sampleEvidence([sampleExchange('client', { path: '/crm/mcp' })]), 'http://127.0.0.1:9')[0]).toContain(
      'http://127.0.0.1:9/crm/mcp',
    ))

  test.each([
    ['no HTTP', { method: 'raw' }, 'no valid HTTP'],
    ['too long', { body: 'x'.repeat(5000) }, 'the body has 5000 bytes'],
    ['bytes', { body: 'a\u0000b' }, 'no shell line'],
  ])('says why there is none: %s', (_, sketch, why) =>
    expect(curl(sampleEvidence([sampleExchange('client', sketch)]))).toEqual([expect.stringContaining(why)]),
  )
})

describe('the live line', () => {
  test('tells how far the run is, fits the terminal, and is gone at the end', () => {
    const texts: string[] = []
    const reporter = live(t => texts.push(t), 30)
    reporter.start?.(sampleTarget, [failed.check, should])
    reporter.result?.(failed)
    reporter.result?.(sampleResult('pass', should))
    reporter.end?.(sampleReport([]))
    expect(texts).toEqual([
      `\r${ESC}[K1 of 2, 1 failed  streaming/a`,
      `\r${ESC}[K2 of 2, 1 failed  streaming/o`,
      `\r${ESC}[K`,
    ])
  })
})

describe('words', () => {
  test('wrap', () => {
    expect(wrap('one two three', 8, '  ')).toEqual(['  one', '  two', '  three'])
    expect(wrap('averylongword', 5)).toEqual(['averylongword'])
    expect(wrap('', 5)).toEqual([''])
  })
  test('excerpt never cuts a character in two', () => {
    expect(excerpt('😀😀😀', 3)).toBe('😀…')
    expect(excerpt('abcdef', 3, 3)).toBe('…def')
    expect(excerpt('abcdef', 6)).toBe('abcdef')
  })
  test('visible', () => expect(visible('a\r\n\tb\u0007한')).toBe('a\\r\\n\\tb\\u0007한'))
  test('quoted', () => expect([quoted('a/b-c'), quoted("it's"), quoted('')]).toEqual(['a/b-c', "'it'\\''s'", "''"]))
})

test('colours: NO_COLOR goes first, then FORCE_COLOR, then the terminal', () => {
  expect(wantsColour({}, true)).toBe(true)
  expect(wantsColour({}, false)).toBe(false)
  expect(wantsColour({ TERM: 'dumb' }, true)).toBe(false)
  expect(wantsColour({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false)
  expect(wantsColour({ NO_COLOR: '' }, true)).toBe(true)
  expect(wantsColour({ FORCE_COLOR: '1' }, false)).toBe(true)
  expect(wantsColour({ FORCE_COLOR: '0' }, true)).toBe(false)
  expect(paint(true).red('x')).toBe(`${ESC}[31mx${ESC}[39m`)
})
