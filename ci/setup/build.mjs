import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, say } from './command.mjs'

const stampOf = root => join(root, 'dist', '.ready')

/** Whether dist was built from the sources as they are now: by content, as a checkout changes every date. */
export function isBuilt(root) {
  const stamp = stampOf(root)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root)
}

/**
 * Builds into a folder under `scratch`, then puts it in the place of dist: no one sees half a build, and nothing
 * stays of a source that is gone. Where tsc finds a fault, the old dist stays and the promise rejects with a Failure.
 */
export async function build(root, scratch) {
  say('building (tsc)')
  // Taken first: a source that changes while tsc runs makes the next run build again.
  const print = fingerprint(root)
  const fresh = join(scratch, 'fresh')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', fresh, '--pretty', 'false'], {
    cwd: root,
    otherwise: 'the sources could not be built with tsc',
  })
  for (const page of PAGES.filter(page => existsSync(join(root, page, 'vite.config.mjs'))))
    await bundle(root, page, join(fresh, page))
  const style = join('report-page', 'style.css')
  if (existsSync(join(root, style))) copyFileSync(join(root, style), join(fresh, style))
  for (const file of sources(root).filter(isAsset)) {
    const copy = join(fresh, relative(root, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
  writeFileSync(join(fresh, '.ready'), print)
  const dist = join(root, 'dist')
  if (existsSync(dist)) renameSync(dist, join(scratch, 'old'))
  renameSync(fresh, dist)
  rmSync(join(scratch, 'old'), { recursive: true, force: true })
}

/** Pages for browsers: their sources are bundled, not compiled one by one. */
const PAGES = [join('reference-gateway', 'dashboard'), 'report-page']

function bundle(root, page, folder) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  return run(process.execPath, [vite, 'build', page, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: root,
    otherwise: `the page ${page} could not be built with vite`,
  })
}

/** What tsc does not write itself: schemas, pages, plain JavaScript; not what is written for those who read the code. */
const isAsset = file => !/\.([cm]?ts|md)$/.test(file) && !PAGES.some(page => file.includes(page + sep))

/** Every file of the folders that tsconfig.build.json names, in a stable order. */
function sources(root) {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'))
  const folders = [...include, 'report-page'].map(folder => join(root, folder))
  return folders
    .filter(folder => existsSync(folder))
    .flatMap(filesIn)
    .sort()
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap(entry => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]))
}

function fingerprint(root) {
  const settings = readdirSync(root).filter(name => /^(package|tsconfig.*)\.json$/.test(name))
  const files = [...settings.sort().map(name => join(root, name)), ...sources(root), fileURLToPath(import.meta.url)]
  const hash = createHash('sha256')
  for (const file of files) {
    const text = readFileSync(file)
    hash.update(`${relative(root, file)} ${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}
