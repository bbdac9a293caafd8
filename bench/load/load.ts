import { quantilesOf } from '../histogram.ts'
import { SCENARIOS } from '../scenarios.ts'
import type { BenchSubject } from '../subject.ts'
import type { LoadRow } from '../types.ts'
import { type OpenWay, openWay } from '../way.ts'
import { openLoop } from './open-loop.ts'
import { saturate } from './saturation.ts'

export interface LoadOptions {
  readonly quick: boolean
  /** Calls a second, sent at a fixed rate, in place of as many as go. */
  readonly rate?: number
  readonly seed: number
  readonly signal?: AbortSignal
  readonly progress?: (now: string, share: number) => void
}

const CONNECTIONS = [1, 10, 50]
const SECONDS = { quick: 1, whole: 2 } as const
/** Calls on each connection of a fixed rate before it counts. */
const WARM_UP = 20
/** Connections of a fixed rate: with more calls than these under way, calls are dropped. */
const MOST_UNDER_WAY = 64

const scenario = SCENARIOS.find(s => s.id === 'call')!

/** How both ways do under load, one after the other: together they would share the processor. */
export async function load(subject: BenchSubject, options: LoadOptions): Promise<LoadRow[]> {
  const revision = subject.target.revisions.at(-1) ?? '2025-11-25'
  const ends = [subject.direct(revision), await subject.through(revision)]
  const seconds = options.quick ? SECONDS.quick : SECONDS.whole
  const rows: LoadRow[] = []
  const { rate } = options
  const steps = rate === undefined ? CONNECTIONS : [rate]
  let from = 500_000_000
  for (const [i, step] of steps.entries()) {
    for (const [k, end] of ends.entries()) {
      if (options.signal?.aborted) return rows
      options.progress?.(
        `${step} ${rate === undefined ? 'connections' : 'calls a second'}, ${end.name}`,
        (i + k / 2) / steps.length,
      )
      rows.push(
        rate === undefined
          ? await saturate(end, scenario, { connections: step, seconds, from })
          : await atRate(
              await Promise.all(Array.from({ length: MOST_UNDER_WAY }, () => openWay(end, scenario))),
              rate,
              {
                seconds: 3 * seconds,
                from,
                ...(options.signal && { signal: options.signal }),
              },
            ),
      )
      from += 10_000_000
    }
  }
  return rows
}

async function atRate(
  ways: readonly OpenWay[],
  rate: number,
  given: { readonly seconds: number; readonly from: number; readonly signal?: AbortSignal },
): Promise<LoadRow> {
  try {
    // Connections are opened by the first call on each: that is no part of what is measured.
    for (let i = 0; i < WARM_UP; i++)
      await Promise.all(ways.map((way, k) => way.call(given.from + 1_000_000 + i * ways.length + k)))
    const { us, dropped, failed, achieved } = await openLoop(ways, { rate, ...given })
    return {
      way: ways[0]!.name,
      connections: ways.length,
      rate,
      calls: us.length,
      errors: failed,
      dropped,
      perSecond: Math.round(us.length / given.seconds),
      latency: quantilesOf(us.sort()),
      ...(achieved < 0.95 * (rate * (1 - dropped / (rate * given.seconds))) && {
        limitedBySender: `the sender reached ${achieved} calls a second only`,
      }),
    }
  } finally {
    for (const way of ways) await way.end()
  }
}
