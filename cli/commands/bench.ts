import { type Job, bench as measureAll } from '../../bench/bench.ts'
import { GUARDED, openHouse, PLAIN, routesOf } from '../../bench/embedded.ts'
import { machine } from '../../bench/machine.ts'
import { overall } from '../../bench/overall.ts'
import { plan } from '../../bench/plan.ts'
import type { BenchSubject } from '../../bench/subject.ts'
import type { BenchReport } from '../../bench/types.ts'
import { WrongUsage } from '../../kit/errors.ts'
import { readWishes, type Wishes } from '../bench/options.ts'
import { benchProgress } from '../bench/progress.ts'
import { openForeign } from '../bench/subjects.ts'
import { benchText } from '../bench/text.ts'
import { INTERRUPTED, untilInterrupted } from '../interrupt.ts'
import { paint } from '../paint.ts'
import type { Program } from '../program.ts'
import { version } from '../version.ts'
import { readTimeout, readTold } from '../wanted.ts'

/** What is measured, with what stands behind it. */
interface Opened {
  readonly subject: BenchSubject
  readonly against?: BenchSubject
  readonly jobs: readonly Job[]
  close(): Promise<void>
}

const PATTERN = 'one call at a time, back to back, over kept connections; direct and through by turns, in random order'

/** Measures what a gateway adds to the time of a call: the one that was named, else the embedded one. */
export const bench: Program = async (args, term) => {
  const wishes = readWishes(args)
  const told = await readTold(args, process.env)
  const against = args.value('against')
  if (against !== undefined && !told)
    throw new WrongUsage('--against compares with a gateway of yours: give --url, too.')
  const stop = untilInterrupted()
  const began = performance.now()
  const startedAt = new Date()
  const here = machine()
  const opened = told ? await openTold() : await openEmbedded(wishes)
  const show = benchProgress(term)
  try {
    const { subject, jobs } = opened
    term.warn(`mcp-conformance ${version()} measures ${subject.name} at ${subject.url}`)
    const measured = await measureAll(jobs, { ...wishes, signal: stop, progress: show.progress })
    show.end()
    if (stop.aborted) return INTERRUPTED
    const report: BenchReport = {
      kind: 'mcp-conformance-bench',
      version: 1,
      kit: version(),
      startedAt: startedAt.toISOString(),
      seconds: Number(((performance.now() - began) / 1000).toFixed(1)),
      target: { name: subject.name, url: subject.url, on: subject.on },
      ...(opened.against && { against: { name: opened.against.name, url: opened.against.url } }),
      machine: here,
      pattern: PATTERN,
      server: subject.server,
      rows: measured.rows,
      load: [],
      budget: wishes.budget,
      verdict: overall(measured.judged),
      notes: [...subject.notes, ...measured.notes],
    }
    term.print(
      args.has('json')
        ? JSON.stringify(report, null, 2)
        : benchText(report, paint(term.colour && !args.has('no-color')), term.columns),
    )
    return { pass: 0, fail: 1, inconclusive: 3 }[report.verdict.verdict]
  } finally {
    show.end()
    await opened.close()
  }

  async function openTold(): Promise<Opened> {
    const { subject, against: other, close } = await openForeign(told!, against, readTimeout(args), stop)
    return { subject, ...(other && { against: other }), jobs: plan(subject, wishes, other), close }
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
    return { subject, jobs, close: house.stop }
  } catch (cause) {
    await house.stop()
    throw cause
  }
}
