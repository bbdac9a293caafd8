import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run, say } from './command.mjs'

const stampOf = root => join(root, 'node_modules', '.ready')

/** Whether node_modules holds what package-lock.json asks for, on this kind of machine. */
export function isInstalled(root) {
  const wanted = fingerprint(root)
  if (read(stampOf(root)) === wanted) return true
  if (!matchesLock(root)) return false
  // Installed by hand, with `npm ci` or `npm install`: as good as by us.
  try {
    writeFileSync(stampOf(root), wanted)
  } catch {
    // Read-only: then it is compared again next time.
  }
  return true
}

/** Installs exactly what package-lock.json names. Rejects with a Failure where npm does. */
export async function install(root) {
  say('installing the dependencies (npm ci), which is needed once')
  const [file, before] = npm()
  // Development packages are needed for the build, whatever NODE_ENV or the caller's npm flags say.
  const flags = ['--include=dev', '--loglevel=error', '--dry-run=false', '--global=false']
  await run(file, [...before, 'ci', ...flags], {
    cwd: root,
    shell: process.platform === 'win32' && file === 'npm',
    otherwise: 'the dependencies could not be installed with `npm ci`',
  })
  writeFileSync(stampOf(root), fingerprint(root))
}

function fingerprint(root) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(lock).digest('hex')
}

/** Compares package-lock.json with the list of what is there, which npm itself keeps in node_modules. */
function matchesLock(root) {
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  const locked = packagesOf(join(root, 'package-lock.json'))
  // What can't be read is for npm to complain about.
  if (!present || !locked) return false
  const { '': _ours, ...wanted } = locked
  const same = (a, b) => a.version === b.version && a.integrity === b.integrity
  const runsHere = ({ os, cpu }) => allows(os, process.platform) && allows(cpu, process.arch)
  return (
    Object.entries(wanted).every(([path, it]) => it.optional || (present[path] && same(it, present[path]))) &&
    Object.entries(present).every(
      ([path, it]) => wanted[path] && same(it, wanted[path]) && runsHere(it) && existsSync(join(root, path)),
    )
  )
}

function packagesOf(lock) {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')).packages
  } catch {
    return undefined
  }
}

function allows(list, here) {
  if (!list) return true
  return list.some(item => item.startsWith('!')) ? !list.includes(`!${here}`) : list.includes(here)
}

/** The npm that runs us where there is one, else the one on the PATH. */
function npm() {
  const running = process.env.npm_execpath
  return running && basename(running) === 'npm-cli.js' ? [process.execPath, [running]] : ['npm', []]
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
