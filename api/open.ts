import { validSuite } from '../cli/own/validate.ts'
import { formFor, judging, subjectOf } from '../cli/subject.ts'
import { DEFAULT_TIMEOUT } from '../cli/wanted.ts'
import { CannotJudge, WrongUsage } from '../kit/errors.ts'
import { didYouMean } from '../kit/nearest.ts'
import { run as judgeAll } from '../kit/run.ts'
import { PACKS, select } from '../kit/select.ts'
import type { Check, Pack, Report, Reporter, Result, Revision, Suite, Target } from '../kit/types.ts'
import { suites as builtIn, checks } from '../suites/index.ts'
import { behindOf } from './inner/behind.ts'
import { told } from './inner/told.ts'
import type { Mocks } from './mocks.ts'
import type { TargetGiven } from './target.ts'

/** How a gateway is opened. */
export interface OpenOptions {
  /** Mock servers that are up already, from startMocks. Else they are started at the ports of the target. */
  readonly mocks?: Mocks
  /** How long one check may take, in ms; 5000 where not given. */
  readonly timeout?: number
  /** Ends what is going on: what was judged until then is reported. */
  readonly signal?: AbortSignal
  /** Suites of your own, judged beside those of the kit. */
  readonly suites?: readonly Suite[]
  /** Of the embedded gateway: the fault that is put in. */
  readonly mutant?: string
}

/** Which checks are judged, and how. */
export interface Chosen {
  /** Globs over ids; a suite's id alone means all of it. */
  readonly only?: readonly string[]
  /** Globs of what is left out. */
  readonly skip?: readonly string[]
  /** Default: `mcp` and your own suites, and all packs for the embedded gateway. */
  readonly packs?: readonly Pack[]
  /** Judges every check in each of these; else in the newest that it holds for. */
  readonly revisions?: readonly Revision[]
  /** Watch the run. */
  readonly reporters?: readonly Reporter[]
  /** Of which checks the evidence is kept; `failures` where not given. */
  readonly evidence?: 'failures' | 'all'
}

/** A gateway that was looked at, with the mock servers behind it. */
export interface OpenGateway {
  /** What the kit found out about it. */
  readonly target: Target
  /** Judges the chosen checks. Never throws for what the gateway does. */
  run(chosen?: Chosen): Promise<Report>
  /** Judges one check, by its id. Throws WrongUsage for an unknown one. */
  judge(id: string, revision?: Revision): Promise<Result>
  /** Closes all that was started for it; not the mocks that were given. */
  close(): Promise<void>
}

/**
 * Looks at a gateway; without one, at the embedded reference gateway. Throws WrongUsage where the target makes no sense,
 * CannotJudge where there is nothing to judge.
 */
export async function open(given?: TargetGiven, options: OpenOptions = {}): Promise<OpenGateway> {
  const { mocks, timeout = DEFAULT_TIMEOUT, signal = new AbortController().signal, suites = [], mutant } = options
  if (given !== undefined && mutant !== undefined)
    throw new WrongUsage('A mutant is for the embedded gateway: leave the target or the mutant out.')
  if (given === undefined && mocks)
    throw new WrongUsage('The embedded gateway has mock servers of its own: leave `mocks` out, or name a gateway.')
  const { all, own } = withOwn(suites)
  const about = given === undefined ? undefined : told(given)
  const subject = await subjectOf(about, mutant, timeout, signal, formFor(all), mocks && behindOf(mocks))
  if (!subject) throw new CannotJudge('It was interrupted before anything was judged.')
  const go = (chosen: readonly Check[], { revisions, reporters = [], evidence }: Chosen) =>
    judgeAll(subject.target, chosen, {
      ...judging(subject),
      timeout,
      signal,
      reporters,
      keepAll: evidence === 'all',
      ...(revisions && { revisions }),
    })
  return {
    target: subject.target,
    run: (chosen = {}) => go(choose(all, own, chosen, about === undefined), chosen),
    judge: async (id, revision) => {
      const check = all.find(c => c.id === id) ?? unknown(id, all)
      const report = await go([check], { evidence: 'all', ...(revision && { revisions: [revision] }) })
      return report.results[0] ?? interrupted()
    },
    close: () => subject.close(),
  }
}

/** The checks of the kit and those of these suites, held to the same rules. Throws WrongUsage where one is none. */
export function withOwn(suites: readonly Suite[] = []): { all: readonly Check[]; own: readonly Check[] } {
  const valid: Suite[] = []
  for (const suite of suites) valid.push(validSuite(suite, '`suites`', [...builtIn, ...valid]))
  const own = valid.flatMap(s => s.checks)
  return { all: [...checks, ...own], own }
}

/** The checks that are meant. Where no pack is named, a user's own suites are judged whatever their pack. */
export const choose = (all: readonly Check[], own: readonly Check[], chosen: Chosen, embedded: boolean) =>
  select(all, { ...chosen, packs: chosen.packs ?? (embedded ? PACKS : ['mcp']), always: chosen.packs ? [] : own })

function unknown(id: string, all: readonly Check[]): never {
  const guess = didYouMean(
    id,
    all.map(c => c.id),
  )
  throw new WrongUsage(`There is no check ${id}.${guess}`)
}

function interrupted(): never {
  throw new CannotJudge('It was interrupted before the check was judged.')
}
