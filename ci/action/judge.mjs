// The step of action.yml: reads its inputs from the environment, runs the kit without a shell, and tells the workflow what
// came of it. It exits as the kit does.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { flagsOf, kitOf } from './inputs.mjs'
import { annotations, summaryOf } from './summary.mjs'

const OUTCOMES = { 0: 'conforms', 1: 'does-not-conform', 2: 'wrong-usage', 3: 'not-judged', 130: 'interrupted' }

const { env } = process
const folder = resolve(env.MCPC_FOLDER || '.')
const reports = resolve(folder, env.MCPC_REPORTS || 'mcp-conformance-reports')
const files = { json: join(reports, 'report.json'), junit: join(reports, 'junit.xml') }

process.exitCode = main()

function main() {
  const { flags, fault } = flagsOf(env)
  if (fault) return end(2, fault)
  if (!existsSync(folder)) return end(2, `There is no folder ${folder}: correct working-directory.`)
  mkdirSync(reports, { recursive: true })
  // Of a run before this one in the same job.
  for (const file of Object.values(files)) rmSync(file, { force: true })
  const [command, ...args] = kitOf(env, folder)
  const outputs = [
    '--reporter',
    'text',
    ...Object.entries(files).flatMap(([f, file]) => ['--reporter', `${f}=${file}`]),
  ]
  const status = quoted(() => {
    const { status, error } = spawnSync(command, [...args, 'run', ...flags, ...outputs], {
      cwd: folder,
      stdio: 'inherit',
    })
    if (error) process.stdout.write(`${command} could not be started: ${error.message}\n`)
    return status ?? 3
  })
  return end(status)
}

/** What a gateway says is printed: it must not be taken for a command to the workflow. */
function quoted(work) {
  const mark = randomUUID()
  process.stdout.write(`::stop-commands::${mark}\n`)
  try {
    return work()
  } finally {
    process.stdout.write(`::${mark}::\n`)
  }
}

/** Tells outputs and summary, whatever came. */
function end(code, fault) {
  const report = readReport()
  const { pass, fail, skip, error } = report?.summary ?? {}
  const outcome = OUTCOMES[code] ?? 'not-judged'
  const written = file => (existsSync(file) ? file : '')
  output({
    outcome,
    'exit-code': code,
    passed: pass,
    failed: fail,
    skipped: skip,
    'not-judged': error,
    'report-path': written(files.json),
    'junit-path': written(files.junit),
    'reports-path': existsSync(reports) ? reports : '',
  })
  if (fault) process.stdout.write(`${fault}\n`)
  for (const line of annotations(report, outcome, env.MCPC_STRICT === 'true')) process.stdout.write(`${line}\n`)
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summaryOf(report, outcome, fault))
  return code
}

function readReport() {
  try {
    return JSON.parse(readFileSync(files.json, 'utf8'))
  } catch {
    return undefined
  }
}

/** Each value between lines that nobody can guess, so that none can add an output of its own. */
function output(values) {
  if (!env.GITHUB_OUTPUT) return
  const mark = randomUUID()
  const text = Object.entries(values).map(([name, value]) => `${name}<<${mark}\n${value ?? ''}\n${mark}\n`)
  appendFileSync(env.GITHUB_OUTPUT, text.join(''))
}
