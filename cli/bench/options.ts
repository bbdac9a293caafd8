import { DEFAULT_BUDGET, readBudget } from '../../bench/budget.ts'
import { DEFAULT_THRESHOLD, readThreshold, type Threshold } from '../../bench/change.ts'
import { readBenchReport } from '../../bench/document.ts'
import { SCENARIOS, type Scenario } from '../../bench/scenarios.ts'
import { EMBEDDED_ONLY, SWEEPS } from '../../bench/sweep.ts'
import type { BenchReport, Budget, Sweep } from '../../bench/types.ts'
import { WrongUsage } from '../../kit/errors.ts'
import type { Revision } from '../../kit/types.ts'
import { type Arguments, oneOf, wholeNumber } from '../arguments.ts'
import { readRevisions } from '../wanted.ts'

/** What the command line says of a measurement. */
export interface Wishes {
  readonly quick: boolean
  readonly budget: Budget
  readonly scenarios: readonly Scenario[]
  /** Whether scenarios were named: then they are measured even where a quick run leaves them out. */
  readonly named: boolean
  readonly pairs?: number
  readonly revisions?: readonly Revision[]
  readonly seed: number
  readonly threshold: Threshold
  /** The report that this one is compared with. */
  readonly base?: BenchReport
  /** The user's own servers: where they answer without the gateway. */
  readonly direct?: string
  readonly against?: string
  /** What to turn up, in place of the usual scenarios. */
  readonly sweeps: readonly Sweep[]
  /** Load at a fixed rate, in place of the usual scenarios. */
  readonly rate?: number
  /** Leaves the load out. */
  readonly noLoad: boolean
}

/** Reads and checks the flags. Throws WrongUsage. */
export function readWishes(args: Arguments): Wishes {
  const budget = sure('budget', args.value('budget'), readBudget, DEFAULT_BUDGET)
  const threshold = sure('threshold', args.value('threshold'), readThreshold, DEFAULT_THRESHOLD)
  const [pairs, base, against] = ['pairs', 'compare', 'against'].map(flag => args.value(flag))
  const revisions = readRevisions(args)
  const direct = args.value('direct')
  if (direct === undefined && (args.has('call') || args.has('arguments')))
    throw new WrongUsage('--call and --arguments are for servers of your own: say with --direct URL where they answer.')
  if (against !== undefined) checkUrl('against', against)
  if (direct !== undefined) checkUrl('direct', direct)
  const words = args.words('scenario')
  if (direct !== undefined && words.length)
    throw new WrongUsage('--scenario is for the mock servers: with --direct, give --call.')
  return {
    quick: args.has('quick'),
    budget,
    scenarios: direct === undefined ? chosen(words) : [ownCall(args)],
    named: direct !== undefined || words.length > 0,
    ...(pairs !== undefined && { pairs: wholeNumber(pairs, 'pairs', 20, 1_000_000) }),
    ...(revisions && { revisions }),
    seed: wholeNumber(args.value('seed') ?? String(Date.now() % 1_000_000), 'seed', 0, 4_294_967_295),
    threshold,
    ...(base !== undefined && { base: readBenchReport(base) }),
    ...(direct !== undefined && { direct }),
    ...(against !== undefined && { against }),
    sweeps: readSweeps(args),
    ...(args.has('rate') && { rate: wholeNumber(args.value('rate')!, 'rate', 1, 50_000) }),
    noLoad: args.has('no-load'),
  }
}

function readSweeps(args: Arguments): readonly Sweep[] {
  const sweeps = args.words('sweep').map(word => oneOf(word, SWEEPS, 'sweep'))
  const own = sweeps.find(by => EMBEDDED_ONLY.has(by))
  if (own !== undefined && (args.has('url') || args.has('target')))
    throw new WrongUsage(
      `--sweep ${own} sets the gateway up anew at each step: that can be done with the embedded one only.`,
    )
  if (sweeps.length && args.has('direct')) throw new WrongUsage('--sweep is for the mock servers, not for --direct.')
  return sweeps
}

function chosen(words: readonly string[]): readonly Scenario[] {
  const ids = SCENARIOS.map(s => s.id)
  const wanted = words.map(word => oneOf(word, ids, 'scenario'))
  return words.length ? SCENARIOS.filter(s => wanted.includes(s.id)) : SCENARIOS
}

/** The call that the user names; without one `tools/list`, which changes nothing. */
function ownCall(args: Arguments): Scenario {
  const tool = args.value('call')
  const text = args.value('arguments')
  const judged = SCENARIOS[0]!.judged!
  if (tool === undefined) {
    if (text !== undefined) throw new WrongUsage('--arguments needs the tool that takes them: --call TOOL.')
    return { id: 'own', says: 'tools/list', call: { method: 'tools/list' }, pairs: 1000, quick: 300, judged }
  }
  return {
    id: 'own',
    says: `a call of ${tool}`,
    call: { method: 'tools/call', tool, arguments: text === undefined ? {} : readArgumentsOf(text), own: true },
    pairs: 1000,
    quick: 300,
    judged,
  }
}

function readArgumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw new WrongUsage(`--arguments must be a JSON object such as '{"id":7}', not ${text}.`)
}

function checkUrl(flag: string, url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new WrongUsage(`--${flag} ${url} is no address: it must be like http://127.0.0.1:8080/mcp.`)
}

function sure<T>(flag: string, text: string | undefined, read: (text: string) => T | string, usual: T): T {
  if (text === undefined) return usual
  const value = read(text)
  if (typeof value === 'string') throw new WrongUsage(`--${flag}: ${value}.`)
  return value
}
