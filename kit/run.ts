import { keep } from './keep.ts'
import { pacerOf } from './pacer.ts'
import { GUARDS } from './profiles.ts'
import { openRig } from './rig.ts'
import { Unjudged } from './session.ts'
import type { OpenStage } from './stage.ts'
import type {
  Check,
  Claim,
  Evidence,
  Finding,
  Issuer,
  Recorder,
  Report,
  Reporter,
  Result,
  Revision,
  Servers,
  Target,
} from './types.ts'

export interface RunOptions {
  readonly servers: Servers
  readonly recorder: Recorder
  readonly stage: OpenStage
  readonly reporters?: readonly Reporter[]
  /** How long one check may take, in ms. */
  readonly timeout?: number
  /** Judges every check in each of these; else each in the newest revision that it holds for. */
  readonly revisions?: readonly Revision[]
  /** How many checks run at the same time. */
  readonly lanes?: number
  /** Ends the run early: what was judged until then is reported. */
  readonly signal?: AbortSignal
  /** The servers without the gateway: a check that fails is tried there too. */
  readonly direct?: Target
  /** Makes tokens for the target, where it asks for such. */
  readonly issuer?: Issuer
  /** Where checks are judged that are about what only a platform has, in place of the target. */
  readonly platform?: Platform
  /** Called before each check that runs alone: the time to put the house in order. */
  readonly breathe?: () => void
  /** Ends the run after the first result for which it holds; the rest is not judged. */
  readonly stopWhen?: (result: Result) => boolean
  /** Keeps the evidence of checks that passed, too. */
  readonly keepAll?: boolean
}

/** A second gateway with all its guards, and what stands behind it. */
export interface Platform {
  readonly target: Target
  readonly servers: Servers
  readonly issuer?: Issuer
}

interface Job {
  readonly check: Check
  readonly revision: Revision
}

/** Checks that wait for at least so long, in ms, run beside the lanes. */
const LONG_MS = 1000
/** How far apart they begin, in ms: else all of them would go on at the same moment. */
const APART_MS = 40

/** How long a check waits on purpose at this target, in ms. */
const waitOf = ({ waits = 0 }: Check, { limits }: Target): number => (typeof waits === 'number' ? waits : waits(limits))

/** Runs the checks in lanes, then those that must be alone, one by one. Never throws for what a gateway does. */
export async function run(target: Target, checks: readonly Check[], options: RunOptions): Promise<Report> {
  const { reporters = [], lanes = 8, signal } = options
  const startedAt = new Date()
  for (const r of reporters) r.start?.(target, checks)
  const results = new Map<Job, Result>()
  const end = { isStopped: false }
  const jobs = checks.flatMap(check => jobsOf(check, target, options.revisions))
  /** Checks that hang on time, and came too late for it on a busy machine: they have another turn when it is quiet. */
  const tooLate: Job[] = []
  const work = async (queue: Job[], lastTurn = false) => {
    for (let job = queue.shift(); job && !signal?.aborted && !end.isStopped; job = queue.shift()) {
      const result = keep(await attributed(target, job, options))
      // A check that was stopped half-way says nothing about the gateway.
      if (signal?.aborted || end.isStopped) return
      if (result.verdict === 'error' && job.check.waits !== undefined && !lastTurn) {
        tooLate.push(job)
        continue
      }
      results.set(job, result)
      for (const r of reporters) r.result?.(result)
      end.isStopped ||= options.stopWhen?.(result) ?? false
    }
  }
  /** The checks of one gateway that can be judged side by side. */
  const together = async (place: Target, its: readonly Job[]) => {
    const waits = (j: Job) => waitOf(j.check, place)
    const shared = its.filter(j => !j.check.alone).sort((a, b) => waits(b) - waits(a))
    // Who waits for seconds does little else, and needs no lane for it.
    const idle = shared.splice(
      0,
      shared.findIndex(j => waits(j) < LONG_MS),
    )
    const later = async (job: Job, i: number) => {
      await options.recorder.when(() => false, i * APART_MS, signal)
      await work([job])
    }
    await Promise.all([...idle.map(later), ...Array.from({ length: lanes }, () => work(shared))])
  }
  const { platform } = options
  const isHere = (j: Job) => !platform || !onPlatform(j.check)
  // Two gateways, each with servers of its own: they do not hold each other up.
  await Promise.all([
    together(target, jobs.filter(isHere)),
    ...(platform
      ? [
          together(
            platform.target,
            jobs.filter(j => !isHere(j)),
          ),
        ]
      : []),
  ])
  for (const job of jobs.filter(j => j.check.alone)) {
    options.breathe?.()
    await work([job])
  }
  await work(tooLate, true)
  const report: Report = {
    target,
    startedAt,
    results: jobs.flatMap(job => results.get(job) ?? []),
    ...(signal?.aborted && { interrupted: true }),
    ...(end.isStopped && { stopped: true }),
  }
  for (const r of reporters) await r.end?.(report)
  return report
}

function jobsOf(check: Check, target: Target, forced: readonly Revision[] | undefined): Job[] {
  const spoken = forced ?? target.revisions
  const holds = spoken.filter(r => inForce(check, r))
  if (forced) return (holds.length ? holds : forced.slice(-1)).map(revision => ({ check, revision }))
  const newest = holds.at(-1) ?? spoken.at(-1) ?? '2025-11-25'
  return [{ check, revision: newest }]
}

/** Whether a check holds in this revision. */
export const inForce = ({ since, until }: Check, revision: Revision): boolean =>
  (since === undefined || revision >= since) && (until === undefined || revision < until)

/** Whether a check is judged on the platform, where there is one beside the target: it is about what only a platform has. */
export const onPlatform = ({ pack, own, needs = [] }: Check): boolean =>
  (pack !== 'mcp' && !own) || needs.some(feature => GUARDS.includes(feature))

/** One check; where it fails, also without the gateway, to see whose fault it is. */
async function attributed(target: Target, job: Job, options: RunOptions): Promise<Result> {
  const { platform } = options
  if (platform && onPlatform(job.check)) {
    const { direct: _, issuer: __, ...rest } = options
    const there = await judge(platform.target, job.check, { ...rest, ...platform, revision: job.revision })
    return { ...there, on: 'platform' }
  }
  const result = await judge(target, job.check, { ...options, revision: job.revision })
  const { direct, signal } = options
  if (result.verdict !== 'fail' || !direct || signal?.aborted) return result
  const control = await judge(direct, job.check, { ...options, revision: job.revision })
  // Skipped without a gateway: it is about what a gateway does, and the server has neither passed nor failed it.
  if (control.verdict === 'error' || control.verdict === 'skip') return result
  return { ...result, causedBy: control.verdict === 'fail' ? 'backend' : 'gateway' }
}

/** One check against one target. */
export async function judge(
  target: Target,
  check: Check,
  options: RunOptions & { readonly revision: Revision },
): Promise<Result> {
  const { revision, signal, timeout: allowed = 5000 } = options
  const timeout = allowed + waitOf(check, target)
  const skip = whySkip(target, check, revision)
  if (skip) return { check, revision, verdict: 'skip', reason: skip, findings: [], ms: 0 }
  const { rig, close } = openRig({
    ...options,
    target,
    revision,
    timeout,
    pacer: pacerOf(target),
    ...(signal && { stop: signal }),
  })
  const began = options.recorder.now()
  const done = (verdict: Result['verdict'], findings: Finding[], evidence: Evidence, reason?: string): Result => ({
    check,
    revision,
    verdict,
    findings,
    ms: options.recorder.now() - began,
    ...(reason !== undefined && { reason }),
    ...((verdict !== 'pass' || options.keepAll) && { evidence }),
  })
  const { offers } = options.servers
  const seen = (): Evidence => ({
    ...options.recorder.exchanges(rig.nonce),
    target,
    revision,
    ...(offers && { offers }),
  })
  try {
    for (const step of check.steps) await step.run(rig)
    await options.servers.settle?.()
    const evidence = seen()
    if (evidence.client.length + evidence.backend.length === 0) return done('error', [], evidence, 'nothing was seen')
    const unmet = refuted(check.given ?? [], evidence)
    if (unmet[0]) return done('error', unmet, evidence, `given that ${unmet[0].claim}: ${unmet[0].seen}`)
    const findings = refuted(check.claims, evidence)
    return done(findings.length ? 'fail' : 'pass', findings, evidence)
  } catch (cause) {
    // Unjudged is a missing prerequisite; anything else is a fault of the kit, and must not look like one of the gateway.
    const reason = cause instanceof Unjudged ? cause.message : `the kit failed: ${(cause as Error).stack ?? cause}`
    return done('error', [], seen(), reason)
  } finally {
    await close()
  }
}

/** Undefined where the check applies to the target in this revision. */
export function whySkip(target: Target, check: Check, revision: Revision): string | undefined {
  const { since, until, needs = [] } = check
  if (!inForce(check, revision)) {
    return since !== undefined && revision < since ? `new in ${since}` : `not in force since ${until}`
  }
  const missing = needs.filter(f => !target.features.includes(f))
  return missing.length ? `the target does not have: ${missing.join(', ')}` : undefined
}

function refuted(claims: readonly Claim[], evidence: Evidence): Finding[] {
  return claims.flatMap(({ about, says, refute }) => {
    const seen = refute(evidence)
    return seen === undefined ? [] : [{ about, claim: says, seen }]
  })
}
