import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { format } from '../api/format.ts'
import { asReport } from '../cli/document/read.ts'
import type { Report } from '../kit/types.ts'
import { cli } from './cli-process.ts'
import { sampleCheck, sampleEvidence, sampleExchange, sampleReport, sampleResult, sampleTarget } from './cli-samples.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-report-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The report as a file. */
async function file(name: string, report: Report): Promise<string> {
  const path = join(folder, name)
  writeFileSync(path, await format(report, 'json', { evidence: 'all' }))
  return path
}

const order = sampleCheck('streaming/order')
const issued = sampleCheck('sessions/issued', { level: 'SHOULD' })
const evidence = sampleEvidence([sampleExchange('client', { events: ['one'] })], [sampleExchange('backend')])
const good = sampleReport([sampleResult('pass', order, { evidence }), sampleResult('fail', issued)])
const bad = sampleReport([sampleResult('fail', order, { evidence, causedBy: 'gateway' }), sampleResult('pass', issued)])

describe('a report that is read back', () => {
  test.each(['text', 'junit', 'tap', 'sarif', 'markdown', 'github', 'json'] as const)(
    'is the same as %s',
    async name => {
      const { report } = asReport(JSON.parse(await format(bad, 'json', { evidence: 'all' })), 'x')
      const given = { evidence: name === 'json' ? ('all' as const) : ('failures' as const) }
      expect(await format(report, name, given)).toBe(await format(bad, name, given))
    },
  )
  test.each([
    [{}, 'is no report of mcp-conformance'],
    [{ schema: 'urn:mcp-conformance:report:9' }, 'take the version that wrote it'],
    [{ schema: 'urn:mcp-conformance:report:1', kit: {} }, 'it does not say which version wrote it'],
    [
      {
        schema: 'urn:mcp-conformance:report:1',
        kit: { version: '1' },
        target: { url: 'x', features: [] },
        startedAt: 'now',
      },
      'startedAt is no time',
    ],
    [
      {
        schema: 'urn:mcp-conformance:report:1',
        kit: { version: '1' },
        target: { url: 'x', features: [] },
        startedAt: '2026-01-01',
        results: [{}],
      },
      'result 0 is none',
    ],
  ])('is refused in one sentence: %j', (value, sentence) => {
    expect(() => asReport(value, 'file.json')).toThrow(sentence)
  })
})

describe('the command report', () => {
  test('writes another form, with the exit code of the run', async () => {
    const to = join(folder, 'out.xml')
    const came = await cli(['report', await file('bad.json', bad), '--to', `junit=${to}`])
    expect([came.code, came.stderr]).toEqual([1, ''])
    expect(came.stdout).toContain('The gateway does not conform: 1 check failed.')
    expect(readFileSync(to, 'utf8')).toContain('<failure type="MUST"')
    expect((await cli(['report', await file('good.json', good), '--to', 'tap'])).code).toBe(0)
  })
  test('puts shards together; of what is in two, the later counts', async () => {
    const first = await file('1.json', sampleReport([sampleResult('fail', order)]))
    const second = await file('2.json', sampleReport([sampleResult('pass', order), sampleResult('pass', issued)]))
    const came = await cli(['report', first, second, '--to', 'json'])
    expect(came.code).toBe(0)
    expect(came.stderr).toContain('1 result stood in several of the files')
    expect(JSON.parse(came.stdout).summary).toEqual({ pass: 2, fail: 0, skip: 0, error: 0 })
  })
  test('puts reports of two gateways not together, but side by side', async () => {
    const other = await file('other.json', {
      ...good,
      target: { ...sampleTarget, name: 'other', url: 'http://127.0.0.1:9/mcp' },
    })
    const mine = await file('mine.json', bad)
    expect(await cli(['report', mine, other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('mcp-conformance report compare'),
    })
    const text = await cli(['report', 'compare', mine, other])
    expect(text.stdout).toMatch(/streaming\/order {2}MUST +✗ +✓/)
    expect(text.stdout).toMatch(/sessions\/issued {2}SHOULD +✓ +⚠/)
    expect((await cli(['report', 'compare', mine, other, '--to', 'markdown'])).stdout).toContain(
      '| streaming/order (MUST) | ✗ | ✓ |',
    )
    expect((await cli(['report', 'compare', mine, other, '--to', 'html'])).stdout).toContain(
      '<th scope="row">streaming/order (MUST)</th><td>✗</td>',
    )
  })
  test('diff tells what broke, and is a failure then', async () => {
    const [before, after] = [await file('before.json', good), await file('after.json', bad)]
    const worse = await cli(['report', 'diff', before, after])
    expect(worse.code).toBe(1)
    expect(worse.stdout).toContain(
      'Newly failed (1)\n  streaming/order  2025-11-25  pass → fail\n    expected at the client: the status is 200; seen: status 502',
    )
    expect(worse.stdout).toContain('1 newly failed, 1 fixed, 0 changed, 0 new, 0 checks gone, 0 as before')
    expect((await cli(['report', 'diff', before, before])).code).toBe(0)
  })
  test('a badge and a statement', async () => {
    const path = await file('stated.json', bad)
    expect((await cli(['report', 'badge', path])).stdout).toContain('<title>MCP gateway: 1 of 2 failed</title>')
    const said = parse(
      (await cli(['report', 'statement', path, '--project', 'acme-gw', '--release', '2.3.1', '--contact', '@acme']))
        .stdout,
    )
    expect(said).toMatchObject({
      kind: 'ConformanceReport',
      implementation: { project: 'acme-gw', version: '2.3.1', contact: ['@acme'] },
      profiles: [
        {
          name: 'mcp',
          result: 'failure',
          must: { passed: 0, failed: 1, failedTests: ['streaming/order (2025-11-25)'] },
        },
      ],
    })
  })
  test.each([
    [[], 'There is no report to read'],
    [['nowhere.json'], "The report nowhere.json can't be read: there is no such file."],
    [['package.json'], 'is no report of mcp-conformance'],
    [['README.md'], 'is no JSON'],
    [['diff', 'package.json'], 'diff takes two reports'],
    [['badge'], 'badge takes one report'],
    [['package.json', '--to', 'pdf'], "--to can't be pdf"],
  ])('%j is wrong usage', async (args, sentence) => {
    const { code, stdout, stderr } = await cli(['report', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
  })
})
