import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openRepository, type Ran, type Repository, ran } from './ci-rig.ts'
import { freePort } from './cli-gateways.ts'

/** The composite action, its steps run as the hosted service runs them: what is in `${{ }}` is filled in, then bash gets the script. */

interface Step {
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const action: Action = parse(readFileSync('ci/action.yml', 'utf8'))
const steps = action.runs.steps

const scratch = mkdtempSync(join(tmpdir(), 'mcpc-action-'))
const opened: Repository[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

async function repository(mutant?: string, name?: string): Promise<Repository> {
  const one = await openRepository(mutant, name)
  opened.push(one)
  return one
}

interface Used extends Ran {
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
}

let runs = 0

/** Uses the action with these inputs, as a workflow would. */
async function use(folder: string, inputs: Readonly<Record<string, string>>): Promise<Used> {
  const place = join(scratch, String(runs++))
  mkdirSync(place)
  const [outputFile, summaryFile] = [join(place, 'output'), join(place, 'summary')]
  for (const file of [outputFile, summaryFile]) writeFileSync(file, '')
  const fill = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
    )
  const judge = steps.find(s => s.id === 'judge')!
  const env = Object.fromEntries(Object.entries(judge.env ?? {}).map(([name, value]) => [name, fill(value)]))
  const ended = await ran('bash', ['-e', '-o', 'pipefail', '-c', judge.run!], folder, {
    ...env,
    GITHUB_ACTION_PATH: resolve('ci'),
    GITHUB_OUTPUT: outputFile,
    GITHUB_STEP_SUMMARY: summaryFile,
  })
  return { ...ended, outputs: outputsIn(readFileSync(outputFile, 'utf8')), summary: readFileSync(summaryFile, 'utf8') }
}

/** Reads the file of outputs by the rules of the service: `name<<MARK`, lines, MARK. Throws for anything else. */
function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n').slice(0, -1)
  while (lines.length) {
    const [, name, mark] = /^([\w-]+)<<(\S+)$/.exec(lines.shift()!)!
    const end = lines.indexOf(mark!)
    outputs[name!] = lines.splice(0, end).join('\n')
    lines.shift()
  }
  return outputs
}

describe('action.yml', () => {
  test('no input and no output is ever part of a script, and each input reaches the step', () => {
    expect(action.runs.using).toBe('composite')
    for (const { run } of steps) expect(run ?? '').not.toContain('${{')
    const used = steps.flatMap(s => Object.values({ ...s.env, ...s.with })).join('\n')
    expect(Object.keys(action.inputs).filter(name => !used.includes(`\${{ inputs.${name} }}`))).toEqual([])
  })

  test('each output is one that the step tells', async () => {
    const { outputs } = await use((await repository()).folder, { target: 'gateway.yaml', only: 'prompts/title-kept' })
    for (const { value } of Object.values(action.outputs))
      expect(Object.keys(outputs)).toContain(/^\$\{\{ steps\.judge\.outputs\.([\w-]+) \}\}$/.exec(value)![1])
  })

  test('the reports are kept whatever came, by an action of a fixed version', () => {
    const upload = steps.find(s => s.uses)!
    expect(upload.uses).toMatch(/^actions\/upload-artifact@v\d+$/)
    expect(upload.if).toMatch(/^always\(\)/)
    expect(upload.with!['path']).toBe(`\${{ steps.judge.outputs.reports-path }}`)
  })
})

describe('a workflow that uses it', () => {
  test('on a good gateway: green, with reports, outputs and a summary', async () => {
    const { folder } = await repository()
    const { code, output, outputs, summary } = await use(folder, {
      target: 'gateway.yaml',
      only: 'prompts/*-kept\nenvelope/id-string\n',
      skip: 'prompts/icons-kept',
    })
    expect(code).toBe(0)
    expect(output).toContain('The gateway conforms in what was chosen.')
    expect(outputs).toMatchObject({ outcome: 'conforms', 'exit-code': '0', failed: '0', 'not-judged': '0' })
    expect(Number(outputs['passed'])).toBeGreaterThan(5)
    const report = JSON.parse(readFileSync(outputs['report-path']!, 'utf8'))
    expect(report.results.map((r: { id: string }) => r.id)).not.toContain('prompts/icons-kept')
    expect(readFileSync(outputs['junit-path']!, 'utf8')).toContain('<testsuite')
    expect(readdirSync(outputs['reports-path']!)).toEqual(['junit.xml', 'report.json'])
    expect(summary).toContain('**The gateway conforms.**')
    expect(output).not.toContain('::error')
  })

  test('on a broken one: a warning, or red with strict, with the failure in the summary and beside the code', async () => {
    const { folder } = await repository('drops-prompt-descriptions')
    const inputs = { target: 'gateway.yaml', only: 'prompts/*-kept' }
    const mild = await use(folder, inputs)
    expect(mild).toMatchObject({ code: 0, outputs: { outcome: 'conforms', failed: '1' } })
    expect(mild.output).toContain('\n::warning title=prompts/description-kept::')
    const strict = await use(folder, { ...inputs, strict: 'true' })
    expect(strict).toMatchObject({ code: 1, outputs: { outcome: 'does-not-conform', 'exit-code': '1', failed: '1' } })
    expect(strict.summary).toContain('| prompts/description-kept | SHOULD |')
    expect(strict.output).toContain(
      '\n::error title=prompts/description-kept::Does not hold: the gateway keeps the descr',
    )
    writeFileSync(join(folder, 'known.yaml'), '- { id: prompts/description-kept, reason: "fixed in 2.4" }')
    const known = await use(folder, { ...inputs, strict: 'true', baseline: 'known.yaml' })
    expect(known).toMatchObject({ code: 0, outputs: { outcome: 'conforms' } })
    expect(known.output).not.toContain('::warning')
  })

  test('where nobody listens: red, could not be judged, and the summary is there all the same', async () => {
    const { folder } = await repository()
    const mocks = { crm: await freePort() }
    writeFileSync(join(folder, 'nobody.yaml'), JSON.stringify({ name: 'nobody', url: 'http://127.0.0.1:9/mcp', mocks }))
    const { code, output, outputs, summary } = await use(folder, { target: 'nobody.yaml' })
    expect(code).toBe(3)
    expect(outputs).toMatchObject({ outcome: 'not-judged', 'exit-code': '3', passed: '', 'report-path': '' })
    expect(output).toContain('Nobody listens at http://127.0.0.1:9/mcp')
    expect(summary).toContain('**It could not be judged whether the gateway conforms.**')
  })

  test.each([
    ['no gateway named', {}, 'Neither url nor target is given'],
    ['strict that is neither', { target: 'gateway.yaml', strict: 'yes' }, 'strict must be true or false, not yes.'],
    ['a folder that is not there', { target: 'gateway.yaml', 'working-directory': 'nowhere' }, 'There is no folder'],
  ])('%s: red, wrong usage', async (_, inputs, says) => {
    const { code, output, outputs } = await use((await repository()).folder, inputs)
    expect({ code, outcome: outputs['outcome'] }).toEqual({ code: 2, outcome: 'wrong-usage' })
    expect(output).toContain(says)
  })

  const HOSTILE = [
    '$(touch pwned) `touch pwned` "; touch pwned; "',
    "'; touch pwned; '",
    'touch pwned',
    'outcome=conforms',
    '::set-output name=outcome::conforms',
    '--baseline=/dev/null',
    `\${{ github.token }}`,
  ].join('\n')
  test('hostile text in an input is a value and never a command', async () => {
    const { folder } = await repository()
    for (const name of Object.keys(action.inputs).filter(name => !['reports', 'artifact-name'].includes(name))) {
      const used = await use(folder, { target: 'gateway.yaml', only: 'prompts/title-kept', [name]: HOSTILE })
      expect(existsSync(join(folder, 'pwned'))).toBe(false)
      // A token that is none can't even be sent; all others name something that is not there.
      expect([name, used.outputs['outcome']]).not.toContain('conforms')
      expect(used.code).toBe(Number(used.outputs['exit-code']))
    }
  })

  test('hostile text of a gateway neither commands the workflow nor makes markup', async () => {
    const name = 'acme\n::error::pwned\n<img src=x> | **bold** [x](javascript:1)'
    const { folder } = await repository('drops-prompt-descriptions', name)
    const { output, summary } = await use(folder, { target: 'gateway.yaml', only: 'prompts/*-kept' })
    const [, mark] = /^::stop-commands::(\S+)$/m.exec(output)!
    const outside = output.split(`::stop-commands::${mark}\n`)[0]! + output.split(`\n::${mark}::\n`)[1]!
    expect(outside).not.toContain('pwned')
    expect(summary).not.toMatch(/<img|\*\*bold|\]\(javascript/)
  })
})

test('of many failures ten annotations are made, the last of which says how many more there are', async () => {
  const { annotations } = await import(resolve('ci/action/summary.mjs'))
  const results = Array.from({ length: 25 }, (_, i) => ({
    id: `suite/check-${i}`,
    title: 'is a gateway',
    verdict: 'fail',
    level: i < 2 ? 'MUST' : 'SHOULD',
    findings: [{ seen: '100 %\nand, more' }],
  }))
  const lines = annotations({ results }, 'does-not-conform', false)
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe(
    '::error title=suite/check-0::Does not hold: the gateway is a gateway. Seen: 100 %25%0Aand, more',
  )
  expect(lines[2]).toMatch(/^::warning /)
  expect(lines[9]).toBe('::notice title=mcp-conformance::16 more in the summary and the reports')
  expect(annotations(undefined, 'not-judged', false)).toEqual([
    '::error title=mcp-conformance::It could not be judged whether the gateway conforms.',
  ])
})
