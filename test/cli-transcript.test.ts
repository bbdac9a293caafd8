import { describe, expect, test } from 'vitest'
import { paint, wantsColour } from '../cli/paint.ts'
import { curl } from '../cli/reporters/curl.ts'
import { live } from '../cli/reporters/live.ts'
import { transcript } from '../cli/reporters/transcript.ts'
import { excerpt, quoted, visible, wrap } from '../cli/words.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult, sampleTarget } from './cli-samples.ts'

const ESC = '\u001b'
const failed = sampleResult('fail')
const should = sampleCheck('streaming/order', { level: 'SHOULD' })

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
