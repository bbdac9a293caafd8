import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validSuite } from '../cli/own/validate.ts'
import * as words from '../kit/checks.ts'
import type { Check } from '../kit/types.ts'
import { suites } from '../suites/index.ts'
import { cli } from './cli-process.ts'
import { sampleCheck } from './cli-samples.ts'
import { blocksOf, readersFolder } from './doc-blocks.ts'

const page = 'docs/own-checks.md'
const folder = readersFolder()
beforeAll(() => {
  writeFileSync(join(folder, 'our-rules.js'), blocksOf(page, 'js')[0]!)
  // The page says that nothing has to be installed.
  rmSync(join(folder, 'node_modules/mcp-conformance'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The command lines of the page, one after the other. */
const lines = blocksOf(page, 'sh').flatMap(block => block.trim().split('\n'))
const typed = (line: string) => cli(line.replace('npx mcp-conformance ', '').split(' '), { cwd: folder })

describe('the example of docs/own-checks.md', () => {
  test('is listed, explained, passed by the reference gateway, and fails a broken one', async () => {
    expect(lines).toHaveLength(4)
    const [list, explain, run, broken] = await Promise.all(lines.map(typed))
    expect(list!.stdout).toContain('our-rules  Rules of our house')
    expect(explain!.stdout).toContain('traceparent reaches the server as the client sent it')
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') })
    expect(broken!.code).toBe(1)
    // What the page shows is what is seen.
    const shown = readFileSync(page, 'utf8')
      .split('```\n')
      .find(block => block.startsWith('  ✗ our-rules'))!
    expect(broken!.stdout).toContain(shown.trimEnd())
    expect(broken!.stdout).toContain('--suite ./our-rules.js --only our-rules/trace-kept')
  })

  test('the page names every word that there is', () => {
    const text = readFileSync(page, 'utf8')
    expect(Object.keys(words).filter(word => !new RegExp(`\\b${word}\\b`).test(text))).toEqual([])
  })
})

describe('what comes of checks that are none', () => {
  const good = sampleCheck('ours/one', { pack: 'policy' })
  const read =
    (check: object, id = 'ours') =>
    () =>
      validSuite({ id, title: 'Ours', checks: [check] }, './ours.js', suites)
  const without = (key: keyof Check) => ({ ...good, [key]: undefined })

  test.each<[string, () => unknown, string]>([
    ['a suite that is no object', () => validSuite(7, './ours.js', suites), 'a suite is an object'],
    ['an id of the kit', read(good, 'tools'), './ours.js: there is a suite tools already: give yours another `id`.'],
    ['an id with capitals', read(good, 'Ours'), 'lower-case words with dashes, such as our-limits, not "Ours"'],
    ['no checks', () => validSuite({ id: 'ours', title: 'Ours', checks: [] }, './ours.js', suites), 'has no `checks`'],
    ['a check of another suite', read({ ...good, id: 'tools/one' }), 'such as ours/what-holds, not "tools/one"'],
    [
      'a check twice',
      () => validSuite({ id: 'ours', title: 'Ours', checks: [good, good] }, 'x', suites),
      'ours/one is there twice',
    ],
    ['no level', read(without('level')), "can't have the `level` nothing: it is one of MUST, SHOULD, MAY"],
    ['no pack', read(without('pack')), 'it is one of mcp, syncseries, policy'],
    ['no why', read(without('why')), 'the check ours/one has no `why`: say what goes wrong where it does not hold.'],
    ['no spec', read(without('spec')), 'has no `spec`'],
    ['no title', read(without('title')), 'has no `title`'],
    ['no steps', read({ ...good, steps: [] }), 'a check that sends nothing sees nothing'],
    ['no claims', read({ ...good, claims: [] }), 'a check that claims nothing can never fail'],
    ['a claim that can refute nothing', read({ ...good, claims: [{ says: 'so it is' }] }), 'number 1 of `claims`'],
    ['an unknown feature', read({ ...good, needs: ['session'] }), 'Did you mean sessions?'],
    ['an unknown revision', read({ ...good, since: '2025-11-24' }), 'the `since` "2025-11-24"'],
    [
      'an opposite that is not there',
      read({ ...good, contradicts: ['tools/icon-kept'] }),
      'Did you mean tools/icons-kept?',
    ],
    ['an unknown key', read({ ...good, step: [] }), 'a check has no key `step`. Did you mean steps?'],
  ])('%s is refused', (_, validate, says) => expect(validate).toThrow(says))

  test('a file that can not be loaded, and one without a suite, are told in one sentence', async () => {
    writeFileSync(join(folder, 'lost.js'), 'import "no-such-package"')
    writeFileSync(join(folder, 'empty.js'), 'export const nothing = 1')
    const [lost, empty, none] = await Promise.all(
      ['lost.js', 'empty.js', 'none.js'].map(file => cli(['--suite', file], { cwd: folder })),
    )
    expect(lost!.stderr).toMatch(
      /^mcp-conformance: --suite lost.js can't be loaded: Cannot find package 'no-such-package'/,
    )
    expect(empty!.stderr).toContain('--suite empty.js exports no suite: write `export default suite({ … })`.')
    expect(none!.stderr).toContain("--suite none.js can't be read: there is no such file.")
    expect([lost, empty, none].map(ended => [ended!.code, ended!.stdout])).toEqual(Array(3).fill([2, '']))
  })

  test('a pass without an exchange, a step that throws, a claim that gives a promise: none of them is judged', async () => {
    const text = `
      const common = { title: 't', pack: 'policy', level: 'MUST', spec: 'x', why: 'w' }
      const silent = { says: 'does nothing', run: async () => {} }
      const holds = { about: 'client', says: 'all is well', refute: () => undefined }
      import { call } from 'mcp-conformance/checks'
      export const suite = { id: 'ours', title: 'Ours', checks: [
        { ...common, id: 'ours/silent', steps: [silent], claims: [holds] },
        { ...common, id: 'ours/throws', steps: [{ says: 'goes wrong', run: () => { throw new Error('oops') } }], claims: [holds] },
        { ...common, id: 'ours/promises', steps: [call('echo')], claims: [{ ...holds, refute: async () => undefined }] },
      ] }`
    writeFileSync(join(folder, 'ours.js'), text)
    const { code, stdout } = await cli(['--suite', 'ours.js', '--only', 'ours', '--reporter', 'json'], { cwd: folder })
    expect(code).toBe(3)
    const results: { id: string; verdict: string; reason: string }[] = JSON.parse(stdout).results
    expect(results.map(r => `${r.verdict}: ${r.reason}`)).toEqual([
      'error: nothing was seen',
      expect.stringMatching(/^error: the step "goes wrong" of ours.js failed: oops, at .*ours\.js:/),
      expect.stringMatching(/^error: the claim "all is well" of ours.js answers with a promise: it must be undefined/),
    ])
  })
})
