import { run } from '../kit/run.ts'
import type { Check, Report, Target } from '../kit/types.ts'
import { mutants } from '../reference-gateway/mutants/index.ts'
import type { Mutant } from '../reference-gateway/mutants/mutant.ts'
import type { Mode } from '../reference-gateway/types.ts'
import { checks } from '../suites/index.ts'
import { type Bench, embeddedTarget, startBench, startEmbedded } from './embedded.ts'

export interface ProofOptions {
  /** Suites, checks or mutants to look at alone; all where empty. */
  readonly only?: readonly string[]
  /** How long a check may take, in ms. */
  readonly timeout: number
  readonly print: (line: string) => void
}

const MODES: readonly Mode[] = ['path', 'header', 'aggregate']

/**
 * The three gates: the reference gateway passes every check in each of its modes; every mutant fails just the checks
 * that it names; every check fails on some mutant. True where all three hold.
 */
export async function prove({ only = [], timeout, print }: ProofOptions): Promise<boolean> {
  const bench = await startBench()
  try {
    const targets = new Map<Mode, Target>()
    const faults: string[] = []
    const passed = new Set<string>()
    for (const mode of MODES) {
      const gateway = await startEmbedded(bench)
      const target = await embeddedTarget(gateway.url, mode, bench)
      targets.set(mode, target)
      const { results } = await run(target, checks, { ...bench, timeout })
      await gateway.close()
      for (const r of results) {
        if (r.verdict === 'pass') passed.add(r.check.id)
        if (r.verdict !== 'fail' && r.verdict !== 'error') continue
        faults.push(`reference gateway, ${mode} mode: ${r.verdict} ${r.check.id}: ${r.reason ?? r.findings[0]?.seen}`)
      }
      print(`${mode} mode: ${results.filter(r => r.verdict === 'pass').length} of ${checks.length} checks passed`)
    }
    for (const c of checks) if (!passed.has(c.id)) faults.push(`${c.id} was passed in no mode`)
    const falseAlarms = faults.length
    let caught = 0
    const chosen = mutants.filter(m => wanted(m, only))
    for (const mutant of chosen) {
      const found = await judgeMutant(mutant, targets.get(mutant.mode ?? 'path')!, bench, timeout)
      if (found.length === 0) caught++
      else faults.push(...found)
      if (found.length || only.length) print(`${found.length ? '✗' : '✓'} ${mutant.name}`)
    }
    const catching = new Set(chosen.flatMap(m => m.caughtBy))
    const known = new Set<string>(checks.map(c => c.id))
    for (const id of catching) if (!known.has(id)) faults.push(`${id} is named by a mutant, but is no check`)
    const unproven = checks.filter(c => isChosen(c, only) && !catching.has(c.id))
    for (const c of unproven) faults.push(`${c.id} catches no mutant`)
    for (const fault of faults) print(`  ${fault}`)
    const proven = checks.filter(c => catching.has(c.id)).length
    print(
      `proof: ${checks.length} checks, ${chosen.length} mutants, ${caught} caught, ${proven} checks proven, ${falseAlarms} false alarms`,
    )
    return faults.length === 0
  } finally {
    await bench.servers.close()
  }
}

const wanted = (m: Mutant, only: readonly string[]) =>
  only.length === 0 || only.some(o => m.name === o || m.caughtBy.some(id => id === o || id.startsWith(`${o}/`)))

const isChosen = (c: Check, only: readonly string[]) =>
  only.length === 0 || only.some(o => c.id === o || c.id.startsWith(`${o}/`))

/** What is wrong with the verdicts on a mutant; nothing where just the checks that it names have failed. */
async function judgeMutant(mutant: Mutant, like: Target, bench: Bench, timeout: number): Promise<string[]> {
  const gateway = await startEmbedded(bench, mutant.mutate)
  let report: Report
  try {
    const url = new URL(new URL(like.url).pathname, gateway.url).href
    report = await run({ ...like, url }, checks, { ...bench, timeout })
  } finally {
    await gateway.close()
  }
  const failed = report.results.filter(r => r.verdict === 'fail')
  const missed = mutant.caughtBy.filter(id => !failed.some(r => r.check.id === id))
  const extra = failed.filter(r => !mutant.caughtBy.includes(r.check.id))
  return [
    ...missed.map(id => {
      const r = report.results.find(x => x.check.id === id)
      return `${mutant.name}: ${id} should fail, but is ${r?.verdict ?? 'unknown'}${r?.reason ? ` (${r.reason})` : ''}`
    }),
    ...extra.map(r => `${mutant.name}: ${r.check.id} fails, but should not: ${r.findings[0]?.seen}`),
  ]
}
