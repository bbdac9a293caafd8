import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import * as api from '../api/index.ts'
import { blocksOf, readersFolder } from './doc-blocks.ts'

const folder = readersFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const page = 'docs/api.md'
// The first one shows what gateway.js may look like: that of the folder is the reference gateway's.
const programs = blocksOf(page, 'js').filter(code => !code.startsWith('// gateway.js'))

/** Runs a program as it stands in the page. */
async function run(code: string, name = 'program.js'): Promise<string> {
  writeFileSync(join(folder, name), code)
  const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder })
  return stdout
}

const programWith = (text: string) => programs.find(code => code.includes(text))!

describe('the programs of docs/api.md run as they stand', () => {
  test('a whole run', async () => {
    const out = await run(programWith("format(report, 'text')"), 'whole.js')
    expect(out).toMatch(/\{ pass: \d\d, fail: 0, skip: \d+, error: 0 \}/)
    expect(out).toContain('The gateway conforms.')
  })

  test('one check at a time', async () => {
    const out = await run(programWith('await open()'), 'one.js')
    expect(out).toContain('fail crm/')
    expect(out).toContain('prompts/icons-kept pass')
    expect(out).toContain('0 count as failures')
  })

  test('what goes wrong', async () => {
    const out = await run(programWith('instanceof WrongUsage'), 'wrong.js')
    expect(out).toContain('there is nothing to judge: Nobody listens at http://127.0.0.1:9/mcp')
  })

  test('the checks themselves', async () => {
    const out = await run(programWith('explain(musts[0])'), 'checks.js')
    expect(out).toContain(`of ${api.checks.length} are a MUST`)
    expect(out).toContain('The kit:')
  })

  test('as tests of vitest', async () => {
    writeFileSync(join(folder, 'conformance.test.js'), programWith('mcp-conformance/vitest'))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [resolve('node_modules/vitest/vitest.mjs'), 'run', 'conformance.test.js'],
      { cwd: folder, env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
    )
    expect(stdout).toMatch(/Tests {2}\d+ passed/)
  })

  test('the typed one is right by the types that are shipped', async () => {
    writeFileSync(join(folder, 'typed.ts'), blocksOf(page, 'ts').join('\n'))
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, types: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const tsc = resolve('node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder }).catch(
      (cause: { stdout: string }) => expect(cause.stdout).toBe(''),
    )
  })

  test('the types that are shipped are all that they name', () => {
    const { exports, files } = JSON.parse(readFileSync('package.json', 'utf8'))
    const shipped = files.filter((pattern: string) => pattern.endsWith('.d.ts')).map((p: string) => p.split('**')[0])
    const seen = new Set<string>()
    const follow = (path: string): void => {
      if (seen.has(path)) return
      seen.add(path)
      for (const [, to] of readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?['"](\.[^'"]+)\.ts['"]/g))
        follow(join(path, '..', `${to}.d.ts`))
    }
    for (const entry of Object.values<{ types?: string }>(exports)) if (entry.types) follow(join(entry.types))
    expect(seen.size).toBeGreaterThan(10)
    expect([...seen].filter(path => !shipped.some((folder: string) => path.startsWith(folder)))).toEqual([])
  })

  test('none is left out, and every public name is imported by one', () => {
    expect(programs).toHaveLength(5)
    const imported = [...programs.join('\n').matchAll(/^import \{(.*?)\} from 'mcp-conformance'$/gm)]
    const names = new Set(imported.flatMap(([, list]) => list!.split(',').map(name => name.trim())))
    expect([...names].sort()).toEqual(Object.keys(api).sort())
  })
})

describe('calls that make no sense', () => {
  test.each([
    ['a URL that is none', () => api.run('http://'), 'http:// is no address of a gateway'],
    ['a file that is not there', () => api.run('no-such.yaml'), "--target no-such.yaml can't be read"],
    [
      'a key that no target has',
      () => api.run({ url: 'http://127.0.0.1:9', rooting: {} } as never),
      'has no key `rooting`. Did you mean routing?',
    ],
    ['an unknown check', () => api.judge(undefined, 'tools/icon-kept'), 'Did you mean tools/icons-kept?'],
    [
      'a mutant of somebody else',
      () => api.run('http://127.0.0.1:9', { mutant: 'x' }),
      'A mutant is for the embedded gateway',
    ],
    [
      'mocks of somebody else',
      () => api.run('http://127.0.0.1:9', { mocks: { urls: {}, close: async () => {} } }),
      'what startMocks() gave',
    ],
    [
      'a suite that is none',
      () => api.run(undefined, { suites: [{} as never] }),
      'the `id` of a suite is lower-case words',
    ],
  ])('%s', async (_, call, says) => {
    await expect(call()).rejects.toThrow(says)
    await expect(call()).rejects.toBeInstanceOf(api.WrongUsage)
  })

  test('a run that is stopped reports what was judged until then', async () => {
    const stop = new AbortController()
    const results: string[] = []
    const report = await api.run(undefined, {
      only: ['tools'],
      signal: stop.signal,
      reporters: [{ result: r => void (results.push(r.check.id) === 3 && stop.abort()) }],
    })
    expect(report.interrupted).toBe(true)
    expect(api.exitCode(report)).toBe(130)
    expect(report.results.map(r => r.check.id)).toEqual(expect.arrayContaining(results))
  })

  test('each format is one of the command line, and another is refused', async () => {
    const report = await api.run(undefined, { only: ['tools/meta-kept'] })
    expect(JSON.parse(await api.format(report, 'json')).summary).toMatchObject({ pass: 1 })
    await expect(api.format(report, 'jason' as never)).rejects.toThrow('Did you mean json?')
  })
})
