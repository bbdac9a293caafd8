import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string): string => readFileSync(path, 'utf8')

const manifest: {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
} = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))

/** The source that tsc makes this file of dist from. */
function sourceOf(built: string): string {
  return built
    .replace(/^(\.\/)?dist\//, '')
    .replace(/\.d\.ts$/, '.ts')
    .replace(/js$/, 'ts')
}

test('the oldest Node is 20, in the package, for nvm, and in the first file that runs', () => {
  expect(manifest.engines).toEqual({ node: '>=20' })
  expect(read('.nvmrc').trim()).toBe('20')
  expect(manifest.devDependencies['@types/node']).toMatch(/^20\./)
  expect(read(sourceOf(manifest.bin['mcp-conformance']!))).toContain('needs Node 20 or newer')
})

test('one command, whose first file is CommonJS: a Node without ES modules must read it too', () => {
  expect(manifest.bin).toEqual({ 'mcp-conformance': 'dist/cli/bin.cjs' })
  expect(read('cli/bin.cts')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('each entry point is built from a source that is there', () => {
  const paths = Object.values(manifest.exports).flatMap(entry =>
    typeof entry === 'string' ? [entry] : [entry.types, entry.default],
  )
  expect(paths.map(sourceOf).filter(path => !existsSync(path))).toEqual([])
})

test('what is packed: the build, the documents, the licence', () => {
  // Types of what programs import, and of the kit, in whose words they speak, and every file costs at a cold npx.
  expect(manifest.files).toEqual([
    'dist/**/*.js',
    'dist/**/*.cjs',
    'dist/api/**/*.d.ts',
    'dist/kit/**/*.d.ts',
    'dist/reference-gateway/dashboard',
    'dist/report-page',
    'docs',
    'README.md',
    'README.ko.md',
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE.md',
    'SECURITY.md',
  ])
  expect(manifest.license).toBe('MIT')
  expect(read('LICENSE')).toContain('The mcp-conformance authors')
})

test('what runs before the commands that need a build', () => {
  for (const name of ['prestart', 'pretest', 'preproof', 'prebench:speed', 'prepack'])
    expect(manifest.scripts).toHaveProperty(name, 'node ci/ready.mjs')
  // A package that runs something when it is installed fails wherever scripts are switched off.
  expect(Object.keys(manifest.scripts).filter(name => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
})

test('the changelog is open for the next release, and every file that scripts name is there', () => {
  expect(read('CHANGELOG.md')).toContain('\n## [Unreleased]\n')
  const files = Object.values(manifest.scripts).flatMap(script => script.match(/\b(ci|bench)\/\S+/g) ?? [])
  expect(files.filter(path => !existsSync(path))).toEqual([])
})

describe('dependencies', () => {
  const all = { ...manifest.dependencies, ...manifest.devDependencies }
  const names = Object.keys(all)

  test.each(names)('%s is exact, locked as such, and has a sentence in CONTRIBUTING.md', name => {
    expect(all[name]).toMatch(/^\d+\.\d+\.\d+$/)
    expect(lock.packages[`node_modules/${name}`].version).toBe(all[name])
    const [, section = ''] = read('CONTRIBUTING.md').split('\n## Dependencies\n')
    expect(section.split('\n## ')[0]).toContain(`\`${name}\``)
  })

  test('package-lock.json says where nothing is fetched from, so that any registry will do', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"')
  })

  test('the lock names every package that another one asks for, or npm ci refuses it', () => {
    const packages: Readonly<Record<string, { readonly [kind: string]: Readonly<Record<string, string>> }>> =
      lock.packages
    const found = (path: string, name: string): boolean =>
      `${path}/node_modules/${name}`.replace(/^\//, '') in packages || (path !== '' && found(outer(path), name))
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter(name => !found(path, name))
        .map(name => `${path} asks for ${name}`),
    )
    expect(missing).toEqual([])
  })
})

/** `node_modules/a/node_modules/b` → `node_modules/a` → nothing. */
function outer(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))
}
