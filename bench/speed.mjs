// How quick and how light the command line is. Times depend on the machine, so Node's own start, measured in between,
// stands beside them. Exit code 1 when a budget does not hold.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'dist/cli/bin.cjs')
const temp = mkdtempSync(join(tmpdir(), 'mcp-conformance-speed-'))
// npm hands its own settings down to what it runs; they would speed up or slow down the npx in here.
const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name))
const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' }

/** Runs a command to its end: how long it took, in ms, and what it printed. */
function run(file, args, { more = {}, cwd = temp } = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(file, args, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', bytes => (out += bytes))
    child.stderr.on('data', bytes => (err += bytes))
    child.on('error', reject)
    child.on('close', code => {
      const ms = performance.now() - start
      if (code === 0) resolve({ ms, out })
      else reject(new Error(`${[file, ...args].join(' ')} ended with exit code ${code}:\n${err || out}`))
    })
  })
}

const node = (...args) => run(process.execPath, args)

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Runs each command in turn, and all of that many times: what slows the machine down for a while hits all alike. */
async function interleaved(times, commands) {
  const taken = commands.map(() => [])
  for (let i = 0; i < times; i++) {
    for (const [n, command] of commands.entries()) taken[n].push((await command()).ms)
  }
  return taken.map(median)
}

// Each process of the kit appends its peak to a file when it ends. Linux tells the exact figure; elsewhere that of
// getrusage must do, which can't be smaller than this process was when it forked.
const peakFile = join(temp, 'peak')
const reportPeak = `
import { appendFileSync, readFileSync } from 'node:fs'
process.on('exit', () => {
  let kb = process.resourceUsage().maxRSS
  try { kb = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) } catch {}
  appendFileSync(${JSON.stringify(peakFile)}, kb + '\\n')
})`

async function wholeRun() {
  rmSync(peakFile, { force: true })
  const preload = `--import data:text/javascript,${encodeURIComponent(reportPeak)}`
  const { ms, out } = await run(process.execPath, [bin, 'run', '--reporter', 'json'], {
    more: { NODE_OPTIONS: preload },
  })
  const peaks = readFileSync(peakFile, 'utf8').trim().split('\n').map(Number)
  return { ms, mb: peaks.reduce((a, b) => a + b) / 1024, summary: JSON.parse(out).summary }
}

/** npx of the packed tarball by an npm that has cached nothing. */
async function coldNpx(tarball, n) {
  const cwd = join(temp, `cold-${n}`)
  // npm looks upwards for a package to work in, and stops at a node_modules.
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  const more = { npm_config_cache: join(cwd, 'cache') }
  return run('npx', ['-y', `../${tarball}`, '--version'], { cwd, more })
}

const rows = []
let allHold = true

/** One line of the table; a budget that does not hold decides the exit code. */
function row(what, shown, { value, below, unit = '' } = {}) {
  const holds = below === undefined || value < below
  allHold &&= holds
  const budget = below === undefined ? '' : `< ${below} ${unit}`
  rows.push([what, shown, budget, below === undefined ? '' : holds ? 'holds' : 'BROKEN'])
}

const ms = value => `${value.toFixed(0)} ms`
const s = value => `${(value / 1000).toFixed(2)} s`

async function main() {
  const [bare, help, list] = await interleaved(15, [
    () => node('-e', '0'),
    () => node(bin, '--help'),
    () => node(bin, 'list'),
  ])
  row('node -e 0', ms(bare))
  for (const [name, took] of [
    ['--help', help],
    ['list', list],
  ]) {
    const shown = `${ms(took)}, ${ms(took - bare)} over Node (${(took / bare).toFixed(1)} times)`
    row(name, shown, { value: took - bare, below: 150, unit: 'ms over Node' })
  }

  const runs = []
  for (let i = 0; i < 5; i++) runs.push(await wholeRun())
  const wall = median(runs.map(one => one.ms))
  const peak = Math.max(...runs.map(one => one.mb))
  // Checks that wait on purpose wait beside each other: the longest of them is what a run can't be shorter than.
  const { checks } = await import('../dist/suites/index.js')
  const { GUARDS } = await import('../dist/cli/embedded.js')
  const waitOf = ({ waits = 0 }) => (typeof waits === 'number' ? waits : waits(GUARDS))
  const waits = Math.max(...checks.map(waitOf))
  row(
    `run, ${runs[0].summary.pass} checks passed`,
    `${s(wall)} (${(wall / bare).toFixed(0)} times), ${s(wall - waits)} beyond its longest wait`,
    { value: (wall - waits) / 1000, below: 3, unit: 's beyond' },
  )
  row('run, peak memory of all its processes', `${peak.toFixed(0)} MB`, { value: peak, below: 300, unit: 'MB' })

  const packed = await run('npm', ['pack', '--silent', '--pack-destination', temp], { cwd: root })
  const tarball = packed.out.trim().split('\n').at(-1)
  let n = 0
  const [npm, cold] = await interleaved(3, [() => run('npx', ['--version']), () => coldNpx(tarball, n++)])
  row('npx --version', ms(npm))
  const shown = `${s(cold)} (${(cold / npm).toFixed(1)} times npx --version)`
  row('npx of the tarball, empty cache', shown, { value: cold / 1000, below: 5, unit: 's' })
}

function print() {
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(cells => cells[column].length)))
  for (const cells of rows)
    console.log(
      cells
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  console.log(`\nNode ${process.version}, ${availableParallelism()} cores. Medians: of 15 starts, 5 runs, 3 times npx.`)
}

try {
  await main()
  print()
  if (!allHold) process.exitCode = 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(temp, { recursive: true, force: true })
}
