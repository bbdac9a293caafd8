import type { Estimate } from '../kit/statistics.ts'

/** From when on a difference is worth a word: both must be exceeded, and the interval must exclude zero. */
export interface Threshold {
  /** A share of what it is compared with: 0.1 is 10 %. */
  readonly share: number
  /** In µs. */
  readonly us: number
}

/** 10 % and 0.1 ms. */
export const DEFAULT_THRESHOLD: Threshold = { share: 0.1, us: 100 }

/** Whether a difference from `base` (µs) is one that can be relied on, and that matters: slower, faster, or neither. */
export function change(
  difference: Estimate,
  base: number,
  { share, us }: Threshold = DEFAULT_THRESHOLD,
): 'slower' | 'faster' | 'same' {
  const isLarge = Math.abs(difference.value) >= us && Math.abs(difference.value) >= share * Math.abs(base)
  if (!isLarge) return 'same'
  if (difference.low > 0) return 'slower'
  return difference.high < 0 ? 'faster' : 'same'
}

/** Reads `10%,0.1ms`. Gives a sentence where it can't be read. */
export function readThreshold(text: string): Threshold | string {
  const found: { share?: number; us?: number } = {}
  for (const part of text.split(',').map(word => word.trim())) {
    const [, number = '', unit] = /^(\d+(?:\.\d+)?)\s*(%|ms|us|µs)$/.exec(part) ?? []
    if (!unit) return `${JSON.stringify(part)} is no threshold: write it as 10%,0.1ms`
    if (unit === '%') found.share = Number(number) / 100
    else found.us = Number(number) * (unit === 'ms' ? 1000 : 1)
  }
  return { share: found.share ?? 0, us: found.us ?? 0 }
}
