// Judges gateways that no one here wrote, where they are installed, and says what was found. Skips, with a sentence,
// what is not. Loopback only; every process it starts is stopped by pid.
//
//   npm run field [-- NAME…]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $, chalk } from 'zx'
import { judgeDirect } from './field/direct.mjs'
import { gateways } from './field/gateways.mjs'
import { freePorts, startAndWait } from './field/process.mjs'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !gateways.some(g => g.name === name))
if (unknown.length) {
  console.error(`There is no gateway ${unknown.join(', ')} here; there are ${gateways.map(g => g.name).join(', ')}.`)
  process.exit(2)
}

const direct = await judgeDirect()
console.log(
  `direct: ${count(direct, 'pass')} passed, ${count(direct, 'fail')} failed, ${count(direct, 'skip')} skipped`,
)
let broken = Number(count(direct, 'fail') + count(direct, 'error') > 0)

for (const gateway of gateways) {
  if (wanted.length && !wanted.includes(gateway.name)) continue
  const missing = await gateway.missing()
  if (missing) console.log(`${gateway.name}: skipped, ${missing}`)
  else broken += Number(!(await judge(gateway)))
}
process.exitCode = broken ? 1 : 0

async function judge(gateway) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-field-'))
  const [port, crm, db, syncboot, record] = await freePorts(5)
  const given = { folder, port, mocks: { crm, db, syncboot }, record }
  let running
  try {
    running = await startAndWait(gateway.start(given), port)
    const target = join(folder, 'target.json')
    writeFileSync(target, JSON.stringify(gateway.target(given)))
    const out = join(folder, 'report.json')
    const { stdout, stderr } = await $({
      quiet: true,
      nothrow: true,
    })`node dist/cli/bin.cjs run --target ${target} --reporter json=${out} --reporter text ${gateway.flags ?? []}`
    let report
    try {
      report = JSON.parse(readFileSync(out, 'utf8'))
    } catch {
      console.log(`${gateway.name}: ${chalk.red('no report')}\n${stdout}${stderr}`)
      return false
    }
    return tell(gateway, report)
  } finally {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function tell(gateway, report) {
  const { pass, fail, skip, error } = report.summary
  console.log(
    `${gateway.name} (${gateway.version()}): ${pass} passed, ${fail} failed, ${skip} skipped, ${error} could not be judged`,
  )
  const failed = report.results.filter(r => r.verdict === 'fail')
  for (const r of failed)
    console.log(
      `  ${r.level} ${r.id}${r.causedBy === 'backend' ? ' (also without the gateway)' : ''}: ${r.findings[0]?.seen}`,
    )
  for (const r of report.results.filter(x => x.verdict === 'error'))
    console.log(`  could not judge ${r.id}: ${r.reason}`)
  const faults = gateway.likeDirect ? unlikeDirect(report) : notFound(gateway, failed)
  for (const fault of faults) console.log(chalk.red(`  ${fault}`))
  return faults.length === 0
}

/** Where a transparent proxy that is set up well does not score as direct does. */
function unlikeDirect(report) {
  return report.results.flatMap(r => {
    const without = direct.get(r.id)
    // A check that makes no sense without a gateway has no verdict to compare with.
    if (without === r.verdict || (without === 'skip' && r.verdict === 'pass')) return []
    return [`${r.id}: ${without} without the gateway, ${r.verdict} with it`]
  })
}

/** The known faults of a gateway that were not seen. */
function notFound({ faults = [] }, failed) {
  const missed = faults.filter(id => !failed.some(r => r.id === id))
  return missed.map(id => `${id} should have failed: this gateway is known for it`)
}

function count(verdicts, verdict) {
  return [...verdicts.values()].filter(v => v === verdict).length
}
