import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { bencher, githubBenchmark } from '../bench/export/benchmarks.ts'
import { benchReport, row, sure } from './bench-samples.ts'
import { cli } from './cli-process.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-k6-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const report = benchReport([
  row({ p50: sure(240, 10) }),
  row({}, { setting: 'with guards' }),
  row({}, { pairs: 0, failed: 9 }),
])

test('github-action-benchmark gets a list of what is added, by call and quantile', () => {
  const list = JSON.parse(githubBenchmark(report)) as { name: string }[]
  expect(list[0]).toEqual({
    name: 'call, 2025-11-25: added p50',
    unit: 'µs',
    value: 240,
    range: '230 to 250',
    extra: 'direct 100 µs, 1000 pairs\np, Node v20.19.0',
  })
  expect(list.map(entry => entry.name)).toContain('call, 2025-11-25, with guards: added p95')
  expect(list).toHaveLength(6)
})

test('Bencher gets nanoseconds with their bounds', () => {
  expect(JSON.parse(bencher(report))['call, 2025-11-25: added p50']).toEqual({
    latency: { value: 240_000, lower_value: 230_000, upper_value: 250_000 },
  })
})

describe('k6', () => {
  test('the script is one that parses; a token stays out of it', async () => {
    const { code, stdout } = await cli([
      'bench',
      '--export',
      'k6',
      '--url',
      'http://127.0.0.1:8080/crm/mcp',
      '--header',
      'X-Key: s3cret',
      '--scenario',
      'call,list',
    ])
    expect(code).toBe(0)
    expect(() => parseAst(stdout, { lang: 'js' }, 'k6.js')).not.toThrow()
    expect(stdout).not.toContain('s3cret')
    expect(stdout).toContain('__ENV.HEADER_X_KEY')
    expect(stdout).toContain('"http://127.0.0.1:8080/crm/mcp"')
  })
  const summary = (p95: number, faults = 0) => ({
    kind: 'mcp-conformance-k6',
    version: 1,
    vus: 10,
    duration: '30s',
    budget: { p50: 5, p95: 5 },
    faults,
    rows: [
      {
        call: 'call',
        direct: { med: 1, 'p(90)': 2, 'p(95)': 2.5, 'p(99)': 4 },
        through: { med: 1.5, 'p(90)': 3, 'p(95)': p95, 'p(99)': 9 },
      },
    ],
  })
  test.each([
    ['within', summary(3), 0, '✓ Within the budget.'],
    ['over', summary(9), 1, '✗ call: it adds 6.50 ms at p95, more than the budget of 5 ms'],
    ['failed calls', summary(3, 4), 1, '✗ 4 calls failed'],
  ])('what it leaves is read back: %s', async (name, value, code, line) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(value))
    const got = await cli(['bench', '--import', file])
    expect([got.code, got.stderr]).toEqual([code, ''])
    expect(got.stdout).toContain(line)
    expect(got.stdout).toContain('p50 +500 µs')
  })
  test('what is none is said', async () => {
    const file = join(folder, 'none.json')
    writeFileSync(file, '{}')
    expect(await cli(['bench', '--import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no summary of k6'),
    })
  })
})
