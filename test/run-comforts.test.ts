import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { diagnosis } from '../cli/reporters/diagnosis.ts'
import { withoutFlood } from '../cli/reporters/flood.ts'
import { live } from '../cli/reporters/live.ts'
import { readTime, untilReady } from '../cli/run/ready.ts'
import { readShard, shardOf } from '../cli/run/shard.ts'
import { updateBaseline } from '../kit/baseline-update.ts'
import { checks } from '../suites/index.ts'
import { cli } from './cli-process.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult, sampleTarget } from './cli-samples.ts'

describe('shards', () => {
  test('every check is in just one, and none waits for all the others', () => {
    const parts = [1, 2, 3, 4].map(index => shardOf(checks, { index, of: 4 }))
    expect(
      parts
        .flat()
        .map(c => c.id)
        .sort(),
    ).toEqual(checks.map(c => c.id).sort())
    const cost = parts.map(part =>
      part.reduce((sum, { waits = 0 }) => sum + (typeof waits === 'number' ? waits : waits({})) + 30, 0),
    )
    expect(Math.max(...cost) / Math.min(...cost)).toBeLessThan(1.5)
    expect(shardOf(checks, { index: 2, of: 4 })).toEqual(parts[1])
  })
  test.each(['0/2', '3/2', '1', 'a/b', '1/0'])('%s is none', text => {
    expect(() => readShard(text)).toThrow('the second of four parts')
  })
})

describe('waiting for a gateway', () => {
  test('times are read', () => {
    expect([readTime('60s', 'wait'), readTime('500ms', 'wait'), readTime('2m', 'wait'), readTime('3', 'wait')]).toEqual(
      [60_000, 500, 120_000, 3000],
    )
    expect(() => readTime('soon', 'wait')).toThrow('--wait must be a time such as 60s')
  })
  test('ends as soon as initialize is answered, also through a proxy that has nothing behind it yet', async () => {
    let asked = 0
    const server = createServer((_request, response) => void response.writeHead(++asked < 3 ? 503 : 401).end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await untilReady(`http://127.0.0.1:${port}/mcp`, [], 20_000, new AbortController().signal)
    expect(asked).toBe(3)
    server.closeAllConnections()
    server.close()
  })
  test('where nobody comes, the last obstacle is told', async () => {
    const { code, stderr } = await cli(['--url', 'http://127.0.0.1:1/mcp', '--wait', '300ms'])
    expect(code).toBe(3)
    expect(stderr).toContain('did not answer initialize within 0.3 s: the connection was refused')
  })
})

test('--fail-fast stops at the first failure that counts, and says so', async () => {
  const { code, stdout } = await cli([
    '--mutant',
    'trims-ids',
    '--only',
    'envelope',
    '--fail-fast',
    '--reporter',
    'json',
  ])
  const report = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(report).toMatchObject({ stopped: true, summary: { fail: 1 } })
  expect(report.results.length).toBeLessThan(checks.filter(c => c.id.startsWith('envelope/')).length)
})

describe('likely causes', () => {
  test.each([
    ['buffers-streams', 'streaming/events-as-they-come', 'gathers the answer before it passes it on'],
    ['rounds-numbers-in-results', 'envelope/numbers-in-results', 'parses JSON into numbers'],
    ['drops-unknown-fields', 'forwarding/unknown-fields-kept', 'an allow-list'],
    ['refunds-twice', 'tools/called-once', 'sends the request again'],
  ])('%s', async (mutant, only, cause) => {
    const { stdout } = await cli(['--mutant', mutant, '--only', only])
    expect(stdout.replace(/\s+/g, ' ')).toContain(cause)
  })
  test('none is made up where the evidence shows no pattern', async () => {
    const { stdout } = await cli(['--mutant', 'trims-ids', '--only', 'envelope/id-string'])
    expect(stdout).toContain('✗ envelope/id-string')
    expect(stdout).not.toContain('Likely cause')
  })
})

describe('the run as a whole', () => {
  const refused = (status: number) =>
    sampleReport(
      Array.from({ length: 12 }, (_, i) =>
        sampleResult('fail', sampleCheck(`tools/check-${i}`), {
          evidence: sampleEvidence([sampleExchange('client', { status })]),
        }),
      ),
    )
  test('one cause that explains most of it is told', () => {
    expect(diagnosis(refused(401))).toBe(
      'One cause explains most of it: 12 of 12 requests were answered with 401, so it asks for a token: put one into an environment variable and name it with --bearer-env, or use --header.',
    )
    expect(diagnosis(refused(429))).toContain('limits: { rps: … }')
    expect(diagnosis(refused(200))).toBeUndefined()
  })
  test('from the tenth like failure on they are counted', () => {
    const { results } = refused(500)
    const other = sampleResult('fail', sampleCheck('tools/other'), {
      findings: [{ about: 'client', claim: 'x', seen: 'something else' }],
    })
    const { shown, more } = withoutFlood([...results, other])
    expect(shown).toHaveLength(10)
    expect(shown).toContain(other)
    expect([...more]).toEqual([[results[0], 3]])
  })
  test('the live line tells what is left', () => {
    const written: string[] = []
    let now = 0
    const reporter = live(
      text => written.push(text),
      100,
      1,
      () => now,
    )
    reporter.start?.(
      sampleTarget,
      Array.from({ length: 10 }, (_, i) => sampleCheck(`tools/c-${i}`)),
    )
    now = 2000
    reporter.result?.(sampleResult('pass'))
    reporter.result?.(sampleResult('fail'))
    expect(written.at(-1)).toContain('2 of 10, 1 failed, 8 s left')
  })
})

describe('baseline update', () => {
  const report = sampleReport([
    sampleResult('pass', sampleCheck('tools/mended')),
    sampleResult('pass', sampleCheck('tools/moody')),
    sampleResult('fail', sampleCheck('tools/known')),
    sampleResult('fail', sampleCheck('tools/new')),
    sampleResult('fail', sampleCheck('tools/soft', { level: 'SHOULD' })),
    sampleResult('error', sampleCheck('tools/unjudged')),
  ])
  const before = `# What we know of
- id: tools/known # since spring
  reason: upstream
- { id: tools/mended, reason: soon }
- { id: tools/moody, reason: race, flaky: true }
- { id: tools/elsewhere, reason: not judged here }
`
  test('takes out what passes, puts in what fails and counts, and leaves the rest as it stands', () => {
    const { text, ...told } = updateBaseline(before, report, { reason: 'mended in 2.4', until: '2027-01-31' })
    expect(told).toEqual({ better: ['tools/mended'], added: ['tools/new'], kept: 3 })
    expect(text).toBe(`# What we know of
- id: tools/known # since spring
  reason: upstream
- { id: tools/moody, reason: race, flaky: true }
- { id: tools/elsewhere, reason: not judged here }
- id: tools/new
  reason: mended in 2.4
  until: 2027-01-31
`)
    expect(updateBaseline(text, report, { reason: '' })).toMatchObject({ better: [], added: [], text })
  })
  test('begins one where there is none, and counts a SHOULD only strictly', () => {
    expect(updateBaseline('', report, { reason: 'x' }, true).added).toEqual(['tools/known', 'tools/new', 'tools/soft'])
  })
  test('the command asks for a reason', async () => {
    expect(await cli(['baseline', 'update'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('baseline update FILE --from REPORT.json'),
    })
  })
})
