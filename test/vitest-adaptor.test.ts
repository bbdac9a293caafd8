import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readersFolder } from './doc-blocks.ts'

/** A project of its own, in which a gateway's makers have put one file of tests: vitest runs it as it would there. */

const folder = readersFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly code: number | null
  readonly output: string
  readonly tests: Readonly<Record<string, string>>
  readonly messages: Readonly<Record<string, string>>
}

/** Starts the reference gateway, or a mutant of it, as a gateway's own tests would start theirs. */
const GATEWAY = `
import { conformance } from 'mcp-conformance/vitest'
import { afterAll } from 'vitest'
import { startGateway } from './gateway.js'
const opened = []
afterAll(() => Promise.all(opened.map(gateway => gateway.stop())))
const start = mutant => async ({ urls }) => {
  const gateway = await startGateway(urls, mutant)
  opened.push(gateway)
  return gateway.url
}
`

async function vitestOn(name: string, text: string, ...args: readonly string[]): Promise<Run> {
  writeFileSync(join(folder, `${name}.test.js`), GATEWAY + text)
  const out = join(folder, `${name}.json`)
  const vitest = resolve('node_modules/vitest/vitest.mjs')
  const child = spawn(
    process.execPath,
    [vitest, 'run', `${name}.test.js`, '--reporter=verbose', '--reporter=json', `--outputFile=${out}`, ...args],
    { cwd: folder, env: { PATH: process.env['PATH'], NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const code = await new Promise<number | null>(done => child.on('close', done))
  const { default: report } = await import(out, { with: { type: 'json' } })
  const all: { fullName: string; status: string; failureMessages: string[] }[] = report.testResults[0].assertionResults
  return {
    code,
    output,
    tests: Object.fromEntries(all.map(t => [t.fullName, t.status])),
    messages: Object.fromEntries(all.map(t => [t.fullName, t.failureMessages.join('\n')])),
  }
}

const named = (run: Run, status: string) => Object.keys(run.tests).filter(name => run.tests[name] === status)

describe('conformance() in the tests of a gateway', () => {
  test('of the reference gateway: every check passes or is skipped', async () => {
    const run = await vitestOn('good', `conformance(start(), { only: ['prompts', 'envelope/id-*', 'aggregation/*'] })`)
    expect(named(run, 'failed')).toEqual([])
    expect(run.code).toBe(0)
    expect(run.tests['conformance prompts/description-kept']).toBe('passed')
    expect(run.tests['conformance aggregation/tool-names-valid']).toBe('skipped')
    expect(run.output).toContain('[the target does not have: aggregation]')
  })

  test('of a broken one: just the checks that catch it fail, with all that is known', async () => {
    const run = await vitestOn(
      'broken',
      `const target = start('drops-prompt-descriptions')
      const only = ['prompts/*-kept']
      conformance(target, { name: 'mild', only })
      conformance(target, { name: 'strict', only, strict: true })
      conformance(target, { name: 'known', only, strict: true, baseline: [
        { id: 'prompts/description-kept', reason: 'fixed in 2.4' },
        { id: 'prompts/title-kept', reason: 'fixed in 2.3' },
      ] })
      conformance(target, { name: 'named', only: ['prompts/description-kept', 'envelope/batch-answered'], strict: true,
        revisions: ['2025-03-26', '2025-06-18'] })`,
    )
    expect(named(run, 'failed')).toEqual([
      'strict prompts/description-kept',
      'known prompts/title-kept',
      'named prompts/description-kept (2025-03-26)',
      'named prompts/description-kept (2025-06-18)',
    ])
    expect(run.code).toBe(1)
    const message = run.messages['strict prompts/description-kept']
    expect(message).toContain('expected  the description of every prompt holds that of the server')
    expect(message).toContain('What both sides saw')
    expect(message).toContain(`Repeat  npx vitest run -t 'prompts/description-kept$'`)
    expect(run.messages['known prompts/title-kept']).toContain('passes by now: take it out of the baseline')
    // The two that do not count are told as annotations.
    expect(
      run.output.split('Does not hold: the gateway keeps the description of every prompt').length - 1,
    ).toBeGreaterThan(2)
    expect(run.output).toContain('known: fixed in 2.4')
  })

  test('a filter leaves checks out, and a gateway that nobody starts fails in one sentence', async () => {
    const text = `
      conformance(start('drops-prompt-descriptions'), { only: ['prompts'], strict: true })
      conformance(() => 'http://127.0.0.1:9/mcp', { name: 'nobody', only: ['prompts/title-kept'] })`
    const one = await vitestOn('filtered', text, '-t', 'prompts/title-kept$')
    expect(named(one, 'passed')).toEqual(['conformance prompts/title-kept'])
    expect(one.output).toContain('Nobody listens at http://127.0.0.1:9/mcp')
  })
})
