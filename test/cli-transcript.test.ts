import { describe, expect, test } from 'vitest'
import { paint, wantsColour } from '../cli/paint.ts'
import { curl } from '../cli/reporters/curl.ts'
import { STAGED } from '../cli/reporters/failure.ts'
import { live } from '../cli/reporters/live.ts'
import { transcript } from '../cli/reporters/transcript.ts'
import { columnsOf, cut, excerpt, quoted, visible, wrap } from '../cli/words.ts'
import type { Exchange } from '../kit/types.ts'
import { checks } from '../suites/index.ts'
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

describe('what a failure is about', () => {
  const a = sampleExchange('client', { nonce: 'mcpc-0123456789.1', path: '/a', more: { label: 'first' } })
  const b = sampleExchange('client', {
    nonce: 'mcpc-0123456789.2',
    path: '/b',
    more: { label: 'second' },
    answer: 'odd',
  })
  const c = sampleExchange('client', {
    nonce: 'mcpc-0123456789.3',
    path: '/c',
    more: { failure: 'the connection broke' },
  })
  const servers = [1, 2, 3].map(n => sampleExchange('backend', { nonce: `mcpc-0123456789.${n}` }))
  const about = (...claims: string[]) => {
    const findings = claims.map(claim => ({ about: 'client' as const, claim, seen: 'x' }))
    return transcript(sampleEvidence([a, b, c], servers), findings, 100).join('\n')
  }
  const paths = (text: string) => [...text.matchAll(/POST (\/[abc])/g)].map(m => m[1])

  test('is the exchanges that it names', () => {
    expect(paths(about('the status is 200 of "first"'))).toEqual(['/a'])
    expect(about('the status is 200 of "first"')).toContain('(2 other exchanges left out)')
  })
  test('or else those whose two sides differ, or that broke', () => {
    expect(paths(about('the status is 200'))).toEqual(['/b', '/c'])
    expect(paths(about('the status is 200', 'x of "first"'))).toEqual(['/b', '/c'])
    expect(paths(about('x of "no such label"'))).toEqual(['/b', '/c'])
  })
  test('or else all', () =>
    expect(transcript(sampleEvidence([a], [servers[0]!]), [], 100).join('\n')).toContain('POST /a'))
})

describe('the curl line', () => {
  const repeated = (client: readonly Exchange[], origin?: string) => curl(sampleEvidence(client), [], origin)

  const hello = sampleExchange('client', { body: '{"method":"initialize"}', nonce: 'mcpc-0123456789.1' })

  test('quotes what a shell would read', () =>
    expect(repeated([sampleExchange('client', { body: `{"a":"it's $HOME"}` })])).toEqual([
      `curl -isSN http://127.0.0.1:8080/mcp -H 'Content-Type: application/json' -H 'Accept:' --data-raw '{"a":"it'\\''s $HOME"}'`,
    ]))

  test('opens a session first where the request had one', () => {
    const headers = [['Mcp-Session-Id', 'abc'] as const]
    const [open, line] = repeated([hello, sampleExchange('client', { headers, method: 'DELETE', body: '' })])
    expect(open).toMatch(/^SESSION=\$\(curl .*initialize.*cut -d' ' -f2\)$/)
    expect(line).toBe(`curl -isSN -X DELETE http://127.0.0.1:8080/mcp -H "Mcp-Session-Id: $SESSION" -H 'Accept:'`)
  })

  test('asks for a token in place of a hidden one', () => {
    const headers = [['Authorization', 'Bearer «hidden 0a1b2c3d»'] as const]
    expect(repeated([sampleExchange('client', { headers, body: '' })])[0]).toContain(
      '-H "Authorization: Bearer $TOKEN"',
    )
  })

  test('goes to another origin where the gateway will be there', () =>
    expect(repeated([sampleExchange('client', { path: '/crm/mcp' })], 'http://127.0.0.1:9')[0]).toContain(
      'http://127.0.0.1:9/crm/mcp',
    ))

  test.each([
    ['no HTTP', { method: 'raw' }, 'no valid HTTP'],
    ['too long', { body: 'x'.repeat(5000) }, 'the body has 5000 bytes'],
    ['bytes', { body: 'a\u0000b' }, 'no shell line'],
  ])('says why there is none: %s', (_, sketch, why) =>
    expect(repeated([sampleExchange('client', sketch)])).toEqual([expect.stringContaining(why)]),
  )
})

test('the note on what only the kit can make a server do rests on words that steps still use', () =>
  expect(checks.some(c => c.steps.some(s => s.says.includes(STAGED)))).toBe(true))

describe('the live line', () => {
  test('tells how far the run is, fits the terminal, and is gone at the end', () => {
    const texts: string[] = []
    let now = 0
    const reporter = live(
      t => texts.push(t),
      40,
      1,
      () => now,
    )
    reporter.start?.(sampleTarget, [failed.check, should])
    now = 3000
    reporter.result?.(failed)
    reporter.result?.(sampleResult('pass', should))
    reporter.end?.(sampleReport([]))
    expect(texts).toEqual([
      `\r${ESC}[K1 of 2, 1 failed, 3 s left  streaming/a`,
      `\r${ESC}[K2 of 2, 1 failed, 0 s left  streaming/o`,
      `\r${ESC}[K`,
    ])
  })
})

describe('words', () => {
  test('wrap', () => {
    expect(wrap('one two three', 8, '  ')).toEqual(['  one', '  two', '  three'])
    expect(wrap('averylongword', 5)).toEqual(['averylongword'])
    expect(wrap('', 5)).toEqual([''])
    expect(wrap('한글 한글', 8)).toEqual(['한글', '한글'])
  })
  test('excerpt never cuts a character in two', () => {
    expect(excerpt('😀😀😀', 3)).toBe('😀…')
    expect(excerpt('abcdef', 3, 3)).toBe('…def')
    expect(excerpt('abcdef', 6)).toBe('abcdef')
  })
  test('cut counts columns', () => {
    expect(cut('한글ab', 5)).toEqual(['한글a', 'b'])
    expect(cut('가나', 3)).toEqual(['가', '나'])
    expect(columnsOf('e\u0301👍\u200d')).toBe(3)
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
