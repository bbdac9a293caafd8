import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { describe, expect, test } from 'vitest'
import { circlesIn, folderOf, type Module, parseModule, readModules } from './modules.ts'

/** Who may import whom, types too. What is not listed is forbidden; a folder may always import from itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  suites: ['kit'],
  'mock-servers': ['kit'],
  // The judge and the judged share no code, or one wrong parser would agree with itself.
  'reference-gateway': [],
  // A page for browsers. It is bundled: no module of Node's is in it, and the packages in it are needed to build it only.
  dashboard: [],
  'report-page': [],
  gateways: ['kit'],
  cli: ['kit', 'suites', 'mock-servers', 'reference-gateway', 'gateways', 'bench'],
  bench: ['kit', 'mock-servers', 'reference-gateway', 'dist'],
  // What programs and test runners call: the command line without its arguments.
  api: ['kit', 'suites', 'cli'],
  // It takes the package as built, as a user has it.
  ci: ['dist'],
  test: ['api', 'kit', 'suites', 'mock-servers', 'reference-gateway', 'gateways', 'cli', 'bench', 'ci', 'report-page'],
}

const MAY_PRINT = ['cli', 'bench', 'ci']

const MOST_LINES = 250

/** Files that are longer, and why that is better than two files. */
const LONGER: Readonly<Record<string, string>> = {
  'cli/usage.ts': 'every command and flag in one place; data only, nothing runs',
  'kit/types.ts': 'all words of the kit in one place; types only, nothing runs',
  'test/reference-gateway-harm.test.ts': 'one short test for each way to harm, all on one backend',
  'test/report-page.test.ts': 'one browser for all that the page does',
}

const manifest: {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
} = JSON.parse(readFileSync('package.json', 'utf8'))
const shipped: readonly string[] = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')).include

const modules = readModules()
// Scripts beside them are for the repository only: the compiler leaves them out.
const shippedModules = modules.filter(({ path, folder }) => shipped.includes(folder) && !path.endsWith('.mjs'))

/** `@scope/name/deep` → `@scope/name`; undefined for what is no package. */
function packageOf({ to, relative }: Module['imports'][number]): string | undefined {
  if (relative || isBuiltin(to)) return undefined
  return /^(@[^/]+\/)?[^/]+/.exec(to)?.[0]
}

test('every folder with code in it stands in the table', () => {
  expect([...new Set(modules.map(({ folder }) => folder))].filter(folder => !MAY_IMPORT[folder])).toEqual([])
})

test('who may import whom', () => {
  const forbidden = modules.flatMap(({ path, folder, imports }) =>
    imports
      .filter(({ to, relative }) => relative && ![folder, ...(MAY_IMPORT[folder] ?? [])].includes(folderOf(to)))
      .map(({ to }) => `${path} imports ${to}`),
  )
  expect(forbidden).toEqual([])
})

test('what is shipped imports nothing that is not', () => {
  const left = shippedModules.flatMap(({ path, imports }) =>
    imports
      .filter(({ to, relative }) => relative && !shipped.includes(folderOf(to)))
      .map(({ to }) => `${path} imports ${to}`),
  )
  expect(left).toEqual([])
})

test('no module imports itself when it is loaded, by whatever way round', () => {
  expect(circlesIn(modules)).toEqual([])
})

describe('packages', () => {
  const used = (from: readonly Module[]): Set<string> =>
    new Set(from.flatMap(({ imports }) => imports.flatMap(one => packageOf(one) ?? [])))

  test('what is shipped needs the runtime dependencies, and those of the user: those, and all of those', () => {
    const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    expect([...used(shippedModules)].sort()).toEqual(named.sort())
  })

  test('a package of the user is loaded by the entry that is for it alone', () => {
    const byOthers = modules.filter(
      ({ path }) => shippedModules.some(m => m.path === path) && !path.startsWith('api/vitest'),
    )
    const peers = Object.keys(manifest.peerDependencies)
    expect([...used(byOthers)].filter(name => peers.includes(name))).toEqual([])
  })

  test('what is not shipped needs packages that package.json names, or the kit itself', () => {
    const known = ['mcp-conformance', ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })]
    expect([...used(modules)].filter(name => !known.includes(name))).toEqual([])
  })

  test("Node's own modules are written with node:", () => {
    const bare = modules.flatMap(({ path, imports }) =>
      imports.filter(({ to }) => isBuiltin(to) && !to.startsWith('node:')).map(({ to }) => `${path} imports ${to}`),
    )
    expect(bare).toEqual([])
  })
})

test('only the outermost folders print and exit', () => {
  const prints = (name: string): boolean => name.startsWith('console.') || name === 'process.exit'
  const loud = modules
    .filter(({ folder }) => !MAY_PRINT.includes(folder))
    .flatMap(({ path, members }) => [...members].filter(prints).map(name => `${path} uses ${name}`))
  expect(loud).toEqual([])
})

test(`no file is longer than ${MOST_LINES} lines without a reason, and no reason outlives its need`, () => {
  const long = modules.filter(({ lines }) => lines > MOST_LINES).map(({ path }) => path)
  expect(long).toEqual(Object.keys(LONGER).sort())
})

describe('the reading of a module that this rests on', () => {
  test('finds imports of every kind, and tells types from the rest', () => {
    const text = `
      import 'one'
      import a, { type B } from './two.ts'
      import type { C } from '../kit/three.ts'
      export * from './four.ts'
      export type { D } from './five.ts'
      import e = require('node:six')
      type F = import('./seven.ts').F
      const g = await import('./eight.ts'), h = require('nine')
      // import './no.ts'
      const i = "import './no.ts'"`
    const found = parseModule('cli/x.cts', text).imports.map(({ to, atRunTime, lazy }) => [to, atRunTime, lazy])
    expect(found.sort()).toEqual([
      ['cli/eight.ts', true, true],
      ['cli/five.ts', false, false],
      ['cli/four.ts', true, false],
      ['cli/seven.ts', false, false],
      ['cli/two.ts', true, false],
      ['kit/three.ts', false, false],
      ['nine', true, true],
      ['node:six', true, false],
      ['one', true, false],
    ])
  })

  test('finds what is printed, and not what only reads so', () => {
    const { members } = parseModule(
      'kit/x.ts',
      `console['log'](1); process?.exit(1); const no = 'console.error' // process.exitCode`,
    )
    expect([...members].sort()).toEqual(['console.log', 'process.exit'])
  })

  test('finds a circle, and none through types or import()', () => {
    const a = parseModule('kit/a.ts', `import './b.ts'`)
    const b = parseModule('kit/b.ts', `export { c } from './c.ts'`)
    const c = (text: string): Module => parseModule('kit/c.ts', text)
    expect(circlesIn([a, b, c(`import './a.ts'`)])).toEqual(['kit/a.ts → kit/b.ts → kit/c.ts → kit/a.ts'])
    expect(circlesIn([a, b, c(`import type { A } from './a.ts'; void import('./a.ts')`)])).toEqual([])
  })
})
