// Packs the package and uses the tarball as a stranger does: in an empty folder, with an npm that has cached nothing.
// A line for each thing that holds; exit code 1, with what was seen, at the first that does not.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { $ } from 'zx'

const FEWEST_CHECKS = 90
const MUST_HOLD = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/cli/bin.cjs',
  'dist/api/index.d.ts',
  'dist/api/vitest.d.ts',
  'dist/kit/checks.d.ts',
  'dist/reference-gateway/dashboard/index.html',
]
const MAY_HOLD = [
  /^(package\.json|LICENSE|[A-Z]+(\.ko)?\.md)$/,
  /^docs\/.+\.(md|json|svg|png)$/,
  /^dist\/.+\.(js|cjs|d\.c?ts|json|html|css|svg)$/,
]

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// With a space in it, as many people's folders have.
const temp = mkdtempSync(join(tmpdir(), 'smoke test '))
// npm hands its own settings down to what it runs; a stranger has none of them.
const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name))
const env = { ...Object.fromEntries(inherited), npm_config_cache: join(temp, 'cache'), NO_COLOR: '1' }
const inFolder = cwd => $({ cwd, env, quiet: true, timeout: '60s', stdio: ['ignore', 'pipe', 'pipe'] })

function folder(name) {
  // npm looks upwards for a package to work in, and stops at a node_modules: else one that lies about in the folder
  // for temporary files would be taken for ours.
  mkdirSync(join(temp, name, 'node_modules'), { recursive: true })
  return join(temp, name)
}

async function step(says, work) {
  const start = performance.now()
  const more = await work()
  const took = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`ok   ${says}${more ? `: ${more}` : ''} (${took} s)`)
}

/** Runs the kit against its own gateway, and asks the report for a full pass. */
async function judges(command) {
  const { stdout, exitCode } = await command.nothrow()
  const { summary, results } = JSON.parse(stdout)
  // Where two books contradict each other, one of two checks must fail.
  const wrong = results.filter(r => (r.verdict === 'fail' && !r.contradictedBy) || r.verdict === 'error')
  assert.deepEqual(
    wrong.map(({ id, verdict }) => `${verdict} ${id}`),
    [],
  )
  assert.equal(exitCode, 0)
  assert.equal(summary.fail, 0)
  assert.ok(summary.pass >= FEWEST_CHECKS, `${summary.pass} checks passed, and at least ${FEWEST_CHECKS} should`)
  return `${summary.pass} checks passed, ${summary.skip} skipped`
}

async function main() {
  const empty = folder('empty')
  const tarball = `mcp-conformance-${version}.tgz`

  await step('npm packs just what belongs in the package', async () => {
    const { stdout } = await inFolder(root)`npm pack --json --silent --pack-destination ${empty}`
    const listing = JSON.parse(stdout)
    // Newer versions of npm name the package first.
    const { files, size, unpackedSize } = Array.isArray(listing) ? listing[0] : listing['mcp-conformance']
    const paths = files.map(({ path }) => path)
    assert.deepEqual(
      MUST_HOLD.filter(path => !paths.includes(path)),
      [],
      'these are missing in the tarball',
    )
    assert.ok(
      paths.some(path => path.startsWith('docs/')),
      'docs/ is missing in the tarball',
    )
    const strange = paths.filter(path => !MAY_HOLD.some(pattern => pattern.test(path)))
    assert.deepEqual(strange, [], 'these do not belong in the tarball')
    assert.deepEqual(readdirSync(empty), [tarball, 'node_modules'])
    const kb = bytes => `${Math.round(bytes / 1024)} KB`
    return `${files.length} files, ${kb(size)}, ${kb(unpackedSize)} unpacked`
  })

  const npx = inFolder(empty)
  await step('npx runs the tarball in an empty folder', async () => {
    const { stdout } = await npx`npx -y ./${tarball} --version`
    assert.match(stdout, new RegExp(`^(mcp-conformance )?${version}\n$`))
    return stdout.trim()
  })
  await step('--help says how it is used', async () => {
    const { stdout, stderr } = await npx`npx -y ./${tarball} --help`
    assert.match(stdout, /^Usage: mcp-conformance /m)
    assert.equal(stderr, '')
  })
  await step('list --json names the checks', async () => {
    const { stdout } = await npx`npx -y ./${tarball} list --json`
    const checks = JSON.parse(stdout)
    assert.ok(checks.length >= FEWEST_CHECKS, `it lists ${checks.length} checks`)
    const { stdout: explained } = await npx`npx -y ./${tarball} explain ${checks[0].id}`
    assert.ok(explained.includes(checks[0].title), explained)
    return `${checks.length} checks`
  })
  await step('run judges the embedded gateway', () => judges(npx`npx -y ./${tarball} run --reporter json`))

  const project = folder('project')
  const inProject = inFolder(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await step('npm installs it with scripts switched off', async () => {
    await inProject`npm install --ignore-scripts --no-audit --no-fund ../empty/${tarball}`
    const installed = readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'))
    return `${installed.length} packages`
  })
  await step('run judges the embedded gateway from there too', () =>
    judges(inProject`npx --no-install mcp-conformance run --reporter json`),
  )
  await step('every module of it loads', async () => {
    const dist = join(project, 'node_modules/mcp-conformance/dist')
    // What stands under dashboard/ and report-page/ is for browsers, and what belongs to vitest wants one, which is not installed here.
    const modules = readdirSync(dist, { recursive: true }).filter(path =>
      /^(?!.*dashboard.assets|api.vitest|.*report-page).*\.js$/.test(path),
    )
    const urls = JSON.stringify(modules.map(path => pathToFileURL(join(dist, path)).href))
    // Some are the first module of a process of their own, and would go on.
    const loads = `await Promise.all(${urls}.map(url => import(url))); process.exit()`
    await inProject`node --input-type=module -e ${loads}`
    return `${modules.length} modules`
  })
  await step('a program imports it, with types', async () => {
    const program = [
      `import * as kit from 'mcp-conformance'`,
      `import * as words from 'mcp-conformance/checks'`,
      `const names: string[] = Object.keys({ ...kit, ...words })`,
      `const judged: Promise<kit.Report> = kit.run(undefined, { only: ['prompts/title-kept'] })`,
      `export default [...names, ...(await judged).results.map(r => r.verdict)]`,
    ].join('\n')
    writeFileSync(join(project, 'program.ts'), program)
    const compilerOptions = {
      module: 'nodenext',
      strict: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await inProject`node ${join(root, 'node_modules/typescript/bin/tsc')} --pretty false`
    const { stdout } =
      await inProject`node -p ${`import('./program.js').then(({ default: names }) => console.log(names.join())), ''`}`
    assert.match(stdout, /\bstartMocks\b.*\bunchanged\b.*,pass$/m)
    return `${stdout.split(',').length - 1} names`
  })
  await step('its tests for vitest want a vitest, and nothing else does', async () => {
    const { stderr, exitCode } = await inProject`node -e ${`import('mcp-conformance/vitest')`}`.nothrow()
    assert.notEqual(exitCode, 0)
    assert.match(stderr, /Cannot find package 'vitest'/)
  })
}

try {
  await main()
} catch (error) {
  // Of a command, zx tells its exit code and both its outputs.
  console.error(`FAIL ${error.message}`)
  if (error.stdout) console.error(String(error.stdout).slice(-2000))
  process.exitCode = 1
} finally {
  rmSync(temp, { recursive: true, force: true })
}
