import { opposites } from '../../kit/report.ts'
import { onPlatform, run } from '../../kit/run.ts'
import type { Report, Result, Target } from '../../kit/types.ts'
import { mutants } from '../../reference-gateway/mutants/index.ts'
import type { Mutant } from '../../reference-gateway/mutants/mutant.ts'
import type { Mode } from '../../reference-gateway/types.ts'
import { checks } from '../../suites/index.ts'
import { type Bench, embeddedTarget, GUARDS, startBench, startEmbedded, startPlatform } from '../embedded.ts'

/** Judges mutants, one after the other, on mock servers of its own. */
export interface MutantJudge {
  /** What is wrong with the verdicts on a mutant; nothing where just the checks that it names have failed. */
  judge(name: string): Promise<string[]>
  close(): Promise<void>
}

/** `timeout` is that of one check, in ms. */
export async function startMutantJudge(timeout: number): Promise<MutantJudge> {
  const bench = await startBench()
  const targets = new Map<Mode, Promise<Target>>()
  const targetOf = (mode: Mode) => {
    const known = targets.get(mode) ?? soundTarget(mode, bench)
    targets.set(mode, known)
    return known
  }
  return {
    async judge(name) {
      const mutant = mutants.find(m => m.name === name)!
      if (mutant.platform) {
        let faults = await judgeOnPlatform(mutant, bench, timeout)
        // A machine that was busy just then lets nothing be said of times.
        for (let turn = 1; turn < TURNS && isTimed(mutant) && faults.some(f => f.includes(' is error ')); turn++)
          faults = await judgeOnPlatform(mutant, bench, timeout)
        return faults
      }
      return judgeMutant(mutant, await targetOf(mutant.mode ?? 'path'), bench, timeout)
    },
    close: () => bench.servers.close(),
  }
}

/** What the gateway is without harm: a mutant is held to what it should have been. */
async function soundTarget(mode: Mode, bench: Bench): Promise<Target> {
  const gateway = await startEmbedded(bench)
  try {
    return await embeddedTarget(gateway.url, mode, bench)
  } finally {
    await gateway.close()
  }
}

async function judgeMutant(mutant: Mutant, like: Target, bench: Bench, timeout: number): Promise<string[]> {
  const gateway = await startEmbedded(bench, mutant.mutate)
  try {
    const url = new URL(new URL(like.url).pathname, gateway.url).href
    return faultsOf(mutant, await run({ ...like, url }, PROTOCOL, { ...bench, timeout }))
  } finally {
    await gateway.close()
  }
}

/** The same guards, but sessions are open for a shorter time: the proof would wait for most of its own. */
const QUICK = { ...GUARDS, openSeconds: 1 }

async function judgeOnPlatform(mutant: Mutant, bench: Bench, timeout: number): Promise<string[]> {
  const platform = await startPlatform(bench, { mutant, form: mutant.platform ?? 'seed', limits: QUICK })
  try {
    const judged = isTimed(mutant) ? PLATFORM : PLATFORM.filter(c => !isTimedCheck(c.id))
    return faultsOf(mutant, await run(platform.target, judged, { ...bench, ...platform, timeout }))
  } finally {
    await platform.close()
  }
}

/** How often a mutant of time is judged, until it can be. */
const TURNS = 3

const isTimedCheck = (id: string) => id.startsWith('latency/')

/**
 * Whether a mutant harms the time of calls. Such are judged by themselves, as whoever shares the processor would be measured, too;
 * and the checks of it are judged on such mutants only.
 */
export const isTimed = ({ caughtBy }: Mutant): boolean => caughtBy.some(isTimedCheck)

const PROTOCOL = checks.filter(c => !onPlatform(c))
const PLATFORM = checks.filter(onPlatform)

function faultsOf(mutant: Mutant, report: Report): string[] {
  const { results } = report
  const failed = results.filter(r => r.verdict === 'fail')
  const missed = mutant.caughtBy.filter(id => !failed.some(r => r.check.id === id))
  // A check whose opposite holds, or held before the harm, fails on the right gateway, too.
  const usual = (r: Result) =>
    opposites(r, report).length > 0 || r.check.contradicts?.some(id => mutant.caughtBy.includes(id))
  const extra = failed.filter(r => !mutant.caughtBy.includes(r.check.id) && !usual(r))
  return [
    ...missed.map(id => {
      const r = results.find(x => x.check.id === id)
      return `${mutant.name}: ${id} should fail, but is ${r?.verdict ?? 'no check'}${r?.reason ? ` (${r.reason})` : ''}`
    }),
    ...extra.map(r => `${mutant.name}: ${r.check.id} fails, but should not: ${r.findings[0]?.seen}`),
  ]
}
