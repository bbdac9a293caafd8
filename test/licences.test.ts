import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Module, parseModule, readModules } from './modules.ts'

/** What is installed with the package, and what is bundled in it, by whose leave. */

/** Licences that ask for no more than that their text stays with the code. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', '(MIT AND Zlib)']

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const packages: Readonly<Record<string, Locked>> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** These packages and all that they ask for, by their places in the lock. */
function withTheirs(names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string, place: string): void => {
    // Node looks beside whoever asks, then further out.
    const inner = place === '' ? '' : `${place}/`
    const here = `${inner}node_modules/${name}`
    if (!(here in packages)) {
      if (place !== '') add(name, place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1)))
      return
    }
    if (found.has(here)) return
    found.add(here)
    const { dependencies, optionalDependencies } = packages[here]!
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other, here)
  }
  for (const name of names) add(name, '')
  return found
}

const refused = (places: Iterable<string>): string[] =>
  [...places]
    .filter(place => !ALLOWED.includes(packages[place]?.license ?? ''))
    .map(place => `${place}: ${packages[place]?.license ?? 'no licence'}`)

test('what is installed with the package may be', () => {
  const installed = withTheirs(Object.keys(manifest.dependencies))
  expect(installed.size).toBeGreaterThan(Object.keys(manifest.dependencies).length)
  expect(refused(installed)).toEqual([])
})

/** Packages that pages for browsers import: the bundler puts them, and what they import, into the page. */
function bundledInPages(): Set<string> {
  const found = new Set<string>()
  const follow = ({ imports }: Module): void => {
    for (const { to, relative, atRunTime } of imports) {
      const place = `node_modules/${/^(@[^/]+\/)?[^/]+/.exec(to)?.[0]}`
      if (relative || !atRunTime || found.has(place)) continue
      found.add(place)
      const { module, main } = JSON.parse(readFileSync(`${place}/package.json`, 'utf8'))
      const entry = `${place}/${module ?? main}`
      follow(parseModule(entry, readFileSync(entry, 'utf8')))
    }
  }
  for (const module of readModules()) if (isOfPage(module.path)) follow(module)
  return found
}

/** Whether it lies in a folder with a page for browsers. Its settings for the bundler are not bundled. */
function isOfPage(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  const inPage = folders.some((_, i) => existsSync(`${folders.slice(0, i + 1).join('/')}/index.html`))
  return inPage && !path.includes('vite.config')
}

test('what is bundled in the package may be, and NOTICE.md has its licences (npm run docs writes it anew)', async () => {
  const bundled = bundledInPages()
  expect([...bundled]).toContain('node_modules/vue')
  expect(refused(bundled)).toEqual([])
  const texts = new Map<string, string[]>()
  for (const place of [...bundled].sort()) {
    const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENSE.txt'].map(f => `${place}/${f}`).find(existsSync)
    const text = file ? readFileSync(file, 'utf8').trim() : packages[place]!.license!
    const name = `${place.replace(/^.*node_modules\//, '')} ${packages[place]!.version}`
    texts.set(text, [...(texts.get(text) ?? []), name])
  }
  const notice = [
    '# Notices',
    'Pages for browsers that come with the package are bundles, and hold code of these packages:',
    ...[...texts].flatMap(([text, names]) => [names.map(name => `- ${name}`).join('\n'), `\`\`\`\n${text}\n\`\`\``]),
  ]
  await expect(`${notice.join('\n\n')}\n`).toMatchFileSnapshot('../NOTICE.md')
})
