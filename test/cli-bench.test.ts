import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BenchReport } from '../bench/types.ts'
import { cli } from './cli-process.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-bench-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const small = ['bench', '--quick', '--scenario', 'call', '--pairs', '40', '--seed', '1']

describe('the embedded gateway', () => {
  test('is measured with and without guards; the report holds every sample', async () => {
    const saved = join(folder, 'saved.json')
    // The budget is one that no machine is too slow for: here it is about the report.
    const { code, stdout, stderr } = await cli([
      ...small,
      '--budget',
      '5s',
      '--reporter',
      'json',
      '--reporter',
      `json=${saved}`,
    ])
    expect(code, stderr).toBe(0)
    const report = JSON.parse(stdout) as BenchReport
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual(report)
    expect(report).toMatchObject({ kind: 'mcp-conformance-bench', version: 1, verdict: { verdict: 'pass' } })
    expect(report.rows.map(row => row.setting ?? 'plain')).toEqual([
      'plain',
      'audit, tokens (RS256) and both breakers on',
    ])
    for (const { pairs, failed, added, control, histograms, picture } of report.rows) {
      expect([pairs, failed]).toEqual([40, 0])
      expect(added.p50.low).toBeLessThanOrEqual(added.p50.value)
      expect(added.p50.value).toBeGreaterThan(0)
      expect(Math.abs(control.p50.value)).toBeLessThan(added.p50.value)
      for (const way of ['direct', 'control', 'through']) {
        expect(decodeFromCompressedBase64(histograms[way]!).totalCount).toBe(40)
        expect(picture.counts[way]!.reduce((sum, count) => sum + count)).toBe(40)
      }
    }
  })
  test('over the budget is exit code 1, and the text says by how much', async () => {
    const { code, stdout } = await cli([...small, '--budget', 'p50=1us'])
    // A busy machine is not sure of it: that is said, too, and never passes.
    expect([1, 3]).toContain(code)
    expect(stdout).toMatch(
      code === 1 ? /✗ It adds .* at p50 .*: more than the budget of 1 µs/ : /\? This machine is too busy/,
    )
  })
  test('a sweep tells how it grows', async () => {
    const { code, stdout } = await cli(['bench', '--quick', '--sweep', 'payload'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/1048576 +[\d.]+ (µs|ms) +[+−][\d.]+ (µs|ms)/)
    expect(stdout).toMatch(/With payload, it (grows|does not grow)/)
  })
})

describe('what makes no sense is said in one sentence', () => {
  const broken = () => {
    const file = join(folder, 'broken.json')
    writeFileSync(file, '{"kind":"something else"}')
    return file
  }
  test.each<[string, () => string[], string]>([
    ['a budget that is no number', () => ['--budget', 'fast'], '"fast" is no budget'],
    ['a scenario that is none', () => ['--scenario', 'cal'], 'Did you mean call?'],
    ['a report that is none', () => ['--compare', broken()], 'is no report of a measurement'],
    ['a report that is missing', () => ['--compare', join(folder, 'none.json')], "can't be read"],
    [
      '--against without a gateway',
      () => ['--against', 'http://127.0.0.1:1/mcp'],
      '--against is for a gateway of yours',
    ],
    ['arguments without --direct', () => ['--arguments', '{}'], '--direct URL'],
    [
      'arguments that are no object',
      () => [
        '--url',
        'http://127.0.0.1:1/mcp',
        '--direct',
        'http://127.0.0.1:2/mcp',
        '--call',
        'x',
        '--arguments',
        '[1]',
      ],
      'must be a JSON object',
    ],
    [
      'a sweep of another gateway that only ours can do',
      () => ['--url', 'http://127.0.0.1:1/mcp', '--sweep', 'routes'],
      'embedded one only',
    ],
    [
      'a file that cannot be written',
      () => ['--reporter', `json=${join(folder, 'saved.json', 'x')}`],
      "can't be written",
    ],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await cli(['bench', ...args()])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
  })
  test('a gateway where nobody listens', async () => {
    const { code, stderr } = await cli([
      'bench',
      '--url',
      'http://127.0.0.1:1/mcp',
      '--direct',
      'http://127.0.0.1:2/mcp',
    ])
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("http://127.0.0.1:2/mcp can't be measured: nobody listens there."),
    ])
  })
})
