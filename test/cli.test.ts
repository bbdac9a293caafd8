import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../suites/index.ts'
import { cli, start } from './cli-process.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = checks.find(c => c.pack === 'mcp' && !c.alone && !c.needs?.length)!.id
const isTotal = /^\d+ passed, \d+ failed, \d+ skipped(, \d+ could not be judged)?$/

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']], [['run', '--help', '--url']]])(
    '%j tells of every command',
    async args => {
      const { code, stdout, stderr } = await cli(args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      if (args[0] !== 'run')
        for (const name of ['run', 'list', 'explain', 'mocks', 'gateway', 'doctor']) expect(stdout).toContain(name)
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    },
  )
  test.each([['mocks'], ['gateway'], ['doctor'], ['list'], ['explain']])('of %s', async name => {
    const { code, stdout } = await cli([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`mcp-conformance ${name}`)
    expect((await cli(['help', name])).stdout).toBe(stdout)
  })
  test('the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await cli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('list and explain', () => {
  test('list names every check', async () => {
    const { code, stdout } = await cli(['list'])
    expect(code).toBe(0)
    for (const { id } of checks) expect(stdout).toContain(id)
  })
  test('list --json keeps the contract', async () => {
    const { stdout, stderr } = await cli(['list', '--json'])
    expect(stderr).toBe('')
    const listed = JSON.parse(stdout)
    expect(listed.map((c: { id: string }) => c.id)).toEqual(checks.map(c => c.id))
    for (const c of listed) {
      expect(c).toMatchObject({
        title: expect.any(String),
        pack: expect.stringMatching(/^(mcp|syncseries|policy)$/),
        level: expect.stringMatching(/^(MUST|SHOULD|MAY)$/),
        spec: expect.stringMatching(/^(https:\/\/|docs\/platform\.md#)/),
        needs: expect.any(Array),
        why: expect.any(String),
      })
      expect(c.steps.length).toBeGreaterThan(0)
      expect(c.claims.length).toBeGreaterThan(0)
    }
  })
  test('explain tells of one', async () => {
    const { code, stdout } = await cli(['explain', one])
    expect(code).toBe(0)
    expect(stdout).toContain(`## ${one}`)
  })
  test('list-mutants --json keeps the contract', async () => {
    const listed = JSON.parse((await cli(['gateway', '--list-mutants', '--json'])).stdout)
    for (const m of listed)
      expect(m).toEqual({ name: expect.any(String), harm: expect.any(String), caughtBy: expect.any(Array) })
  })
})

describe('run, without anything', () => {
  test('judges the embedded gateway and says so in its first line', async () => {
    const { code, stdout, stderr } = await cli(['--only', one])
    expect(stdout.split('\n')[0]).toMatch(/^mcp-conformance \S+ judges its embedded reference gateway /)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed, 0 skipped')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('\u001b')
  })

  test('prints one JSON document to stdout, and nothing else there', async () => {
    const { code, stdout, stderr } = await cli(['run', '--only', one, '--reporter', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ summary: { pass: 1, fail: 0, skip: 0, error: 0 }, partial: true })
    expect(stderr).toMatch(/judges its embedded reference gateway/)
  })

  test('writes reports into files beside the text, whole', async () => {
    const files = { json: join(folder, 'reports', 'r.json'), junit: join(folder, 'reports', 'r.xml') }
    const { code, stdout } = await cli([
      '--only',
      one,
      '--reporter',
      `json=${files.json}`,
      '--reporter',
      `junit=${files.junit}`,
    ])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(isTotal)
    expect(JSON.parse(readFileSync(files.json, 'utf8')).summary.pass).toBe(1)
    expect(readFileSync(files.junit, 'utf8')).toMatch(/^<\?xml[\s\S]*<\/testsuites>\n$/)
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(['r.json', 'r.xml'])
  })

  test('judges each revision that is asked for', async () => {
    const { stdout } = await cli(['--only', one, '--revision', '2025-06-18,2025-11-25', '--reporter', 'json'])
    const { results } = JSON.parse(stdout)
    expect(results.map((r: { revision: string }) => r.revision)).toEqual(['2025-06-18', '2025-11-25'])
  })

  test('colours only where FORCE_COLOR or a terminal asks for it', async () => {
    const forced = await cli(['--only', one], { env: { FORCE_COLOR: '1' } })
    expect(forced.stdout).toContain('\u001b[')
    const both = await cli(['--only', one, '--no-color'], { env: { FORCE_COLOR: '1' } })
    expect(both.stdout).not.toContain('\u001b[')
  })

  test('a known failure that passes is stale: 1', async () => {
    const file = join(folder, 'known.yaml')
    writeFileSync(file, `- id: ${one}\n  reason: it did fail\n`)
    const { code, stdout } = await cli(['--only', one, '--baseline', file])
    expect(code).toBe(1)
    expect(stdout).toContain(`Stale: ${one} is in the baseline, but passes.`)
  })

  test('a reader that has seen enough is no fault', async () => {
    const running = start(['list', '--json'])
    running.child.stdout?.destroy()
    expect((await running.ended).stderr).toBe('')
  })
})

test('a Node that is too old gets one sentence', async () => {
  const file = join(folder, 'old.cjs')
  writeFileSync(file, `Object.defineProperty(process.versions, 'node', { value: '18.20.0' })`)
  expect(await cli(['--version'], { node: ['--require', file] })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'mcp-conformance needs Node 20 or newer, and this is Node 18.20.0: install a newer one.\n',
  })
})
