import { WrongUsage } from '../../kit/errors.ts'
import { type Baseline, counts, exitCode, type Policy } from '../../kit/report.ts'
import { run as judgeAll } from '../../kit/run.ts'
import { PACKS, select } from '../../kit/select.ts'
import type { Check, Pack, Report, Reporter, Result, Target } from '../../kit/types.ts'
import { checks } from '../../suites/index.ts'
import { again } from '../again.ts'
import { type Arguments, oneOf } from '../arguments.ts'
import { readText } from '../files.ts'
import { INTERRUPTED, untilInterrupted } from '../interrupt.ts'
import { collectGarbage } from '../memory.ts'
import { type Output, readOutputs, reporters } from '../outputs.ts'
import { loadSuites } from '../own/load.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { diff, diffText } from '../report/diff.ts'
import type { EvidenceShown, TextOptions } from '../reporters/options.ts'
import { readTime, untilReady } from '../run/ready.ts'
import { readShard, shardOf } from '../run/shard.ts'
import { untilAgain } from '../run/watch.ts'
import { type Story, storyOf } from '../stories.ts'
import { formFor, judging, type Subject, subjectOf } from '../subject.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { readRevisions, readTimeout, readTold, type Told } from '../wanted.ts'
import { several } from '../words.ts'

/** All that the command line asks for, read and checked before anything is started. */
interface Plan {
  readonly told: Told | undefined
  readonly mutant: string | undefined
  /** Those of the kit, then those of the user. */
  readonly all: readonly Check[]
  readonly chosen: readonly Check[]
  readonly outputs: readonly Output[]
  readonly evidence: EvidenceShown
  readonly timeout: number
  readonly policy: Policy
  readonly story: Story | undefined
  readonly failFast: boolean
  readonly watch: boolean
  /** How long to wait for the gateway, in ms. */
  readonly wait: number | undefined
}

/** Judges a gateway: the one that was named, else the embedded one. */
export const run: Program = async (args, term) => {
  const plan = await readPlan(args)
  const stop = untilInterrupted()
  if (plan.told && plan.wait !== undefined) await waitFor(plan.told, plan.wait, term, stop)
  const subject = await subjectOf(plan.told, plan.mutant, plan.timeout, stop, formFor(plan.chosen))
  if (!subject) {
    term.warn('Interrupted before anything was judged.')
    return INTERRUPTED
  }
  try {
    const report = await judge(subject, plan, args, term, stop)
    return plan.watch && !stop.aborted
      ? await watch(report, subject, plan, args, term, stop)
      : exitCode(report, plan.policy)
  } finally {
    await subject.close()
  }
}

async function judge(subject: Subject, plan: Plan, args: Arguments, term: Terminal, stop: AbortSignal) {
  const revisions = readRevisions(args)
  return judgeAll(subject.target, plan.chosen, {
    ...judging(subject),
    reporters: watchers(subject, plan, args, term),
    timeout: plan.timeout,
    signal: stop,
    breathe: collectGarbage,
    ...(plan.failFast && { stopWhen: stopper(plan, subject.target) }),
    keepAll: plan.evidence === 'all' || plan.story !== undefined,
    ...(revisions && { revisions }),
  })
}

/** Stays, and judges what failed again whenever the gateway has restarted; all of it, where nothing has failed. */
async function watch(
  first: Report,
  subject: Subject,
  plan: Plan,
  args: Arguments,
  term: Terminal,
  stop: AbortSignal,
): Promise<number> {
  let last = first
  const { url, headers } = plan.told!.wanted
  for (;;) {
    const failed = new Set(last.results.filter(r => r.verdict === 'fail' || r.verdict === 'error').map(r => r.check.id))
    const chosen = failed.size ? plan.chosen.filter(c => failed.has(c.id)) : plan.chosen
    term.warn(
      `Watching: restart the gateway, or press Enter, to judge ${failed.size ? `the ${several(chosen.length, 'check')} that failed` : 'all of it'} again. Ctrl-C ends.`,
    )
    if ((await untilAgain(url, headers, stop)) === undefined) return INTERRUPTED
    const next = await judge(subject, { ...plan, chosen, outputs: [{ format: 'text' }] }, args, term, stop)
    if (stop.aborted) return INTERRUPTED
    const before = { ...last, results: last.results.filter(r => chosen.includes(r.check)) }
    term.print(
      `\n${diffText(diff(before, next), paint(term.colour && !args.has('no-color')), term.columns).join('\n')}`,
    )
    last = { ...next, results: [...last.results.filter(r => !chosen.includes(r.check)), ...next.results] }
  }
}

async function waitFor({ wanted }: Told, ms: number, term: Terminal, stop: AbortSignal): Promise<void> {
  if (term.live) term.raw(`Waiting for ${wanted.url} to answer initialize, up to ${ms / 1000} s …`)
  try {
    await untilReady(wanted.url, wanted.headers, ms, stop)
  } finally {
    if (term.live) term.raw('\r\u001b[K')
  }
}

/** The first failure that counts: a rule that another pack contradicts may not, which is known at the end only. */
const stopper =
  ({ policy }: Plan, target: Target) =>
  (result: Result): boolean =>
    !result.check.contradicts?.length && counts(result, { target, startedAt: new Date(), results: [result] }, policy)

async function readPlan(args: Arguments): Promise<Plan> {
  const told = await readTold(args, process.env)
  const mutant = args.value('mutant')
  if (told && mutant !== undefined)
    throw new WrongUsage('--mutant is for the embedded gateway: leave --url and --target out.')
  const story = storyOf(args.value('profile'))
  const packs = args.words('pack').map(word => oneOf<Pack>(word, PACKS, 'pack'))
  const own = (await loadSuites(args.values('suite'))).flatMap(s => s.checks)
  const all = [...checks, ...own]
  const selected = select(all, {
    only: [...(story?.only ?? []), ...args.words('only')],
    skip: args.words('skip'),
    packs: packs.length ? packs : told && !story ? ['mcp'] : PACKS,
    always: packs.length ? [] : own,
  })
  const shard = args.value('shard')
  const chosen = shard === undefined ? selected : shardOf(selected, readShard(shard))
  const wait = args.value('wait')
  if (args.has('watch') && !told)
    throw new WrongUsage('--watch is for a gateway of yours: give --url or --target, too.')
  if (wait !== undefined && !told)
    throw new WrongUsage('--wait is for a gateway of yours: give --url or --target, too.')
  return {
    told,
    mutant,
    all,
    chosen,
    outputs: readOutputs(args),
    evidence: oneOf<EvidenceShown>(args.value('evidence') ?? 'failures', ['failures', 'all', 'none'], 'evidence'),
    timeout: readTimeout(args),
    story,
    failFast: args.has('fail-fast'),
    watch: args.has('watch'),
    wait: wait === undefined ? undefined : readTime(wait, 'wait'),
    policy: { baseline: await baseline(args, all), strict: args.has('strict') },
  }
}

async function baseline(args: Arguments, all: readonly Check[]): Promise<Baseline> {
  const path = args.value('baseline')
  if (path === undefined) return []
  const { readBaseline } = await import('../../kit/baseline.ts')
  return readBaseline(
    readText(path, 'baseline'),
    path,
    all.map(c => c.id),
  )
}

function watchers(subject: Subject, plan: Plan, args: Arguments, term: Terminal): Reporter[] {
  const { all, chosen, outputs, evidence, policy, story } = plan
  const total = all.filter(c => chosen.some(k => k.pack === c.pack)).length
  const first = `mcp-conformance ${version()} judges ${subject.called}`
  const whole = [
    first,
    ...about(subject.target),
    ...(subject.platform ? ['the suites of the platform are judged on the same gateway with all its guards on'] : []),
    ...subject.notes,
    chosen.length === total ? several(total, 'check') : `${chosen.length} of ${several(total, 'check')}`,
  ]
  const head = story ? [first, ...subject.notes, `It tells ${story.says}.`] : whole
  const options: TextOptions = {
    version: version(),
    policy,
    evidence,
    partial: chosen.length < total,
    paint: paint(term.colour && !args.has('no-color')),
    columns: term.columns,
    lines: !term.live,
    times: readRevisions(args)?.length ?? 1,
    head,
    ...(story && { story }),
    again: {
      command: again(args, process.env),
      ...(subject.start && { start: subject.start }),
      ...(subject.startPlatform && { startPlatform: subject.startPlatform }),
    },
  }
  const silent = outputs.every(o => o.format !== 'text' || o.file !== undefined)
  if (silent) term.warn(first)
  return reporters(outputs, options, term)
}

function about({ routing, servers, revisions, features }: Target): string[] {
  const way = { path: routing.path ?? '/{backend}/mcp', header: routing.header ?? 'Mcp-Name' }[routing.style as string]
  return [
    `routing by ${routing.style}${way ? ` ${way}` : ''} · behind it ${servers.join(', ')} · revisions ${revisions.join(', ')}`,
    `features: ${features.join(', ')}`,
  ]
}
