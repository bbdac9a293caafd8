import { bench } from '../../bench/bench.ts'
import { sayUs } from '../../bench/budget.ts'
import { plan } from '../../bench/plan.ts'
import { SCENARIOS } from '../../bench/scenarios.ts'
import type { Told } from '../wanted.ts'
import { openOwn } from './own.ts'

/**
 * What can be said of a gateway whose servers nobody can ask without it: how long tools/list takes in all. Undefined where not
 * even that can be measured.
 */
export async function totalOf(told: Told, seed: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { subject } = await openOwn(told, told.wanted.url, undefined, told.wanted.headers)
    const scenario = { ...SCENARIOS.find(s => s.id === 'list')!, needs: [] }
    const jobs = plan(subject, { quick: true, scenarios: [scenario], named: true })
    const { rows } = await bench(
      jobs.map(job => ({ ...job, pairs: 200 })),
      { budget: {}, seed, signal },
    )
    const [row] = rows
    if (!row || row.pairs === 0) return undefined
    return `In all, its servers included, tools/list takes ${sayUs(row.through.p50)} at p50 and ${sayUs(row.through.p95)} at p95.`
  } catch {
    return undefined
  }
}
