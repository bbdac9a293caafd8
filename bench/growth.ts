import type { Growth } from './types.ts'

/** What is no growth, in µs: less than this, or less than half of what it costs anyway. */
const NEGLIGIBLE_US = 100

/** The order of growth that the points show (`n`, and what is added, in µs): at least three, by rising `n`. */
export function growthOf(points: readonly { readonly n: number; readonly us: number }[]): Growth {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || points.length < 3) return { order: 0, says: 'too few points to tell' }
  const base = first.us
  const risen = last.us - base
  if (risen < NEGLIGIBLE_US || risen < 0.5 * Math.abs(base)) return { order: 0, says: 'it does not grow' }
  // What each point adds to the first one: a constant cost would hide the growth. Only those that have risen say something.
  const rising = points.filter(({ n, us }) => n > first.n && us - base > NEGLIGIBLE_US / 2)
  const order = slope(rising.map(({ n, us }) => [Math.log(n), Math.log(us - base)]))
  if (Number.isNaN(order)) return { order: 1, says: 'it grows, at the last step only: more points would tell how' }
  return { order: Number(order.toFixed(2)), says: `it grows ${words(order)}: as n to the power of ${order.toFixed(1)}` }
}

function words(order: number): string {
  if (order < 0.35) return 'very slowly'
  if (order < 0.8) return 'more slowly than n'
  if (order <= 1.25) return 'in proportion to n'
  return 'faster than n'
}

/** Of the line with the least squares through the points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const covered = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return covered / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}
