import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { parse } from 'yaml'
import { openRepository, type Repository, ran } from './ci-rig.ts'
import { freePort } from './cli-gateways.ts'

/** The examples for CI systems: their scripts run in a gateway's repository, as those systems would run them. */

// Several whole runs at once.
vi.setConfig({ testTimeout: 90_000 })

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const read = (path: string) => readFileSync(path, 'utf8')

/** A repository of one test alone: most of these wait for others, and do so side by side. */
async function repository({ onTestFinished }: TestContext, mutant?: string): Promise<Repository> {
  const one = await openRepository(mutant)
  onTestFinished(() => one.close())
  return one
}

const reports = (folder: string) => ({
  junit: read(join(folder, 'mcp-conformance/junit.xml')),
  json: JSON.parse(read(join(folder, 'mcp-conformance/report.json'))),
})

describe.concurrent('GitLab', () => {
  const job = parse(read('ci/gitlab.yml'))['.mcp-conformance']
  const script: string = job.script.join('\n')

  test('the script judges, writes where the job looks for reports, and takes a baseline', async context => {
    const { folder } = await repository(context, 'drops-prompt-descriptions')
    const strict = { ...job.variables, MCPC_STRICT: 'true' }
    expect((await ran('sh', ['-e', '-c', script], folder, strict)).code).toBe(1)
    expect(job.artifacts).toMatchObject({ when: 'always', reports: { junit: 'mcp-conformance/junit.xml' } })
    expect(reports(folder).junit).toContain('prompts/description-kept')
    expect(reports(folder).json.summary.fail).toBe(1)
    writeFileSync(join(folder, 'known.yaml'), '- { id: prompts/description-kept, reason: "fixed in 2.4" }')
    const known = await ran('sh', ['-e', '-c', script], folder, { ...strict, MCPC_BASELINE: 'known.yaml' })
    expect(known).toMatchObject({ code: 0, output: expect.stringContaining('known: prompts/description-kept') })
  })

  test('hostile text in a variable is a value and never a command', async context => {
    const { folder } = await repository(context)
    for (const name of ['MCPC_TARGET', 'MCPC_BASELINE', 'MCPC_VERSION', 'MCPC_STRICT']) {
      const text = `$(touch pwned) \`touch pwned\` "; touch pwned; ' --strict *`
      await ran('sh', ['-e', '-c', script], folder, { ...job.variables, MCPC_TARGET: 'no.yaml', [name]: text })
      expect(existsSync(join(folder, 'pwned'))).toBe(false)
    }
  })
})

test.concurrent('Jenkins: the script of the stage judges, and Groovy puts nothing into it', async context => {
  const text = read('ci/examples/Jenkinsfile')
  expect(text).not.toContain('"""')
  const [, script] = /sh '''\n(.*?)'''/s.exec(text)!
  const settings = Object.fromEntries(
    [...text.matchAll(/^ {4}(MCPC_\w+) = '(.*)'$/gm)].map(([, name, value]) => [name!, value!]),
  )
  const { folder } = await repository(context)
  const { code, output } = await ran('sh', ['-xe', '-c', script!], folder, settings)
  expect({ code, last: output.includes('The gateway conforms') }).toEqual({ code: 0, last: true })
  for (const path of ['junit.xml', 'report.json']) expect(text).toContain(`mcp-conformance/${path}`)
  expect(reports(folder).json.summary.fail).toBe(0)
  // Braces and brackets that do not close are what goes wrong most often in such a file.
  const depth = [...text.replace(/'''.*?'''|'[^'\n]*'|\/\/.*/gs, '')].reduce(
    (n, c) => n + ('{(['.includes(c) ? 1 : '})]'.includes(c) ? -1 : 0),
    0,
  )
  expect(depth).toBe(0)
})

describe.concurrent('plain shell', () => {
  const script = resolve('ci/examples/judge.sh')

  test('starts the gateway, waits for it, judges it, and stops it', async context => {
    const { folder } = await repository(context)
    const [port, crm, db, syncboot, record] = await Promise.all(Array.from({ length: 5 }, freePort))
    const target = {
      name: 'embedded',
      url: `http://127.0.0.1:${port}/crm/mcp`,
      routing: { style: 'single', server: 'crm' },
      mocks: { crm },
      record: `127.0.0.1:${record}`,
    }
    writeFileSync(join(folder, 'own.yaml'), JSON.stringify(target))
    const gateway = ['node', resolve('dist/cli/bin.cjs'), 'gateway', '--port', `${port}`, '--record', target.record]
    const mocks = ['--mock-port', `crm=${crm},db=${db},syncboot=${syncboot}`]
    const { code, output } = await ran(script, ['own.yaml', ...gateway, ...mocks], folder)
    expect({ code, conforms: output.includes('The gateway conforms.') }).toEqual({ code: 0, conforms: true })
    expect(reports(folder).json.target.name).toBe('embedded')
    await expect(fetch(target.url)).rejects.toThrow()
  })

  test('a gateway that ends at once is told by the run, and wrong usage by the script', async context => {
    const { folder } = await repository(context)
    const target = { name: 'gone', url: 'http://127.0.0.1:9/mcp', mocks: { crm: await freePort() } }
    writeFileSync(join(folder, 'gone.yaml'), JSON.stringify(target))
    const gone = await ran(script, ['gone.yaml', 'false'], folder)
    expect(gone).toMatchObject({ code: 3, output: expect.stringContaining('Nobody listens at http://127.0.0.1:9/mcp') })
    expect((await ran(script, ['gone.yaml'], folder)).code).toBe(2)
  })
})

test.concurrent('pre-commit: the hook judges the running gateway', async context => {
  const [{ hooks }] = parse(read('ci/examples/pre-commit-config.yaml')).repos
  const [hook] = hooks
  expect(hook).toMatchObject({ language: 'system', pass_filenames: false, stages: ['pre-push'] })
  const [command, ...args] = hook.entry.split(' ')
  const good = await ran(command, args, (await repository(context)).folder)
  expect(good).toMatchObject({ code: 0, output: expect.stringContaining('The gateway conforms in what was chosen.') })
})

test('a workflow with the action gives it inputs and reads outputs that it has, and puts nothing into a script', () => {
  const action = parse(read('ci/action.yml'))
  const text = read('ci/examples/github.yml')
  const { steps } = parse(text).jobs.conformance
  const step = steps.find((s: { uses?: string }) => s.uses?.includes('/mcp-conformance/ci@'))
  expect(Object.keys(step.with).filter(name => !(name in action.inputs))).toEqual([])
  const outputs = [...text.matchAll(/steps\.conformance\.outputs\.([\w-]+)/g)].map(([, name]) => name!)
  expect(outputs.filter(name => !(name in action.outputs))).toEqual([])
  for (const { run = '' } of steps) expect(run).not.toContain('${' + '{')
})

test('the guide names each input, each output and each file', () => {
  const guide = read('docs/ci.md')
  const { inputs, outputs } = parse(read('ci/action.yml'))
  const names = [...Object.keys(inputs), ...Object.keys(outputs)]
  expect(names.filter(name => !guide.includes(`\`${name}\``))).toEqual([])
  const files = [
    'ci/action.yml',
    'ci/gitlab.yml',
    'ci/Dockerfile',
    ...readdirSync('ci/examples').map(f => `ci/examples/${f}`),
  ]
  expect(files.filter(file => !guide.includes(`](../${file})`))).toEqual([])
})

test('every example names the version of this package', () => {
  for (const path of ['ci/gitlab.yml', 'ci/examples/Jenkinsfile', 'ci/examples/github.yml', 'docs/ci.md']) {
    const named = [...read(path).matchAll(/(?:\/ci@v|ref: v|VERSION: |VERSION = '|mcp-conformance@)([\d.]+)/g)].map(
      ([, found]) => found,
    )
    expect([path, ...new Set(named)]).toEqual([path, version])
  }
})

test('the shell scripts are right by shellcheck, where it is installed', context => {
  try {
    execFileSync('shellcheck', ['--version'])
  } catch {
    context.skip('shellcheck is not installed')
  }
  execFileSync('shellcheck', ['ci/examples/judge.sh', '.ci/run'])
})
