import { quantile, seeded } from '../kit/statistics.ts'
import type { Revision } from '../kit/types.ts'
import { bench } from './bench.ts'
import { crowded } from './crowd.ts'
import { aggregating, type EmbeddedHouse, routesOf } from './embedded.ts'
import { type Endpoint, endSessions, openSessions } from './endpoint.ts'
import { growthOf } from './growth.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import type { BenchSubject } from './subject.ts'
import type { Point, Sweep, SweepReport } from './types.ts'
import { openWay } from './way.ts'

/** All of them. */
export const SWEEPS: readonly Sweep[] = ['sessions', 'routes', 'payload', 'concurrency', 'backends']

export interface SweepOptions {
  readonly quick: boolean
  readonly seed: number
  readonly signal?: AbortSignal
  readonly progress?: (now: string, share: number) => void
  /** Opens the embedded gateway as it has to be set up; absent where another one is measured. */
  readonly house?: EmbeddedHouse
}

/** Sweeps for which the gateway itself must be set up anew at each step. */
export const EMBEDDED_ONLY: ReadonlySet<Sweep> = new Set(['routes', 'backends'])

const STEPS: Readonly<Record<Sweep, readonly number[]>> = {
  sessions: [1, 10, 100, 1000, 5000],
  routes: [1, 10, 100, 1000, 10_000],
  payload: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304],
  concurrency: [1, 2, 4, 8, 16, 32, 64],
  backends: [1, 2, 4, 8, 16],
}

const SAYS: Readonly<Record<Sweep, string>> = {
  sessions: 'a small tool call while so many sessions are open',
  routes: 'a small tool call with so many routes in the table',
  payload: 'a call with a result of so many bytes',
  concurrency: 'a small tool call while so many are under way at once',
  backends: 'tools/list of the aggregating endpoint over so many servers',
}

const scenarioOf = (id: string): Scenario => SCENARIOS.find(s => s.id === id)!

/** Measures step by step, and says how it grows. */
export async function sweep(by: Sweep, subject: BenchSubject, options: SweepOptions): Promise<SweepReport> {
  const steps = options.quick ? STEPS[by].filter((_, i) => i % 2 === 0) : STEPS[by]
  const points: Point[] = []
  for (const [i, n] of steps.entries()) {
    if (options.signal?.aborted) break
    options.progress?.(`${by}: ${n}`, i / steps.length)
    points.push(await pointAt(by, n, subject, options))
  }
  return { by, says: SAYS[by], points, growth: growthOf(points.map(({ n, addedP50 }) => ({ n, us: addedP50 }))) }
}

async function pointAt(by: Sweep, n: number, subject: BenchSubject, options: SweepOptions): Promise<Point> {
  const pairs = options.quick ? 200 : 600
  const revision = subject.target.revisions.at(-1) ?? '2025-11-25'
  switch (by) {
    case 'sessions': {
      const there = await subject.through(revision)
      const others = await openSessions(there, n - 1)
      try {
        return await pairedPoint(n, subject, scenarioOf('call'), revision, pairs, options)
      } finally {
        await endSessions(there, others)
      }
    }
    case 'payload': {
      const big = { ...scenarioOf('result-1kb').call, arguments: { bytes: n } }
      const fewer = Math.max(20, Math.min(pairs, Math.round(40_000_000 / n)))
      return pairedPoint(n, subject, { ...scenarioOf('result-1kb'), call: big }, revision, fewer, options)
    }
    case 'concurrency':
      return crowdedPoint(n, subject, revision, pairs, options)
    case 'routes':
      return inHouse(options.house!.open(routesOf(n)), s =>
        pairedPoint(n, s, scenarioOf('call'), revision, pairs, options),
      )
    case 'backends':
      return inHouse(options.house!.open(aggregating(n)), s =>
        pairedPoint(n, s, scenarioOf('list'), revision, pairs / 2, options),
      )
  }
}

async function inHouse(
  opening: Promise<BenchSubject>,
  point: (subject: BenchSubject) => Promise<Point>,
): Promise<Point> {
  const subject = await opening
  try {
    return await point(subject)
  } finally {
    await subject.stop()
  }
}

async function pairedPoint(
  n: number,
  subject: BenchSubject,
  scenario: Scenario,
  revision: Revision,
  pairs: number,
  { seed, signal }: SweepOptions,
): Promise<Point> {
  const { judged: _, ...rest } = scenario
  const job = { scenario: rest, subject, revision, pairs: Math.round(pairs), most: 6000 }
  const { rows, notes } = await bench([job], { budget: {}, seed, ...(signal && { signal }) })
  const [row] = rows
  if (!row || row.pairs === 0)
    throw new Error(notes[0] ?? `every call failed: ${row?.faults[0]?.fault ?? 'nothing came'}`)
  return { n, directP50: row.direct.p50, addedP50: row.added.p50.value, addedP95: row.added.p95.value }
}

async function crowdedPoint(
  n: number,
  subject: BenchSubject,
  revision: Revision,
  pairs: number,
  { seed, signal }: SweepOptions,
): Promise<Point> {
  const there = await subject.through(revision)
  const open = (endpoint: Endpoint) =>
    Promise.all(Array.from({ length: n }, () => openWay(endpoint, scenarioOf('call'))))
  const ways = [await open(subject.direct(revision)), await open(there)] as const
  try {
    const random = seeded(seed)
    await crowded(ways, pairs, 1, random, signal)
    const { direct, through } = await crowded(ways, pairs * 4, pairs * 2 + 1000, random, signal)
    const [a, b] = [direct.sort(), through.sort()]
    const more = (q: number) => quantile(b, q) - quantile(a, q)
    return { n, directP50: quantile(a, 0.5), addedP50: more(0.5), addedP95: more(0.95) }
  } finally {
    for (const way of ways.flat()) await way.end()
  }
}
