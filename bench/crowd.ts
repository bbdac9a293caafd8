import { latencies } from './paired.ts'
import type { Sample, Way } from './types.ts'

/** What calls cost while so many are under way on each of two ways, by turns. */
export interface Crowded {
  readonly direct: Float64Array
  readonly through: Float64Array
  readonly failed: number
}

/** Blocks in which one way has all connections to itself, by turns: who shares the processor would measure the other. */
const BLOCKS = 6

/** `ways` are as many open ways as calls under way, first direct, then through; each sends so many `calls` in all. */
export async function crowded(
  [direct, through]: readonly [readonly Way[], readonly Way[]],
  calls: number,
  from: number,
  random: () => number,
  signal?: AbortSignal,
): Promise<Crowded> {
  const seen: [Sample[], Sample[]] = [[], []]
  let next = from
  const block = async (ways: readonly Way[], into: Sample[]) => {
    let left = Math.ceil(calls / BLOCKS)
    const work = async (way: Way) => {
      while (left-- > 0 && !signal?.aborted) {
        into.push(await way.call(next++).catch(cause => ({ us: Number.NaN, fault: String(cause) })))
      }
    }
    await Promise.all(ways.map(work))
  }
  for (let i = 0; i < BLOCKS; i++) {
    const first = random() < 0.5
    await block(first ? direct : through, seen[first ? 0 : 1])
    await block(first ? through : direct, seen[first ? 1 : 0])
  }
  const good = seen.map(samples => samples.filter(s => s.fault === undefined))
  return {
    direct: latencies(good[0]!),
    through: latencies(good[1]!),
    failed: seen.flat().length - good.flat().length,
  }
}
