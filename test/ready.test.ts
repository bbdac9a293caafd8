import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// npm hands its own settings down to what it runs; those of `npm test` must not reach the npm in here.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

let root: string

/** Puts a file into the checkout under test. */
function write(path: string, text: string | object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof text === 'string' ? text : JSON.stringify(text))
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: readonly string[]
}

function run(file: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise(resolve => {
    const child = execFile(file, args, { cwd: root, env: { ...env, ...more } }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err: err.split('\n').filter(line => line !== '') }),
    )
  })
}

const ready = (...args: string[]): Promise<Ran> => run(process.execPath, [join(root, 'ci/ready.mjs'), ...args])

const installing = 'mcp-conformance: installing the dependencies (npm ci), which is needed once'
const building = 'mcp-conformance: building (tsc)'

/** A compiler that copies, finds fault with a certain word, and counts its runs. It spares us a real one's time. */
const compiler = `
const { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync } = require('node:fs')
const out = process.argv[process.argv.indexOf('--outDir') + 1]
appendFileSync('builds.log', 'built\\n')
mkdirSync(out + '/kit', { recursive: true })
for (const name of readdirSync('kit').filter(name => name.endsWith('.ts'))) {
  if (readFileSync('kit/' + name, 'utf8').includes('fault')) {
    console.log('kit/' + name + '(1,1): error TS1005')
    process.exit(2)
  }
  cpSync('kit/' + name, out + '/kit/' + name.replace(/ts$/, 'js'))
}`

const manifest = { name: 'tried', version: '1.0.0', devDependencies: { typescript: 'file:./tools/typescript' } }

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a checkout '))
  cpSync('ci/ready.mjs', join(root, 'ci/ready.mjs'))
  cpSync('ci/setup', join(root, 'ci/setup'), { recursive: true })
  write('package.json', {
    ...manifest,
    scripts: { prestart: 'node ci/ready.mjs', start: 'node -p "JSON.stringify({ args: process.argv.slice(1) })" --' },
  })
  write('package-lock.json', {
    ...manifest,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': manifest,
      'node_modules/typescript': { resolved: 'tools/typescript', link: true },
      'tools/typescript': { name: 'typescript', version: '1.0.0', dev: true },
    },
  })
  write('tools/typescript/package.json', { name: 'typescript', version: '1.0.0' })
  write('tools/typescript/bin/tsc', compiler)
  write('tsconfig.build.json', { include: ['kit', 'cli'] })
  write('kit/a.ts', 'export const a = 1\n')
  write('kit/b.ts', 'export const b = 2\n')
  write('kit/target.schema.json', '{}')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('installs and builds a fresh checkout, then has nothing to say', async () => {
  expect(await ready()).toEqual({ code: 0, out: '', err: [installing, building] })
  expect(readdirSync(join(root, 'dist/kit')).sort()).toEqual(['a.js', 'b.js', 'target.schema.json'])
  expect(existsSync(join(root, '.ready'))).toBe(false)
  expect(await ready()).toEqual({ code: 0, out: '', err: [] })
})

test('leaves stdout to the program, whatever the caller tells npm', async () => {
  const ran = await run('npm', ['start', '--silent', '--', '--reporter', 'json'], { NODE_ENV: 'production' })
  expect(JSON.parse(ran.out)).toEqual({ args: ['--reporter', 'json'] })
  expect(ran).toMatchObject({ code: 0, err: [installing, building] })
})

test('two at once install once and build once', async () => {
  const both = await Promise.all([ready(), ready()])
  expect(both.map(ran => ran.code)).toEqual([0, 0])
  const said = both.flatMap(ran => ran.err).filter(line => !line.includes('waiting for process'))
  expect(said).toEqual([installing, building])
  expect(read('builds.log')).toBe('built\n')
})

test('takes over from one that was killed, and clears its half build away', async () => {
  const dead = spawnSync(process.execPath, ['-e', '0']).pid
  write('.ready/held/owner', `${dead}-abcdefgh`)
  write('.ready/held/fresh/kit/half.js', '')
  expect(await ready()).toMatchObject({ code: 0, err: [installing, building] })
  expect(existsSync(join(root, 'dist/kit/half.js'))).toBe(false)
  expect(readdirSync(join(root, '.ready'), { recursive: true })).not.toContain('half.js')
})

describe('in a checkout that is ready', () => {
  beforeEach(async () => {
    await ready()
    writeFileSync(join(root, 'builds.log'), '')
  })

  test('builds again when a source changes, and not when only its date does', async () => {
    utimesSync(join(root, 'kit/a.ts'), new Date(), new Date())
    expect((await ready()).err).toEqual([])
    write('kit/a.ts', 'export const a = 3\n')
    expect((await ready()).err).toEqual([building])
    expect(read('dist/kit/a.js')).toContain('a = 3')
  })

  test('what was built of a source that is gone goes too', async () => {
    rmSync(join(root, 'kit/b.ts'))
    rmSync(join(root, 'kit/target.schema.json'))
    expect((await ready()).err).toEqual([building])
    expect(readdirSync(join(root, 'dist/kit'))).toEqual(['a.js'])
  })

  test('keeps the last good build when a source has a fault, and says what tsc said', async () => {
    write('kit/a.ts', 'fault')
    const ran = await ready()
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toEqual([
      building,
      'kit/a.ts(1,1): error TS1005',
      expect.stringMatching(
        /^mcp-conformance: the sources could not be built with tsc: .* exit code 2\..* run this again\.$/,
      ),
    ])
    expect(read('dist/kit/a.js')).toContain('a = 1')
    expect(existsSync(join(root, '.ready'))).toBe(false)
  })

  test('installs again when package-lock.json asks for something else', async () => {
    const lock = JSON.parse(read('package-lock.json'))
    lock.packages['tools/typescript'].version = '1.0.1'
    write('package-lock.json', lock)
    write('tools/typescript/package.json', { name: 'typescript', version: '1.0.1' })
    expect((await ready()).err).toEqual([installing])
  })

  test('is content with what someone installed by hand', async () => {
    rmSync(join(root, 'node_modules/.ready'))
    expect((await ready()).err).toEqual([])
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect((await ready()).err).toEqual([installing])
  })

  test('says what npm said when it fails', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    write('package-lock.json', '<<<<<<< not merged')
    const { code, err } = await ready()
    expect(code).toBe(1)
    expect(err.join('\n')).toMatch(/^npm error /m)
    expect(err.at(-1)).toMatch(/^mcp-conformance: the dependencies could not be installed with `npm ci`: .*\.$/)
  })

  test('builds in any case when asked to', async () => {
    expect((await ready('build')).err).toEqual([building])
  })
})

test.each(['18.20.4', '20.18.3'])('tells Node %s in one sentence that it is too old', async old => {
  const older = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${old}" } })`
  expect(await run(process.execPath, ['--import', older, join(root, 'ci/ready.mjs')])).toEqual({
    code: 1,
    out: '',
    err: [`mcp-conformance needs Node 20.19 or newer here, and this is Node ${old}: install a newer one.`],
  })
})
