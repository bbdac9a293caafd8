import { type Job, type Measurements, bench as measureAll } from '../../bench/bench.ts'
import { type Change, compare, compareAgainst } from '../../bench/compare.ts'
import { type EmbeddedHouse, GUARDED, openHouse, PLAIN, routesOf } from '../../bench/embedded.ts'
import { load } from '../../bench/load/load.ts'
import { machine } from '../../bench/machine.ts'
import { overall } from '../../bench/overall.ts'
import { plan } from '../../bench/plan.ts'
import type { BenchSubject } from '../../bench/subject.ts'
import { sweep } from '../../bench/sweep.ts'
import type { BenchReport, Judgement, LoadRow, SweepReport } from '../../bench/types.ts'
import { CannotJudge, WrongUsage } from '../../kit/errors.ts'
import type { Arguments } from '../arguments.ts'
import { exportK6, importK6 } from '../bench/k6.ts'
import { readWishes, type Wishes } from '../bench/options.ts'
import { readBenchOutputs, writeBench } from '../bench/outputs.ts'
import { openOwn } from '../bench/own.ts'
import { benchProgress } from '../bench/progress.ts'
import { benchExitCode } from '../bench/result.ts'
import { openForeign } from '../bench/subjects.ts'
import { totalOf } from '../bench/total.ts'
import { INTERRUPTED, untilInterrupted } from '../interrupt.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { version } from '../version.ts'
import { readTimeout, readTold, type Told } from '../wanted.ts'

/** What is measured, with what stands behind it. */
interface Opened {
  readonly subject: BenchSubject
  readonly against?: BenchSubject
  readonly jobs: readonly Job[]
  readonly house?: EmbeddedHouse
  close(): Promise<void>
}

const PATTERN = 'one call at a time, back to back, over kept connections; direct and through by turns, in random order'

/** Measures what a gateway adds to the time of a call: the one that was named, else the embedded one. */
export const bench: Program = async (args, term) => {
  const wishes = readWishes(args)
  const summary = args.value('import')
  if (summary !== undefined) return importK6(summary, term)
  if (args.has('export')) return exportK6(args, await readTold(args, process.env), wishes, term)
  const outputs = readBenchOutputs(args)
  const stop = untilInterrupted()
  const here = machine()
  const startedAt = new Date()
  const opened = await open(args, wishes, stop)
  const show = benchProgress(term)
  try {
    const { subject, jobs } = opened
    term.warn(`mcp-conformance ${version()} measures ${subject.name} at ${subject.url}`)
    const given = { ...wishes, signal: stop, progress: show.progress }
    const measured = wishes.sweeps.length || wishes.rate !== undefined ? NOTHING : await measureAll(jobs, given)
    const limited = subject.target.limits.rps !== undefined
    const isLoaded =
      wishes.rate !== undefined || !(wishes.noLoad || wishes.named || wishes.sweeps.length || wishes.direct || limited)
    const loaded = isLoaded ? await load(subject, given) : []
    const sweeps: SweepReport[] = []
    for (const by of wishes.sweeps) {
      sweeps.push(await sweep(by, subject, { ...given, ...(opened.house && { house: opened.house }) }))
    }
    show.end()
    if (stop.aborted) {
      term.warn('Interrupted: what was measured so far is not enough to be told.')
      return INTERRUPTED
    }
    const report = reportOf(opened, measured, wishes, { here, startedAt, sweeps, loaded })
    const changes = changesOf(report, wishes)
    writeBench(report, changes, outputs, term, paint(term.colour && !args.has('no-color')))
    return benchExitCode(report, changes)
  } finally {
    show.end()
    await opened.close()
  }
}

async function open(args: Arguments, wishes: Wishes, stop: AbortSignal): Promise<Opened> {
  const told = await readTold(args, process.env)
  const { against, direct } = wishes
  if (!told) {
    const flag = against !== undefined ? '--against' : direct !== undefined ? '--direct' : undefined
    if (flag) throw new WrongUsage(`${flag} is for a gateway of yours: give --url or --target, too.`)
    return openEmbedded(wishes)
  }
  const subjects = direct === undefined ? await mocked(told, wishes, args, stop) : await openOwn(told, direct, against)
  return { ...subjects, jobs: plan(subjects.subject, wishes, subjects.against) }
}

/** With the mock servers behind it. Where they are not, what can be said all the same is said with the reason. */
async function mocked(told: Told, { against, seed }: Wishes, args: Arguments, stop: AbortSignal) {
  try {
    return await openForeign(told, against, readTimeout(args), stop)
  } catch (cause) {
    if (!(cause instanceof CannotJudge) || !cause.message.includes('reached the mock server')) throw cause
    const total = await totalOf(told, seed, stop)
    throw new CannotJudge(`What it adds is not measurable directly: ${cause.message}`, [
      ...cause.hint,
      'Or, where its own servers can be asked without it, give --direct URL.',
      ...(total === undefined ? [] : [total]),
    ])
  }
}

/** The embedded gateway: without guards, and the call of the budget with guards and with many routes, too. */
async function openEmbedded(wishes: Wishes): Promise<Opened> {
  const house = await openHouse()
  try {
    const subject = await house.open(PLAIN)
    const jobs = [...plan(subject, wishes)]
    const call = jobs.find(job => job.scenario.judged)
    if (call) {
      for (const setting of wishes.quick ? [GUARDED] : [GUARDED, routesOf(10_000)])
        jobs.push({
          ...call,
          subject: await house.open(setting),
          setting: setting.says,
          pairs: Math.min(call.pairs, 3000),
        })
    }
    return { subject, jobs, house, close: house.stop }
  } catch (cause) {
    await house.stop()
    throw cause
  }
}

interface Frame {
  readonly here: BenchReport['machine']
  readonly startedAt: Date
  readonly sweeps: readonly SweepReport[]
  readonly loaded: readonly LoadRow[]
}

/** Where only sweeps were asked for. */
const NOTHING: Measurements = { rows: [], judged: [], notes: [] }

function reportOf(
  { subject, against }: Opened,
  { rows, judged, notes }: Measurements,
  { budget }: Wishes,
  { here, startedAt, sweeps, loaded }: Frame,
): BenchReport {
  return {
    kind: 'mcp-conformance-bench',
    version: 1,
    kit: version(),
    startedAt: startedAt.toISOString(),
    seconds: Number(((Date.now() - startedAt.getTime()) / 1000).toFixed(1)),
    target: { name: subject.name, url: subject.url, on: subject.on },
    ...(against && { against: { name: against.name, url: against.url } }),
    machine: here,
    pattern: PATTERN,
    server: subject.server,
    rows,
    load: loaded,
    ...(sweeps.length && { sweeps }),
    budget,
    verdict: rows.length === 0 && (sweeps.length || loaded.length) ? shown(sweeps) : overall(judged),
    notes: [...subject.notes, ...notes],
  }
}

/** Sweeps and load are for looking at: no budget is about them. */
const shown = (sweeps: readonly SweepReport[]): Judgement => ({
  scenario: '',
  verdict: 'pass',
  at: [],
  says:
    sweeps.length === 0
      ? 'no budget is about load'
      : sweeps.map(({ by, growth }) => `with ${by}, ${growth.says}`).join('; '),
})

const changesOf = (report: BenchReport, { base, threshold }: Wishes): Change[] => [
  ...(base ? compare(base, report, threshold) : []),
  ...compareAgainst(report, threshold),
]
