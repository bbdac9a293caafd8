import { availableParallelism } from 'node:os'
import { opposites } from '../kit/report.ts'
import { onPlatform, run } from '../kit/run.ts'
import type { Check, Report } from '../kit/types.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import type { Mutant } from '../reference-gateway/mutants/mutant.ts'
import type { Mode } from '../reference-gateway/types.ts'
import { checks } from '../suites/index.ts'
import { embeddedTarget, startBench, startEmbedded, startPlatform } from './embedded.ts'
import { isTimed } from './proof/mutants.ts'
import { shareOut } from './proof/share.ts'

export interface ProofOptions {
  /** Suites, checks or mutants to look at alone; all where empty. */
  readonly only?: readonly string[]
  /** Judges one mutant in so many, for a look that takes a minute; every one where not given. */
  readonly every?: number
  /** How long a check may take, in ms. */
  readonly timeout: number
  /** How many processes judge mutants at the same time; one for each core where not given. */
  readonly processes?: number
  readonly print: (line: string) => void
}

const MODES: readonly Mode[] = ['path', 'header', 'aggregate']

/**
 * The three gates: the reference gateway passes every check in each of its modes; every mutant fails just the checks
 * that it names; every check fails on some mutant. True where all three hold.
 */
export async function prove({ only = [], every = 1, timeout, processes, print }: ProofOptions): Promise<boolean> {
  const alarms = await falseAlarms(timeout, print)
  const named = mutants.filter(m => wanted(m, only))
  const chosen = named.filter((_, i) => i % every === 0)
  const faults = [...alarms]
  let caught = 0
  const judgedOne = (name: string, found: readonly string[]) => {
    if (found.length === 0) caught++
    faults.push(...found)
    print(`${found.length ? '✗' : '✓'} ${name}`)
  }
  const [timed, others] = [chosen.filter(isTimed), chosen.filter(m => !isTimed(m))].map(list => list.map(m => m.name))
  await shareOut(others!, processes ?? availableParallelism(), timeout, judgedOne)
  await shareOut(timed!, 1, timeout, judgedOne)
  const catching = new Set(named.flatMap(m => m.caughtBy))
  const judged = new Set(chosen.flatMap(m => m.caughtBy))
  const unproven = checks.filter(c => isChosen(c, only) && !catching.has(c.id))
  for (const c of unproven) faults.push(`${c.id} catches no mutant`)
  for (const fault of faults) print(`  ${fault}`)
  const proven = checks.filter(c => judged.has(c.id)).length
  if (every > 1) print(`A sample: one mutant in ${every} was judged.`)
  print(
    `proof: ${checks.length} checks, ${chosen.length} mutants, ${caught} caught, ${proven} checks proven, ${alarms.length} false alarms`,
  )
  return faults.length === 0
}

/**
 * Every check that the reference gateway fails or that can't be judged on it, and every check that it passes in no mode.
 * Where two checks ask for the opposite, it may fail the one while it passes the other; and must pass each in some mode.
 */
async function falseAlarms(timeout: number, print: (line: string) => void): Promise<string[]> {
  const bench = await startBench()
  const alarms: string[] = []
  const passed = new Set<string>()
  const look = (report: Report, where: string) => {
    const { results } = report
    for (const r of results) {
      if (r.verdict === 'pass') passed.add(r.check.id)
      if ((r.verdict !== 'fail' && r.verdict !== 'error') || opposites(r, report).length > 0) continue
      alarms.push(`reference gateway, ${where}: ${r.verdict} ${r.check.id}: ${r.reason ?? r.findings[0]?.seen}`)
    }
    print(`${where}: ${results.filter(r => r.verdict === 'pass').length} of ${results.length} checks passed`)
  }
  try {
    const protocol = checks.filter(c => !onPlatform(c))
    for (const mode of MODES) {
      const gateway = await startEmbedded(bench)
      const target = await embeddedTarget(gateway.url, mode, bench)
      const report = await run(target, protocol, { ...bench, timeout })
      await gateway.close()
      look(report, `${mode} mode`)
    }
    for (const form of ['seed', 'official'] as const) {
      const platform = await startPlatform(bench, { form })
      const report = await run(platform.target, checks.filter(onPlatform), { ...bench, ...platform, timeout })
      await platform.close()
      look(report, `all guards, ${form} form`)
    }
  } finally {
    await bench.servers.close()
  }
  return [...alarms, ...checks.filter(c => !passed.has(c.id)).map(c => `${c.id} was passed in no mode`)]
}

const wanted = (m: Mutant, only: readonly string[]) =>
  only.length === 0 || only.some(o => m.name === o || m.caughtBy.some(id => id === o || id.startsWith(`${o}/`)))

const isChosen = (c: Check, only: readonly string[]) =>
  only.length === 0 || only.some(o => c.id === o || c.id.startsWith(`${o}/`))
